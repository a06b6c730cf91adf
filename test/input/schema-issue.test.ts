import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'

import { type StandardSchema, ValidationException, type Violation } from '../../src/input/index.ts'
import { validateInput } from '../../src/input/internal.ts'

async function violationsOf(schema: StandardSchema, value: unknown): Promise<readonly Violation[]> {
  try {
    await validateInput(schema, value)
    return []
  } catch (error) {
    assert.ok(error instanceof ValidationException, String(error))
    return error.violations
  }
}

const LATE = new Date('2026-01-01T00:00:00Z')
const EARLY = new Date('1999-01-01T00:00:00Z')
const PICTURE = new File(['12345'], 'ada.txt', { type: 'text/plain' })

type Row = readonly [
  schema: unknown,
  value: unknown,
  code: string,
  messageId: string,
  parameters: Violation['parameters'],
  text: string,
]

/** What each library says, and what is made of it. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  zod: [
    [z.string(), undefined, 'invalid_type', 'required', { expected: 'string' }, 'This field is required'],
    [z.string().min(8), '', 'too_small', 'required', { minimum: 8 }, 'This field is required'],
    [z.string().trim().min(1), '  ', 'too_small', 'required', { minimum: 1 }, 'This field is required'],
    [z.string().min(8), 'abc', 'too_small', 'too_short', { minimum: 8 }, 'Use at least 8 characters'],
    [z.string().max(1), 'abc', 'too_big', 'too_long', { maximum: 1 }, 'Use at most 1 character'],
    [z.string().length(3), 'ab', 'too_small', 'wrong_length', { length: 3 }, 'Use exactly 3 characters'],
    [z.coerce.number().min(1000), '7', 'too_small', 'too_low', { minimum: 1000 }, 'Enter 1,000 or more'],
    [z.coerce.number().max(5), '7', 'too_big', 'too_high', { maximum: 5 }, 'Enter 5 or less'],
    [z.coerce.number().gt(7), '7', 'too_small', 'not_above', { minimum: 7 }, 'Enter more than 7'],
    [z.coerce.number().lt(7), '7', 'too_big', 'not_below', { maximum: 7 }, 'Enter less than 7'],
    [z.coerce.number(), 'x', 'invalid_type', 'not_a_number', { expected: 'number' }, 'Enter a number'],
    [
      z.coerce.number().int(),
      '1.5',
      'invalid_type',
      'not_whole',
      { expected: 'int' },
      'Enter a whole number',
    ],
    [
      z.coerce.number().multipleOf(3),
      '4',
      'not_multiple_of',
      'not_multiple',
      { divisor: 3 },
      'Enter a multiple of 3',
    ],
    [z.coerce.bigint().min(3n), '1', 'too_small', 'too_low', { minimum: 3 }, 'Enter 3 or more'],
    [z.array(z.string()).min(2), ['a'], 'too_small', 'too_few', { minimum: 2 }, 'Choose at least 2'],
    [z.array(z.string()).max(1), ['a', 'b'], 'too_big', 'too_many', { maximum: 1 }, 'Choose at most 1'],
    [
      z.enum(['tea', 'milk']),
      'x',
      'invalid_value',
      'not_an_option',
      { options: 'tea, milk' },
      'Choose one of the options',
    ],
    [
      z.email(),
      'x',
      'invalid_format',
      'invalid_email',
      { format: 'email' },
      'Enter an e-mail address, such as name@example.com',
    ],
    [
      z.url(),
      'x',
      'invalid_format',
      'invalid_url',
      { format: 'url' },
      'Enter a URL, such as https://example.com',
    ],
    [z.iso.date(), 'x', 'invalid_format', 'invalid_date', { format: 'date' }, 'Enter a date'],
    [z.iso.time(), 'x', 'invalid_format', 'invalid_time', { format: 'time' }, 'Enter a time'],
    [
      z.iso.datetime(),
      'x',
      'invalid_format',
      'invalid_date_time',
      { format: 'datetime' },
      'Enter a date and a time',
    ],
    [
      z.string().regex(/^a/),
      'x',
      'invalid_format',
      'invalid_format',
      { format: 'regex' },
      'This does not have the right format',
    ],
    [
      z.coerce.date().min(LATE),
      '1999-01-01',
      'too_small',
      'too_early',
      { minimum: LATE },
      'Enter 2026-01-01 or later',
    ],
    [
      z.coerce.date().max(EARLY),
      '2000-01-01',
      'too_big',
      'too_late',
      { maximum: EARLY },
      'Enter 1999-01-01 or earlier',
    ],
    [
      z.file().max(3),
      PICTURE,
      'too_big',
      'file_too_large',
      { maximum: 3 },
      'Choose a file of at most 3 bytes',
    ],
    [
      z.file().min(3 * 2 ** 20),
      PICTURE,
      'too_small',
      'file_too_small',
      { minimum: 3 * 2 ** 20 },
      'Choose a file of at least 3 MB',
    ],
    [
      z.file().mime(['image/png']),
      PICTURE,
      'invalid_value',
      'wrong_file_type',
      { options: 'image/png' },
      'Choose a file of the type image/png',
    ],
    [z.string(), 7, 'invalid_type', 'wrong_type', { expected: 'string' }, 'This value has the wrong type'],
    [z.string().refine(() => false, 'Not this one'), 'x', 'custom', 'invalid', undefined, 'Not this one'],
    [z.string().refine(() => false), 'x', 'custom', 'invalid', undefined, 'Invalid input'],
    [z.string().min(8, 'Eight or more'), 'x', 'too_small', 'too_short', { minimum: 8 }, 'Eight or more'],
    [
      z.string().min(8, { error: ({ code }) => `From ${code}` }),
      'x',
      'too_small',
      'too_short',
      { minimum: 8 },
      'From too_small',
    ],
  ],
  'zod, version 3': [
    [z3.string(), undefined, 'invalid_type', 'required', { expected: 'string' }, 'This field is required'],
    [z3.string().min(8), 'abc', 'too_small', 'too_short', { minimum: 8 }, 'Use at least 8 characters'],
    [
      z3.string().email(),
      'x',
      'invalid_string',
      'invalid_email',
      { format: 'email' },
      'Enter an e-mail address, such as name@example.com',
    ],
    [
      z3.enum(['tea', 'milk']),
      'x',
      'invalid_enum_value',
      'not_an_option',
      { options: 'tea, milk' },
      'Choose one of the options',
    ],
  ],
  valibot: [
    [v.string(), undefined, 'object', 'required', undefined, 'This field is required'],
    [v.pipe(v.string(), v.nonEmpty()), '', 'non_empty', 'required', { minimum: 1 }, 'This field is required'],
    [
      v.pipe(v.string(), v.minLength(8)),
      'abc',
      'min_length',
      'too_short',
      { minimum: 8 },
      'Use at least 8 characters',
    ],
    [
      v.pipe(v.string(), v.maxLength(2)),
      'abc',
      'max_length',
      'too_long',
      { maximum: 2 },
      'Use at most 2 characters',
    ],
    [
      v.pipe(v.string(), v.length(3)),
      'ab',
      'length',
      'wrong_length',
      { length: 3 },
      'Use exactly 3 characters',
    ],
    [
      v.pipe(v.string(), v.toNumber(), v.minValue(8)),
      '7',
      'min_value',
      'too_low',
      { minimum: 8 },
      'Enter 8 or more',
    ],
    [
      v.pipe(v.string(), v.toNumber(), v.gtValue(7)),
      '7',
      'gt_value',
      'not_above',
      { minimum: 7 },
      'Enter more than 7',
    ],
    [
      v.pipe(v.string(), v.toNumber(), v.ltValue(7)),
      '7',
      'lt_value',
      'not_below',
      { maximum: 7 },
      'Enter less than 7',
    ],
    [
      v.pipe(v.string(), v.toNumber(), v.integer()),
      '1.5',
      'integer',
      'not_whole',
      undefined,
      'Enter a whole number',
    ],
    [
      v.pipe(v.number(), v.multipleOf(3)),
      4,
      'multiple_of',
      'not_multiple',
      { divisor: 3 },
      'Enter a multiple of 3',
    ],
    [v.number(), 'x', 'number', 'not_a_number', undefined, 'Enter a number'],
    [
      v.pipe(v.array(v.string()), v.minLength(2)),
      ['a'],
      'min_length',
      'too_few',
      { minimum: 2 },
      'Choose at least 2',
    ],
    [
      v.picklist(['tea', 'milk']),
      'x',
      'picklist',
      'not_an_option',
      { options: 'tea, milk' },
      'Choose one of the options',
    ],
    [
      v.pipe(v.string(), v.email()),
      'x',
      'email',
      'invalid_email',
      { format: 'email' },
      'Enter an e-mail address, such as name@example.com',
    ],
    [
      v.pipe(v.string(), v.isoDate()),
      'x',
      'iso_date',
      'invalid_date',
      { format: 'iso_date' },
      'Enter a date',
    ],
    [
      v.pipe(v.string(), v.regex(/^a/)),
      'x',
      'regex',
      'invalid_format',
      { format: 'regex' },
      'This does not have the right format',
    ],
    [
      v.pipe(v.date(), v.minValue(LATE)),
      EARLY,
      'min_value',
      'too_early',
      { minimum: LATE },
      'Enter 2026-01-01 or later',
    ],
    [
      v.pipe(v.file(), v.maxSize(3)),
      PICTURE,
      'max_size',
      'file_too_large',
      { maximum: 3 },
      'Choose a file of at most 3 bytes',
    ],
    [
      v.pipe(v.file(), v.mimeType(['image/png'])),
      PICTURE,
      'mime_type',
      'wrong_file_type',
      { options: 'image/png' },
      'Choose a file of the type image/png',
    ],
    [
      v.pipe(
        v.string(),
        v.check(() => false, 'Not this one'),
      ),
      'x',
      'check',
      'invalid',
      undefined,
      'Not this one',
    ],
    [
      v.union([v.string(), v.number()]),
      true,
      'union',
      'wrong_type',
      undefined,
      'This value has the wrong type',
    ],
    [
      v.pipe(v.string(), v.minLength(8, 'Eight or more')),
      'x',
      'min_length',
      'too_short',
      { minimum: 8 },
      'Eight or more',
    ],
  ],
  arktype: [
    [type('string'), undefined, 'required', 'required', undefined, 'This field is required'],
    [type('string >= 8'), '', 'minLength', 'required', { minimum: 8 }, 'This field is required'],
    [type('string >= 8'), 'abc', 'minLength', 'too_short', { minimum: 8 }, 'Use at least 8 characters'],
    [type('string == 3'), 'ab', 'exactLength', 'wrong_length', { length: 3 }, 'Use exactly 3 characters'],
    [type('number >= 8'), 7, 'min', 'too_low', { minimum: 8 }, 'Enter 8 or more'],
    [type('number > 7'), 7, 'min', 'not_above', { minimum: 7 }, 'Enter more than 7'],
    [type('1 <= number <= 5'), 7, 'max', 'too_high', { maximum: 5 }, 'Enter 5 or less'],
    [type('number.integer'), 1.5, 'divisor', 'not_whole', undefined, 'Enter a whole number'],
    [type('number % 3'), 4, 'divisor', 'not_multiple', { divisor: 3 }, 'Enter a multiple of 3'],
    [type('number'), 'x', 'domain', 'not_a_number', undefined, 'Enter a number'],
    [type('string.integer.parse'), 'x', 'pattern', 'not_whole', undefined, 'Enter a whole number'],
    [type('string[] <= 1'), ['a', 'b'], 'maxLength', 'too_many', { maximum: 1 }, 'Choose at most 1'],
    [
      type('"tea"|"milk"'),
      'x',
      'union',
      'not_an_option',
      { options: 'milk, tea' },
      'Choose one of the options',
    ],
    [
      type('string.email'),
      'x',
      'pattern',
      'invalid_email',
      { format: 'email' },
      'Enter an e-mail address, such as name@example.com',
    ],
    [type('string.date.iso'), 'x', 'pattern', 'invalid_date', { format: 'date' }, 'Enter a date'],
    [
      type(/^a/),
      'x',
      'pattern',
      'invalid_format',
      { expected: 'matched by ^a' },
      'This does not have the right format',
    ],
    [
      type('Date >= d"2026-01-01"'),
      EARLY,
      'after',
      'too_early',
      { minimum: LATE },
      'Enter 2026-01-01 or later',
    ],
    [
      type('string').narrow((_, ctx) => ctx.mustBe('nice')),
      'x',
      'predicate',
      'invalid',
      { expected: 'nice' },
      'This must be nice',
    ],
    [type('object'), 'x', 'domain', 'wrong_type', { expected: 'an object' }, 'This value has the wrong type'],
  ],
}

interface Issue {
  readonly message: string
}

/** An issue with members of the library's own. */
function issueOf(issue: object): Issue {
  return { message: '', ...issue }
}

