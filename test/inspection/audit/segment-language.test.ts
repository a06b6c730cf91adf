import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { param, parameterType } from 'sallyport/routing'
import {
  commonTexts,
  languageOf,
  languageOfType,
  type SegmentLanguage,
  takesAll,
} from '../../../src/inspection/audit/segment-language.ts'
import { Action } from '../../../src/routing/declaration/action.ts'
import { BOOL, INT } from '../../../src/routing/declaration/built-in-types.ts'
import { STRING } from '../../../src/routing/declaration/string-type.ts'
import { Pattern } from '../../../src/routing/table/pattern.ts'
import { loadExpressions } from '../../../src/routing/expression/late-expressions.ts'

await loadExpressions()

const code = parameterType({ name: 'code', pattern: '[A-Z]{3}', parse: (text) => text })

class ValueController {}

const action = new Action(ValueController, 'values', [
  param.string('s'),
  param.string('t'),
  param.int('i'),
  param.float('f'),
  param.bool('b'),
  param.of(code, 'c'),
])

/** The one segment of a path, `{s}` a text, `{i}` an integer, `{f}` a number, `{b}` a truth value. */
function segment(text: string, where: Readonly<Record<string, string>> = {}): SegmentLanguage {
  const [only] = new Pattern(`/${text}`, where).segments
  if (only === undefined || only.kind === 'rest') throw new Error(`"${text}" is no such segment`)
  return languageOf(only, action)
}

function fits({ language, literal }: SegmentLanguage, text: string): boolean {
  return literal === null ? language.every((expression) => expression.test(text)) : literal === text
}

function nameOf({ language, literal }: SegmentLanguage): string {
  return literal ?? language.map(({ source }) => source).join(' and ')
}

describe('languageOf()', () => {
  for (const [text, where, taken, refused] of [
    ['about', {}, ['about'], ['About', 'abou', '']],
    ['{s}', {}, ['a', '0', 'é b', '.'], ['']],
    ['{i}', {}, ['0', '7', '-12', '9007199254740991'], ['01', '-0', '1.5', 'a', '+1', '']],
    ['{f}', {}, ['0', '-1.50', '2e9', '1.5E-3'], ['.5', '1.', '01', 'e5', 'NaN']],
    ['{b}', {}, ['true', 'false', '1', '0'], ['yes', 'TRUE', '2']],
    ['{s}', { s: '[a-c]+' }, ['a', 'cab'], ['d', '']],
    ['{i}', { i: '[0-4]+' }, ['4', '10'], ['5', '04']],
    ['x-{s}', {}, ['x-a', 'x--'], ['x-', 'a', 'y-a']],
    ['{s}.{t}', {}, ['a.b', 'a.b.c'], ['a.', '.b', 'ab']],
    ['{i}.json', {}, ['7.json'], ['a.json', '7json', '7xjson']],
    ['v{s}', { s: '^[0-9]+$' }, ['v1', 'v12'], ['v', 'va', 'v^1']],
    ['v{s}', { s: '[^0-9]+' }, ['va'], ['v', 'v1']],
    ['v{s}', { s: '[^$]' }, ['va', 'v1'], ['v$', 'v']],
    ['v{s}', { s: '\\$' }, ['v$'], ['v', 'va']],
    ['v{s}', { s: '\\^a$' }, ['v^a'], ['va', 'v']],
    ['v-{c}', { c: '[A-Z0-9]+' }, ['v-ABC'], ['v-AB1', 'v-ABCD', 'ABC']],
    ['{c}-{i}', { i: '[0-9]+' }, ['ABC-7'], ['ABC-07', 'AB-7', 'ABC-']],
    ['{s}+{t}', { s: 'a|b', t: 'c' }, ['a+c', 'b+c'], ['a', 'aa+c', 'a+b']],
    ['({s})', {}, ['(a)'], ['a', '()']],
    ['{s}*[', {}, ['a*['], ['a', 'aa']],
  ] as const) {
    it(`of ${text} ${JSON.stringify(where)} takes ${taken.join(', ')}`, () => {
      const language = segment(text, where)

      for (const each of taken) assert.equal(fits(language, each), true, each)
      for (const each of refused) assert.equal(fits(language, each), false, each)
    })
  }

  it('says what a segment that is one placeholder is read as', () => {
    const brief = ({ literal, type }: SegmentLanguage): unknown[] => [literal, type?.name ?? null]

    assert.deepEqual(brief(segment('about')), ['about', null])
    assert.deepEqual(brief(segment('{s}')), [null, 'string'])
    assert.deepEqual(brief(segment('{b}')), [null, 'bool'])
    assert.deepEqual(brief(segment('{i}', { i: '[0-4]' })), [null, 'int'])
    assert.deepEqual(brief(segment('x{s}')), [null, null])
    assert.deepEqual(brief(segment('{s}-{t}')), [null, null])
    assert.deepEqual(brief(languageOfType(BOOL)), [null, 'bool'])
    assert.equal(fits(languageOfType(INT), '7'), true)
    assert.equal(fits(languageOfType(INT), 'x'), false)
  })

  it('has one key for what takes the same, and others for others', () => {
    const all = [
      segment('about'),
      segment('{s}'),
      segment('{i}'),
      segment('{s}', { s: 'a' }),
      segment('x{s}'),
      segment('{s}-{t}'),
      segment('{s}-{i}'),
      segment('{i}-{s}'),
    ]

    assert.equal(new Set(all.map(({ key }) => key)).size, all.length)
    assert.equal(segment('{t}').key, segment('{s}').key)
    assert.equal(segment('{t}', { t: 'a' }).key, segment('{s}', { s: 'a' }).key)
    assert.equal(languageOfType(STRING).key, segment('{s}').key)
  })

  it('takes anything where the constraints together are too large', () => {
    const large = segment('{s}-{t}', { s: '[a-z]{300}', t: '[a-z]{300}' })

    assert.equal(fits(large, 'whatever'), true)
    assert.equal(takesAll(segment('{s}_{t}'), large), false)
  })
})

