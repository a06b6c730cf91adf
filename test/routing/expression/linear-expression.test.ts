import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PageController, fails, site } from '../fixture.ts'
import { LinearExpression } from '../../../src/routing/expression/linear-expression.ts'

// fast-check prints the seed of a failing run; this takes it back.
const GIVEN_SEED = process.env['FUZZ_SEED']
const REPLAY = GIVEN_SEED === undefined ? {} : { seed: Number(GIVEN_SEED) }

/** Reads a text character by character. */
function walk(expression: LinearExpression, text: string): boolean {
  let state: Int32Array | null = null
  for (const character of text) {
    const next = expression.advance(state, character.codePointAt(0) ?? 0)
    if (next === undefined) return false
    state = next
  }
  return expression.accepts(state)
}

describe('LinearExpression', () => {
  it('answers as the platform does, in one number or several, at once or character by character', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\d',
      '\\w',
      '\\.',
      '\\/',
      '(?:ab)',
      '(a|)',
      '😀',
      '\\p{Lu}',
    )
    const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,3}', '{2,}', '+?')
    const sequence = fc
      .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().join(''))
    const expression = fc.array(sequence, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|'))
    const text = fc
      .array(fc.constantFrom('a', 'b', '1', '.', '/', 'A', '😀', '\n'), { maxLength: 8 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 1, maxLength: 12 }), (source, texts) => {
        const native = new RegExp(`^(?:${source})$`, 'u')
        // No text holds a z, so the longer ones take the same; before, behind and around it are other positions.
        const spellings = [source, `${source}|z{40}`, `z{40}|${source}`, `z{70}|(?:${source})|z{70}`]
        for (const own of spellings.map((spelling) => new LinearExpression(spelling))) {
          for (const candidate of texts) {
            const expected = native.test(candidate)
            assert.equal(own.test(candidate), expected, `${own.source} on ${candidate}`)
            assert.equal(walk(own, candidate), expected, `${own.source} on each of ${candidate}`)
          }
        }
      }),
      { numRuns: 300, ...REPLAY },
    )
  })

  it('remembers some characters and knows all', () => {
    const expression = new LinearExpression('[\\u{4e00}-\\u{4fff}]')
    for (let turn = 0; turn < 2; turn++) {
      for (let code = 0x4dff; code <= 0x5000; code++) {
        const isHeld = code >= 0x4e00 && code <= 0x4fff
        assert.equal(expression.test(String.fromCodePoint(code)), isHeld)
      }
    }
  })

  it('holds 512 characters and groups fifty deep, not more', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`

    assert.equal(new LinearExpression('a{512}').test('a'.repeat(512)), true)
    assert.throws(() => new LinearExpression('a{513}'), SyntaxError)
    assert.throws(() => new LinearExpression('a{513,}'), SyntaxError)
    assert.throws(() => new LinearExpression('a{0,513}'), SyntaxError)
    assert.throws(() => new LinearExpression(`a{${'9'.repeat(400)}}`), SyntaxError)
    assert.equal(new LinearExpression(nested(50)).test('a'), true)
    assert.throws(() => new LinearExpression(nested(51)), SyntaxError)
  })

  it('knows more positions than one number holds', () => {
    const uuid = new LinearExpression('[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|nil')

    assert.equal(uuid.test('123e4567-e89b-12d3-a456-426614174000'), true)
    assert.equal(uuid.test('123e4567-e89b-12d3-a456-42661417400'), false)
    assert.equal(uuid.test('123e4567-e89b-12d3-a456-4266141740000'), false)
    assert.equal(uuid.test('nil'), true)
    assert.equal(new LinearExpression('[a-z]{1,255}').test('x'.repeat(255)), true)
    assert.equal(new LinearExpression('[a-z]{1,255}').test('x'.repeat(256)), false)
  })

  it('refuses what cannot be run in linear time, and what is malformed or too large', () => {
    const bad = [
      '(?=a)b',
      '(?!a)b',
      '(?<=a)b',
      '(?<!a)b',
      '(a)\\1',
      '(?<x>a)\\k<x>',
      '\\bx',
      'x\\B',
      'a$b',
      'a^b',
      '(^a)',
      '(',
      ')',
      '[',
      '*',
      'a**',
      'a{1000}',
      '(a{500}){500}',
      '(){99999999}',
      '',
    ]
    for (const source of bad) {
      assert.throws(() => new LinearExpression(source), SyntaxError, source)
      const app = site((r) => r.get('/{slug}', [PageController, 'show']).where('slug', source))
      assert.throws(
        () => app.match('GET', '/x'),
        fails('invalid-pattern', '"slug"', 'linear-expression.test.ts:'),
      )
    }
  })

  it('takes anchors at the ends for what they are: nothing', () => {
    for (const source of ['^a|b$', '^(?:a|b)$', 'a|^b', '^a$|^b$']) {
      const expression = new LinearExpression(source)
      assert.deepEqual(
        ['a', 'b', 'ab', ''].map((text) => expression.test(text)),
        [true, true, false, false],
        source,
      )
    }
  })
})
