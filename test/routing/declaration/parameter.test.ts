import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StandardSchema } from 'sallyport/input'
import { input, param, type RequiredParameter } from 'sallyport/routing'

import { growthAtDouble, MAX_AT_DOUBLE_SIZE } from '../../reliability/growth.ts'
import type { BuiltInKind } from '../../reliability/paths/draft.ts'

describe('param', () => {
  it('int takes its one spelling within the safe integers [CONV-21 CONV-22]', () => {
    const { parse } = param.int('n')

    for (const value of [0, 1, -1, 42, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])
      assert.equal(parse(String(value)), value)
    const bad = [
      '',
      '-',
      '+1',
      '-0',
      '00',
      '01',
      '-01',
      '1.0',
      '1e3',
      '0x1',
      ' 1',
      '1 ',
      '1\n',
      '٣',
      '9007199254740992',
      '99999999999999999999',
      '1_0',
    ]
    for (const text of bad) assert.equal(parse(text), undefined, JSON.stringify(text))
  })

  it('float takes a finite decimal with fraction and exponent', () => {
    const { parse } = param.float('n')

    const good: [string, number][] = [
      ['0', 0],
      ['-1.5', -1.5],
      ['1e3', 1000],
      ['1.25E-2', 0.0125],
      ['1e+21', 1e21],
      ['0.0', 0],
    ]
    for (const [text, value] of good) assert.equal(parse(text), value)
    for (const text of [
      '',
      '.',
      '.5',
      '1.',
      '-0',
      '-0.0',
      '1e',
      'e1',
      '1e999',
      'NaN',
      'Infinity',
      '0x1p3',
      '1,5',
      '01.5',
      '1.5\n',
    ]) {
      assert.equal(parse(text), undefined, JSON.stringify(text))
    }
  })

  it('is required, optional or the rest, by its name and of its kind', () => {
    for (const kind of Object.keys(param).filter((name) => !/^(?:of|rest)$/.test(name)) as BuiltInKind[]) {
      const required: RequiredParameter = param[kind]('x')
      const shapes = [required, required.optional(), param.rest<unknown>(required)]

      assert.deepEqual(
        shapes.map(({ name, role, ...parameter }) => [name, parameter.type.name, role]),
        [
          ['x', kind, 'required'],
          ['x', kind, 'optional'],
          ['x', kind, 'rest'],
        ],
      )
      for (const { parse } of shapes) assert.equal(parse, required.parse)
    }
  })

  it('bool takes true, false, 1 and 0', () => {
    const { parse } = param.bool('on')

    assert.deepEqual(['true', '1', 'false', '0'].map(parse), [true, true, false, false])
    for (const text of ['', 'TRUE', 'yes', 'on', '2', '01', 'true ']) assert.equal(parse(text), undefined)
  })

  it('costs no more than the length of the text', async () => {
    const [text, longText] = [`${'1'.repeat(125_000)}x`, `${'1'.repeat(1_000_000)}x`]

    for (const { parse } of [param.int('a'), param.float('a'), param.bool('a')]) {
      const growth = await growthAtDouble({ short: () => parse(text), long: () => parse(longText) })

      assert.ok(growth <= MAX_AT_DOUBLE_SIZE, `${growth} times at double length`)
    }
  })
})

describe('input()', () => {
  it('is a parameter of its own role, with the schema as it is', () => {
    const schema: StandardSchema = {
      '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
    }

    assert.equal(input(schema).role, 'input')
    assert.equal(input(schema).schema, schema)
  })
})
