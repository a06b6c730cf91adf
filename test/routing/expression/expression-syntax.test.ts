import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compileNative,
  type ExpressionNode,
  parseExpression,
} from '../../../src/routing/expression/expression-syntax.ts'

/** A tree in short: atoms with spaces between, choices in `( | )`, repetitions as `[item]2..5`. */
function brief(node: ExpressionNode): string {
  if (node.kind === 'atom') return node.source
  if (node.kind === 'sequence') return node.items.map(brief).join(' ')
  if (node.kind === 'choice') return `(${node.branches.map(brief).join(' | ')})`
  return `[${brief(node.item)}]${node.least}..${node.most}`
}

describe('parseExpression()', () => {
  for (const [source, tree] of [
    ['ab', '(a b)'],
    ['a|b|', '(a | b | )'],
    ['(a|b)c', '((a | b) c)'],
    ['(?:a)(?<name>b)(?<$_1>c)', '((a) (b) (c))'],
    ['((a)|b)', '(((a) | b))'],
    ['()', '(())'],
    ['a*b+c?', '([a]0..Infinity [b]1..Infinity [c]0..1)'],
    ['a*?b+?c??', '([a]0..Infinity [b]1..Infinity [c]0..1)'],
    ['a{3}b{2,}c{1,12}', '([a]3..3 [b]2..Infinity [c]1..12)'],
    ['a{3}?b{2,}?', '([a]3..3 [b]2..Infinity)'],
    ['(ab){2}', '([(a b)]2..2)'],
    ['[ab][^c][\\]\\-d]*', '([ab] [^c] [[\\]\\-d]]0..Infinity)'],
    ['[\\\\]a]', '([\\\\] a \\])'],
    ['[\\b]x', '([\\b] x)'],
    ['[]a', '([] a)'],
    ['\\d\\D\\w\\W\\s\\S', '(\\d \\D \\w \\W \\s \\S)'],
    ['\\p{Lu}\\P{L}x', '(\\p{Lu} \\P{L} x)'],
    ['\\u0041B\\u{1F600}C', '(\\u0041 B \\u{1F600} C)'],
    ['\\uabCDe\\xfFg', '(\\uabCD e \\xfF g)'],
    ['\\cJz\\n0', '(\\cJ z \\n 0)'],
    ['\\/\\.\\*', '(\\/ \\. \\*)'],
    ['.-/', '(. \\- \\/)'],
    ['a]}', '(a \\] \\})'],
    ['😀x', '(😀 x)'],
    ['^a$|^b$|c', '(a | b | c)'],
    ['^', '()'],
    ['$', '()'],
    ['a\\$', '(a \\$)'],
  ] as const) {
    it(`reads ${source}`, () => {
      assert.equal(brief(parseExpression(source)), tree)
    })
  }

  for (const [source, reason] of [
    ['', /the expression is empty/],
    ['(?=a)', /"\(\?=" is not supported/],
    ['(?!a)', /"\(\?!" is not supported/],
    ['(?<=a)', /"\(\?<" is not supported/],
    ['(?<!a)', /"\(\?<" is not supported/],
    ['(?i:a)', /"\(\?i" is not supported/],
    ['a^b', /"\^b" is not supported/],
    ['a$b', /"\$b" is not supported/],
    ['(a$)', /"\$\)" is not supported/],
    ['(a$|b)', /"\$\|b" is not supported/],
    ['(^a)', /"\^a\)" is not supported/],
    ['(a)\\1', /"\\1" is not supported/],
    ['(?<a>b)\\k<a>', /"\\k" is not supported/],
    ['\\b', /"\\b" is not supported/],
    ['\\Ba', /"\\B" is not supported/],
    ['(', /Invalid regular expression/],
    ['a)', /Invalid regular expression/],
    ['[a', /Invalid regular expression/],
    ['*', /Invalid regular expression/],
    ['a{2,1}', /Invalid regular expression/],
    [`${'('.repeat(51)}a${')'.repeat(51)}`, /groups are nested too deep/],
  ] as const) {
    it(`refuses ${source.slice(0, 60)}`, () => {
      assert.throws(() => parseExpression(source), { name: 'SyntaxError', message: reason })
    })
  }
})

describe('compileNative()', () => {
  it('takes a spelling that only the platform’s older grammar knows', () => {
    assert.equal(compileNative('^\\p{Lu}$').test('É'), true)
    assert.equal(compileNative('^a\\-b$').test('a-b'), true)
    assert.throws(() => compileNative('('), SyntaxError)
  })
})
