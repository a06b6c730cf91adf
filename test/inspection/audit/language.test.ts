import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Language, samples } from '../../../src/inspection/audit/language.ts'
import { LinearExpression } from '../../../src/routing/expression/linear-expression.ts'

function languageOf(sources: string | readonly string[]): Language {
  return [sources].flat().map((source) => new LinearExpression(source))
}

describe('samples()', () => {
  for (const source of [
    '[a-z]+',
    'a|bb|ccc',
    '[0-9]{3}-[0-9]{2}',
    '(?:ab)*c',
    'é+',
    '[^a-z0-9]',
    ['[a-z]+', '.*x.*', '.{3}'],
    ['[^]+', 'true|false|1|0'],
    '\\p{Lu}x',
    '中文?',
    'x{30}',
    '\\u{1f600}+',
  ] as const) {
    it(`gives texts of ${JSON.stringify(source)}, none twice`, () => {
      const language = languageOf(source)

      const texts = samples(language, 4)

      assert.ok(texts.length > 0)
      assert.equal(new Set(texts).size, texts.length)
      for (const text of texts) for (const expression of language) assert.ok(expression.test(text), text)
    })
  }

  it('gives the shortest first, from both ends of the alphabet, and as many as are wanted of each', () => {
    assert.deepEqual(samples(languageOf('[a-c]+'), 2), ['a', 'b', 'c'])
    assert.deepEqual(samples(languageOf('[a-c]+'), 1), ['a', 'c'])
    assert.deepEqual(samples(languageOf('[a-b]+'), 4), ['a', 'b', 'aa', 'bb'])
    assert.deepEqual(samples(languageOf('ab|abc|b'), 9), ['b', 'ab', 'abc'])
  })

  it('gives none of what is empty, or holds nothing that can stand in a segment', () => {
    assert.deepEqual(samples(languageOf(['[a-z]', '[0-9]']), 3), [])
    assert.deepEqual(samples(languageOf(['a{2}', 'a{3}']), 3), [])
    for (const source of ['/', ' ', '\\n', '\\u007f', 'a/b'])
      assert.deepEqual(samples(languageOf(source), 3), [])
  })

  it('gives up what takes too long to find', () => {
    assert.deepEqual(samples(languageOf('(?:a|b)*a(?:a|b){14}c'), 3), [])
  })
})
