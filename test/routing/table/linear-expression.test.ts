import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PageController, fails, site } from '../fixture.ts'
import { LinearExpression } from '../../../src/routing/table/linear-expression.ts'

// Expressions that make a backtracking engine take exponential or high polynomial time.
const EVIL = [
  '(a+)+',
  '([a-zA-Z]+)*',
  '(a|aa)+',
  '(a|a?)+',
  '(.*a){12}',
  '(a*)*b',
  '(x+x+)+y',
  '(.*)*x',
  '(a|a)*',
  '((a+)+)+',
  '([a-z]+)*\\d',
  '(\\w+\\s?)*!',
  '(([a-z])+.)+[A-Z]([a-z])+',
  '(\\d+)*-',
  '(a{1,9}){1,9}b',
  '(.+)+\\.(.+)+',
  '(a?){30}a{30}',
  '([^"]*)*"',
  '(-?[a-z0-9]+)*-',
  '(\\w|\\d)+@',
  '(a+a+)+b',
  '(ab|a|b)*c',
  '(a*a*a*)*b',
  '(0|1|01)+2',
  '([\\w.]+)*@([\\w.]+)*',
  '(?:[a-z]+-?)+\\.',
  '(.|a)+b',
  '(a|b|ab)*(a|b)*c',
  '(aa|aab?)*x',
  '(?:a+){2,}z',
  '(\\S+)*\\s',
  '([a-z]|[a-m])+\\d',
  '(\\d|\\d\\d)+x',
  '(\\p{L}+)*\\d',
  '(a.?)+b',
  '(.a|a.)*c',
  '(a|.)*b(a|.)*c',
  '(x*y*)*z',
  '((a|b)*)*c',
  '(a(b|c)?)+d',
  '(\\w*)*\\W',
  '(\\w+)+\\$'.replace('\\$', '%'),
  '((\\d+)?,?)+;',
  '(a+b?)+c',
  '(a?a?)*b',
  '([a-c]*[b-d]*)*e',
  '(foo|fo|o)*bar',
  '(\\w{2,3})*-',
  '(aaa|aa|a)+b',
  '(.{1,3})*Z',
  '(a|ab|abc)*d',
  '([0-9]+[a-z]*)+!',
  '((x)*)+y',
  '(\\D+)*\\d',
  '(a|b)*a(a|b){12}',
  '([A-Z]?[a-z]*)*\\d',
  '(a*b*c*)*d',
  '(..)*(...)*x',
  '(\\w+\\.)*\\w+@',
  '(q+w*)+e',
]

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

  it('accepts no expression that is slow: 60 known evil ones on 16 KiB', (t) => {
    let slowest = 0
    assert.equal(EVIL.length, 60)
    for (const source of EVIL) {
      const expression = new LinearExpression(source)
      for (const unit of ['a', 'ab', '1', 'x', 'aA', '\n']) {
        const text = `${unit.repeat(16_384 / unit.length)}!?`
        const spent = fastest(() => expression.test(text))
        slowest = Math.max(slowest, spent)
        assert.ok(spent < 25, `${source} took ${spent.toFixed(1)} ms`)
      }
    }
    t.diagnostic(`the slowest took ${slowest.toFixed(2)} ms`)
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

/** The least of the times of some runs, in milliseconds: other work on the machine only ever adds. */
function fastest(run: () => unknown): number {
  let least = Infinity
  for (let turn = 0; turn < 8 && least > 5; turn++) {
    const start = performance.now()
    run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}
