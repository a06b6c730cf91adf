import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { z } from 'zod'

import { App, Controller, defineModule } from 'sallyport'
import { type Actions, input } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { ViewEngine } from 'sallyport/view'

import { type StandardSchema, ValidationException, type Violation } from '../../src/input/index.ts'
import { validateInput } from '../../src/input/internal.ts'

const GENERIC = 'Invalid value'

/** The violations; none when the schema takes the value. */
async function violationsOf(schema: StandardSchema, value: unknown): Promise<readonly Violation[]> {
  try {
    await validateInput(schema, value)
    return []
  } catch (error) {
    assert.ok(error instanceof ValidationException, String(error))
    return error.violations
  }
}

/** Fields and texts of the violations. */
async function refuse(
  schema: StandardSchema,
  value: unknown,
): Promise<[field: string | null, text: string][]> {
  return (await violationsOf(schema, value)).map(({ field, fallback }) => [field, fallback])
}

function handwritten(message: (value: never) => string, path?: readonly string[]): StandardSchema {
  const validate: StandardSchema['~standard']['validate'] = (value) => ({
    issues: [{ message: message(value as never), ...(path === undefined ? {} : { path }) }],
  })
  return { '~standard': { version: 1, vendor: 'by hand', validate } }
}

// Everything of these is refused, at each place where a secret may stand, and each library says so in its own words.
const REFUSING: Readonly<Record<string, (place: string) => StandardSchema>> = {
  'zod, object': () => z.strictObject({ place: z.email() }) as StandardSchema,
  'zod, number': () => z.object({ place: z.coerce.number().negative() }) as StandardSchema,
  'zod, options': () => z.object({ place: z.enum(['one option', 'another']) }) as StandardSchema,
  'zod, list': () => z.object({ place: z.array(z.number()) }) as StandardSchema,
  'zod, record': () => z.record(z.string().max(0), z.number()) as StandardSchema,
  'zod, a message of the input': () =>
    z.object({
      place: z.any().refine(() => false, { error: (issue) => `no ${JSON.stringify(issue.input)}` }),
    }) as StandardSchema,
  'valibot, object': () => v.strictObject({ place: v.pipe(v.string(), v.email()) }) as StandardSchema,
  'valibot, number': () =>
    v.object({ place: v.pipe(v.unknown(), v.transform(Number), v.ltValue(0)) }) as StandardSchema,
  'valibot, options': () => v.object({ place: v.picklist(['one option', 'another']) }) as StandardSchema,
  'valibot, changed before': () =>
    v.object({ place: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.maxLength(0)) }) as StandardSchema,
  'valibot, list': () => v.object({ place: v.array(v.number()) }) as StandardSchema,
  'valibot, record': () => v.record(v.pipe(v.string(), v.maxLength(0)), v.number()) as StandardSchema,
  'arktype, object': () => type({ '+': 'reject', place: 'string.email' }) as unknown as StandardSchema,
  'arktype, number': () => type({ place: 'number < 0' }) as unknown as StandardSchema,
  'arktype, options': () => type({ place: '"one option"|"another"' }) as unknown as StandardSchema,
  'arktype, list': () => type({ place: 'number[]' }) as unknown as StandardSchema,
  'arktype, record': () => type({ '[string]': 'number < 0' }) as unknown as StandardSchema,
  'by hand, in quotes': () => handwritten((value) => `cannot be ${JSON.stringify(value)}`),
  'by hand, as a page would have it': () =>
    handwritten(
      ({ place }: { place: unknown }) =>
        `cannot be ${String(place).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}`,
      ['place'],
    ),
  'by hand, in a URL': () =>
    handwritten((value) => `see ?value=${encodeURIComponent(JSON.stringify(value))}`),
}

const PLACES: Readonly<Record<string, (secret: unknown) => unknown>> = {
  'as the whole': (secret) => secret,
  'as a field': (secret) => ({ place: secret }),
  'as another field': (secret) => ({ place: null, other: secret }),
  'as a name': (secret) => ({ place: 'x', [String(secret)]: 'x' }),
  'in a list': (secret) => ({ place: [secret] }),
  'in an object': (secret) => ({ place: { deep: secret } }),
}

// Three letters or signs that stand alone in a message are not told from a word of it.
const secrets = fc
  .oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 4, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 }),
    fc.stringMatching(/^[a-z]{5,12}[0-9]{0,4}-[A-Z]{2,8}$/),
    fc.stringMatching(/^[1-9][0-9]{0,18}$/),
    fc.integer({ min: 1, max: 2 ** 53 }),
  )
  .filter((secret) => typeof secret === 'number' || /^\d+$/.test(secret) || secret.trim().length > 3)

/** What somebody who looks for the secret could find in the answer: as it is, in JSON, in any letter case. */
function finds(answer: string, secret: unknown): boolean {
  const text = String(secret).trim()
  if (text === '') return false
  const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())]
  const seen = answer.toLowerCase()
  return forms.some((form) => seen.includes(form.toLowerCase()))
}

