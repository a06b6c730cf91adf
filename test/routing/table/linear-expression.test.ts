import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PageController, fails, site } from '../fixture.ts'
import { LinearExpression } from '../../../src/routing/table/linear-expression.ts'

describe('LinearExpression', () => {
  it('answers as the platform does', () => {
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
        const own = new LinearExpression(source)
        const native = new RegExp(`^(?:${source})$`, 'u')
        for (const candidate of texts)
          assert.equal(own.test(candidate), native.test(candidate), `${source} on ${candidate}`)
      }),
      { numRuns: 1000 },
    )
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
