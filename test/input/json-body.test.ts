import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { PayloadTooLargeException } from '../../src/http/index.ts'
import { growthAtDouble, MAX_AT_DOUBLE_SIZE, timesAsMuch } from '../reliability/growth.ts'
import { InputException } from '../../src/input/index.ts'
import { parseJson } from '../../src/input/json-body.ts'

const LIMITS = { fields: 10, jsonDepth: 64 }

function parse(text: string): unknown {
  return parseJson(Buffer.from(text), LIMITS)
}

describe('parseJson()', () => {
  for (const text of ['{"a":[1,2.5,-3e2,true,null,"é\\u0041"]}', '[]', '5', 'null', '"x"', '  {"a" : 1}\n']) {
    it(`reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parse(text), JSON.parse(text))
    })
  }

  for (const text of [
    '',
    '{',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    'NaN',
    '01',
    '{"a":1}x',
    '"\n"',
    '// x\n{}',
    '\u0000',
    'undefined',
  ]) {
    it(`answers 400 to ${JSON.stringify(text)}`, () => {
      assert.throws(() => parse(text), InputException)
    })
  }

  it('responds with 400 to invalid UTF-8', () => {
    assert.throws(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22), LIMITS), InputException)
  })

  it('accepts 64 levels and responds with 400 to 65 [R-37]', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

    assert.ok(Array.isArray(parse(nested(64))))
    assert.throws(() => parse(nested(65)), InputException)
    assert.throws(() => parse('{"a":'.repeat(65) + '1' + '}'.repeat(65)), InputException)
  })

  // So long that memory for the eighth of it comes from the system, too: what one gets so costs more for each byte.
  for (const [opening, count] of [
    ['[', 4_000_000],
    ['{"a":', 1_600_000],
  ] as const) {
    it(`refuses ${count} open ${opening} before it parses them [R-37]`, async () => {
      const [deep, flat] = [opening.repeat(count), `"${'x'.repeat(opening.length * count)}"`]
      const refuse = (): void => assert.throws(() => parse(deep), InputException)

      const growth = await growthAtDouble({
        short: () => assert.throws(() => parse(opening.repeat(count / 8)), InputException),
        long: refuse,
      })

      assert.ok(growth <= MAX_AT_DOUBLE_SIZE, `${growth}`)
      // A string of as many bytes has to be read whole.
      const factor = await timesAsMuch(refuse, () => parse(flat), 5)
      assert.ok(factor <= 5, `${factor}`)
    })
  }

  it('answers 413 to an object of more members than a form may have fields', () => {
    const object = (count: number): string =>
      `{${Array.from({ length: count }, (_, i) => `"${i}":":"`).join()}}`

    assert.ok(Array.isArray(parse(`[${object(10)},${object(10)}]`)))
    assert.throws(() => parse(`[${object(11)}]`), PayloadTooLargeException)
  })

  it('counts no brackets inside strings', () => {
    assert.equal((parse(`"${'[{'.repeat(100)}"`) as string).length, 200)
    assert.equal((parse(`"\\"${'['.repeat(100)}\\\\"`) as string).length, 102)
  })

  for (const text of [
    '{"__proto__":{"admin":true},"a":1}',
    '{"\\u005f_proto__":{"admin":true},"a":1}',
    '{"__proto\\u005f_":{"admin":true},"a":1}',
  ]) {
    it(`leaves the prototype out of ${text}, at every depth`, () => {
      const top = parse(text) as Record<string, unknown>
      const [deep] = (parse(`{"list":[${text}]}`) as { list: Record<string, unknown>[] }).list

      for (const value of [top, deep ?? {}]) {
        assert.equal(Object.hasOwn(value, '__proto__'), false)
        assert.equal('admin' in Object.assign({}, value), false)
        assert.equal(value['a'], 1)
      }
    })
  }
})