describe('commonTexts()', () => {
  it('gives texts that all segments take', () => {
    const groups = [
      [segment('{s}')],
      [segment('{i}')],
      [segment('{f}'), segment('{i}')],
      [segment('{s}', { s: '[a-c]+' }), segment('{t}', { t: '[b-d]+' })],
      [segment('x{s}'), segment('{s}y')],
      [segment('about'), segment('{s}')],
      [segment('7'), segment('{i}'), segment('{f}')],
    ]
    for (const group of groups) {
      const texts = commonTexts(group)

      assert.ok(texts.length > 0)
      for (const text of texts) for (const each of group) assert.equal(fits(each, text), true, text)
    }
  })

  it('gives none that a literal or another language refuses', () => {
    assert.deepEqual(commonTexts([segment('a'), segment('b')]), [])
    assert.deepEqual(commonTexts([segment('a'), segment('a')]), ['a'])
    assert.deepEqual(commonTexts([segment('a'), segment('{i}')]), [])
    assert.deepEqual(commonTexts([segment('7'), segment('{i}')]), ['7'])
    assert.deepEqual(commonTexts([segment('{s}', { s: '[a-c]' }), segment('{i}')]), [])
  })

  it('prefers what is pleasant to read, and looks for more where that is little', () => {
    assert.equal(commonTexts([segment('{s}')])[0], 'example')
    assert.equal(commonTexts([segment('{i}')])[0], '42')
    assert.deepEqual(commonTexts([segment('{b}')]).slice(0, 2), ['true', '1'])
    assert.ok(commonTexts([segment('{b}')]).includes('false'))
    assert.equal(commonTexts([segment('{s}', { s: '[A-Z]{2}' })])[0], 'AA')
  })
})

describe('takesAll()', () => {
  for (const [inner, outer] of [
    [segment('a'), segment('a')],
    [segment('a'), segment('{s}')],
    [segment('a'), segment('{s}', { s: '[a-c]' })],
    [segment('true'), segment('{b}')],
    [segment('{i}'), segment('{s}')],
    [segment('{i}'), segment('{i}')],
    [segment('{b}'), segment('{s}')],
    [segment('{i}', { i: '[0-4]' }), segment('{i}')],
    [segment('x{s}'), segment('{s}')],
    [segment('x{s}'), segment('x{t}')],
    [languageOfType(INT), segment('{s}')],
  ] as const) {
    it(`knows that ${nameOf(outer)} takes all of ${nameOf(inner)}`, () => {
      assert.equal(takesAll(inner, outer), true)
    })
  }

  for (const [inner, outer] of [
    [segment('a'), segment('b')],
    [segment('{s}'), segment('a')],
    [segment('a'), segment('{i}')],
    [segment('7'), segment('{i}')],
    [segment('d'), segment('{s}', { s: '[a-c]' })],
    [segment('{s}'), segment('{i}')],
    [segment('{f}'), segment('{i}')],
    [segment('{i}'), segment('{f}')],
    [segment('{i}'), segment('{b}')],
    [segment('{i}', { i: '[0-9]' }), segment('{i}', { i: '[0-4]' })],
    [segment('{s}', { s: '[a-z]+' }), segment('{t}', { t: '[a-c]+' })],
    [segment('{s}'), segment('x{s}')],
    [segment('{i}', { i: '[0-4]' }), segment('{i}', { i: '[0-9]' })],
    [segment('{s}', { s: '[a-c]+' }), segment('{t}', { t: '[a-z]+' })],
    [segment('xy{s}'), segment('x{s}')],
    [segment('x{s}'), segment('{s}x')],
  ] as const) {
    it(`does not know that ${nameOf(outer)} takes all of ${nameOf(inner)}`, () => {
      assert.equal(takesAll(inner, outer), false)
    })
  }
})

describe('two types of one name', () => {
  const [digits, letters] = ['[0-9]+', '[a-z]+'].map((pattern) =>
    languageOfType(parameterType({ name: 'code', pattern, parse: (text) => text })),
  )

  it('are two types: neither takes all of the other [HOLD-36]', () => {
    assert.ok(digits !== undefined && letters !== undefined)
    assert.equal(digits.type?.name, letters.type?.name)
    assert.deepEqual(
      [takesAll(digits, letters), takesAll(letters, digits), takesAll(digits, digits)],
      [false, false, true],
    )
  })
})