/** An object schema of the same library with this one as its field `a`. */
function withField(library: string, schema: unknown): StandardSchema {
  if (library === 'zod') return z.object({ a: schema as z.ZodType }) as StandardSchema
  if (library === 'valibot') return v.object({ a: schema as v.GenericSchema }) as StandardSchema
  if (library === 'arktype') return type({ a: schema as never }) as unknown as StandardSchema
  return z3.object({ a: schema as z3.ZodTypeAny })
}

describe('a violation made from an issue', () => {
  for (const [library, rows] of Object.entries(ROWS)) {
    for (const [schema, value, code, messageId, parameters, text] of rows) {
      it(`has the code and the parameters of ${library}: ${code}, ${messageId}, "${text}" [PAGE-03]`, async () => {
        const fields = value === undefined ? {} : { a: value }

        const [violation, ...more] = await violationsOf(withField(library, schema), fields)

        assert.ok(violation !== undefined)
        assert.deepEqual(
          [violation.field, violation.code, violation.messageId, violation.parameters, violation.fallback],
          ['a', code, messageId, parameters, text],
        )
        assert.equal(violation.domain, 'validation')
        assert.deepEqual(more, [])
      })
    }
  }

  it('keeps what the library says in another language', async (t) => {
    z.config(z.locales.de())
    t.after(() => z.config(z.locales.en()))

    const [violation] = await violationsOf(z.object({ a: z.string().min(8) }) as StandardSchema, { a: 'abc' })

    assert.match(violation?.fallback ?? '', /^Zu klein/)
    assert.equal(violation?.messageId, 'too_short')
  })

  it('tells required from too short in every library [PAGE-03]', async () => {
    for (const [library, schema] of [
      ['zod', z.string().min(8)],
      ['valibot', v.pipe(v.string(), v.minLength(8))],
      ['arktype', type('string >= 8')],
    ] as const) {
      const idsOf = async (value: object): Promise<string[]> =>
        (await violationsOf(withField(library, schema), value)).map(({ messageId }) => messageId)

      assert.deepEqual(
        [await idsOf({}), await idsOf({ a: '' }), await idsOf({ a: 'abc' })],
        [['required'], ['required'], ['too_short']],
        library,
      )
    }
  })

  for (const [what, issue, expected] of [
    [
      'code, parameters and message',
      { message: 'Too short', path: ['a'], code: 'short', minimum: 8 },
      ['short', 'short', { minimum: 8 }, 'Too short'],
    ],
    [
      'a code of the catalogue without a message',
      { path: ['a'], code: 'too_short', minimum: 8 },
      ['too_short', 'too_short', { minimum: 8 }, 'Use at least 8 characters'],
    ],
    [
      'a type',
      { message: 'No', path: ['a'], type: 'string.min' },
      ['string.min', 'string.min', undefined, 'No'],
    ],
    [
      'a code that is no name',
      { message: 'No', path: ['a'], code: 'a b' },
      ['invalid', 'invalid', undefined, 'No'],
    ],
    [
      'a code that is no string',
      { message: 'No', path: ['a'], code: 7, minimum: NaN },
      ['invalid', 'invalid', undefined, 'No'],
    ],
    [
      'the code that is a name of objects',
      { message: 'No', path: ['a'], code: 'constructor' },
      ['constructor', 'constructor', undefined, 'No'],
    ],
  ] as const) {
    it(`keeps of another library ${what} [PAGE-03]`, async () => {
      const schema: StandardSchema = {
        '~standard': {
          version: 1,
          vendor: 'another',
          validate: () => ({ issues: [issueOf(issue)] }),
        },
      }

      const [violation] = await violationsOf(schema, { a: 'abc' })

      assert.deepEqual(
        [violation?.code, violation?.messageId, violation?.parameters, violation?.fallback],
        expected,
      )
    })
  }

  for (const [what, schema, value, text] of [
    ['zod', z.object({ a: z.string().regex(/^\d+$/, 'Invalid postcode') }), 'x', 'Invalid postcode'],
    ['zod, a limit', z.object({ a: z.string().min(8, 'Too small: use 8') }), 'x', 'Too small: use 8'],
    ['valibot', v.object({ a: v.pipe(v.string(), v.minLength(8, 'Invalid name')) }), 'x', 'Invalid name'],
    [
      'arktype',
      type({ a: type('string >= 8').configure({ message: () => 'A name must be longer' }) }),
      'x',
      'A name must be longer',
    ],
  ] as const) {
    it(`has the text of the application where it begins like one of the library: ${what} [HOLD-44]`, async () => {
      const [violation] = await violationsOf(schema as unknown as StandardSchema, { a: value })

      assert.equal(violation?.fallback, text)
    })
  }
})