describe('the violations of a schema', () => {
  for (const [what, schemaOf] of Object.entries(REFUSING)) {
    it(`hold nothing that was submitted: ${what} [HOLD-44]`, async () => {
      const schema = schemaOf(what)

      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(PLACES)),
          secrets,
          secrets,
          async (place, secret, other) => {
            const submit = PLACES[place]
            assert.ok(submit !== undefined)
            const answer = JSON.stringify(await violationsOf(schema, submit(secret)))
            // What stands in the answer to anything else too is the schema's own.
            const otherwise = JSON.stringify(await violationsOf(schema, submit(other)))
            assert.ok(!finds(answer, secret) || finds(otherwise, secret), `${place}: ${answer}`)
          },
        ),
        { numRuns: 300 },
      )
    })
  }

  for (const [what, schema, value, fields] of [
    [
      'names that zod does not know',
      z.strictObject({ a: z.string() }),
      { a: 'x', 'hunter2-secret': 1, ab: 1 },
      [null],
    ],
    ['names that valibot does not know', v.strictObject({ a: v.string() }), { a: 'x', ab: 1 }, ['*']],
    ['names that arktype does not know', type({ '+': 'reject', a: 'string' }), { a: 'x', ab: 1 }, ['*']],
    [
      'names of a record',
      z.object({ prices: z.record(z.string(), z.number()) }),
      { prices: { ab: 'x' } },
      ['prices.*'],
    ],
    [
      'names in a string that the schema reads',
      z.object({
        json: z
          .string()
          .transform((text): unknown => JSON.parse(text))
          .pipe(z.record(z.string(), z.number())),
      }),
      { json: '{"ab":"x"}' },
      ['json.*'],
    ],
    [
      'names in another letter case',
      z
        .looseObject({})
        .transform((given) => Object.fromEntries(Object.keys(given).map((name) => [name.toUpperCase(), 'x'])))
        .pipe(z.record(z.string(), z.string().max(0))),
      { hunter2: 1 },
      ['*'],
    ],
  ] as const) {
    it(`hold no ${what} [HOLD-44]`, async () => {
      const found = await violationsOf(schema as unknown as StandardSchema, value)

      assert.deepEqual(
        found.map(({ field }) => field),
        fields,
      )
      assert.doesNotMatch(JSON.stringify(found), /hunter2|"ab"/i)
    })
  }

  it('hold no part of a long value, and nothing from the words of a page or a URL [HOLD-44]', async () => {
    const secret = 'correct horse battery staple 4711'
    const cases = [
      `"${secret.slice(0, 20)}…" is too long`,
      `${secret.slice(12)} is too long`,
      `CORRECT HORSE BATTERY STAPLE 4711?`,
      'correct-horse-battery-staple-4711',
      'correct&#32;horse&#x20;battery staple 4711',
      'correct+horse%20battery+staple+4711',
      '\u0063orrect horse battery staple 4711',
    ]

    for (const message of cases) {
      assert.deepEqual(
        await refuse(
          handwritten(() => message),
          { secret },
        ),
        [[null, GENERIC]],
        message,
      )
    }
  })

  it('hold nothing that was escaped for a page [HOLD-44]', async () => {
    const schema = handwritten(() => 'cannot be a&lt;b&amp;c&quot;&#100;')

    assert.deepEqual(await refuse(schema, { secret: 'A<B&C"D' }), [[null, GENERIC]])
  })

  it('hold no length that the library measured [HOLD-44]', async () => {
    const schema = v.object({ password: v.pipe(v.string(), v.minLength(12)) })

    const found = await violationsOf(schema as StandardSchema, { password: 'hunter' })

    assert.equal(found.length, 1)
    assert.doesNotMatch(JSON.stringify(found), /6/)
  })

  it('keep the names that a schema declares, at every depth, and the positions in a list', async () => {
    const Line = z.object({ product: z.string(), quantity: z.number() })
    const schema = z.object({ lines: z.array(Line), ship: z.lazy(() => z.object({ city: z.string() })) })
    const wrong = { lines: [{ product: 'tea', quantity: 1 }, { product: 1 }], ship: { city: 1 } }

    const fields = (await refuse(schema as StandardSchema, wrong)).map(([field]) => field)

    assert.deepEqual(fields, ['lines.1.product', 'lines.1.quantity', 'ship.city'])
  })

  for (const [library, schema] of [
    [
      'zod',
      z.object({
        name: z.string().min(8, 'Enter a name of 8 letters'),
        password: z.string().min(12, 'This password is too short'),
        quantity: z.coerce.number().positive({ error: 'Order more than 0' }),
        by: z.enum(['mail', 'phone']),
        mail: z.email('Enter a mail address').optional(),
      }),
    ],
    [
      'valibot',
      v.object({
        name: v.pipe(v.string(), v.minLength(8, 'Enter a name of 8 letters')),
        password: v.pipe(v.string(), v.minLength(12, 'This password is too short')),
        quantity: v.pipe(v.string(), v.transform(Number), v.gtValue(0, 'Order more than 0')),
        by: v.picklist(['mail', 'phone']),
        mail: v.optional(v.pipe(v.string(), v.email('Enter a mail address'))),
      }),
    ],
  ] as const) {
    it(`keep messages that the application wrote in a schema of ${library}, whatever was submitted`, async () => {
      const submitted = { name: 'a', password: 'password', quantity: '0', by: 'mail', mail: 'enter' }

      assert.deepEqual(await refuse(schema as StandardSchema, submitted), [
        ['name', 'Enter a name of 8 letters'],
        ['password', 'This password is too short'],
        ['quantity', 'Order more than 0'],
        ['mail', 'Enter a mail address'],
      ])
    })
  }

  it('keep the library’s own message when it names the expected and not the received value', async () => {
    const schema = z.object({ a: z.string().min(8), b: z.number(), c: z.enum(['x', 'y']) })

    const texts = (await refuse(schema as StandardSchema, { a: 'abc', b: 'def', c: 'ghi' })).map(
      ([, text]) => text,
    )

    assert.equal(texts.length, 3)
    assert.ok(!texts.includes(GENERIC), texts.join('\n'))
  })

  it('keep a message of a handwritten schema, even when it names fields', async () => {
    const schema = handwritten(() => 'The password and "repeat" differ', ['repeat'])

    assert.deepEqual(await refuse(schema, { password: 'hunter2-secret', repeat: 'hunter3' }), [
      ['repeat', 'The password and "repeat" differ'],
    ])
  })

  it('compare with what was submitted, not with what the schema made of it', async () => {
    const schema: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'in place',
        validate: (value) => {
          const input = value as { unknown?: string }
          const message = `${input.unknown ?? ''} is not known`
          delete input.unknown
          return { issues: [{ message }] }
        },
      },
    }
    class Changing extends Controller {
      static readonly actions = { indexPost: [input(schema)] } satisfies Actions<Changing>

      indexPost(value: unknown): unknown {
        return value
      }
    }
    const app = App.create({ debug: false }).modules(
      defineModule('Site', (module) => module.mount('/').controllers(Changing)),
    )

    for (const sent of [{ json: { unknown: 'hunter2-secret' } }, { form: { unknown: 'hunter2-secret' } }]) {
      const response = await new TestClient(app).post('/changing', sent)
      assert.deepEqual([response.status, /hunter2/.test(await response.text())], [422, false])
    }
  })

  it('cost a bounded search, whatever was submitted [HOLD-04]', async () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`name${i}`, `value ${i}`]))
    let asked = 0
    const issues = Array.from({ length: 100_000 }, (_, i) => ({
      get message(): string {
        asked++
        return `no ${i}`
      },
    }))
    const schema: StandardSchema = {
      '~standard': { version: 1, vendor: 'many', validate: () => ({ issues }) },
    }

    const found = await refuse(schema, many)

    assert.equal(found.length, 1000)
    assert.equal(asked, 1000)
    assert.deepEqual(found.at(-1), [null, GENERIC])
  })
})

const SECRET = 'hunter2-secret'
const PIN = 4711

describe('the response to an input that a schema refuses', () => {
  for (const [library, schema] of Object.entries({
    zod: z.strictObject({ pin: z.string(), password: z.coerce.number() }),
    valibot: v.strictObject({ pin: v.string(), password: v.number() }),
    arktype: type({ '+': 'reject', pin: 'string', password: 'number' }),
  })) {
    it(`reveals nothing of it in page, problem+json, template or log: ${library} [HOLD-44]`, async (t) => {
      class Pin extends Controller {
        static readonly actions = {
          indexPost: [input(schema as unknown as StandardSchema)],
        } satisfies Actions<Pin>

        indexPost(value: unknown): unknown {
          return value
        }
      }
      const rendered: unknown[] = []
      class Engine extends ViewEngine {
        override render(_template: string, { error }: Readonly<Record<string, unknown>>): Promise<string> {
          rendered.push(error)
          return Promise.resolve(JSON.stringify(error))
        }
      }
      const written: string[] = []
      for (const stream of [process.stdout, process.stderr]) {
        const write = stream.write.bind(stream)
        t.mock.method(stream, 'write', (chunk: string) => {
          written.push(String(chunk))
          return write(chunk)
        })
      }
      const app = (): App =>
        App.create({ debug: true }).modules(
          defineModule('Site', (module) => module.mount('/').controllers(Pin)),
        )
      const withTemplate = app()
        .errorView('error')
        .configure((definitions) => definitions.set(ViewEngine, new Engine()))
      const json = { pin: PIN, password: SECRET, [SECRET]: SECRET }
      const sent = [
        await new TestClient(app()).post('/pin', { json }),
        await new TestClient(app()).post('/pin', { json, headers: { accept: 'application/json' } }),
        await new TestClient(withTemplate).post('/pin', { json }),
      ]

      for (const response of sent) {
        assert.equal(response.status, 422)
        assert.doesNotMatch(await response.text(), /hunter2|4711/)
      }
      assert.equal(rendered.length, 1)
      assert.doesNotMatch(written.join(''), /hunter2|4711/)
    })
  }
})
