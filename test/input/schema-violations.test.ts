import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { z } from 'zod'

import { App, Controller, defineModule } from 'sallyport'
import { type Actions, form, input } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { ViewEngine } from 'sallyport/view'

import {
  type StandardSchema,
  type Submitted,
  ValidationException,
  type Violation,
} from '../../src/input/index.ts'
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
const REFUSING: Readonly<Record<string, StandardSchema>> = {
  'zod, object': z.strictObject({ password: z.email() }) as StandardSchema,
  'zod, number': z.object({ password: z.coerce.number().negative() }) as StandardSchema,
  'zod, options': z.object({ password: z.enum(['one option', 'another']) }) as StandardSchema,
  'zod, list': z.object({ password: z.array(z.number()) }) as StandardSchema,
  'zod, record': z.record(z.string().max(0), z.number()) as StandardSchema,
  'zod, a message of the input': z.object({
    password: z.any().refine(() => false, { error: (issue) => `no ${JSON.stringify(issue.input)}` }),
  }) as StandardSchema,
  'zod, a parameter of the input': z.object({ password: z.any() }).superRefine(({ password }, context) => {
    context.addIssue({
      code: 'custom',
      message: 'No',
      path: ['password'],
      params: { typed: String(password) },
    })
  }) as StandardSchema,
  'zod, the whole': z
    .looseObject({})
    .refine(() => false, { error: (issue) => `no ${JSON.stringify(issue.input)}` }) as StandardSchema,
  'valibot, object': v.strictObject({ password: v.pipe(v.string(), v.email()) }) as StandardSchema,
  'valibot, number': v.object({
    password: v.pipe(v.unknown(), v.transform(Number), v.ltValue(0)),
  }) as StandardSchema,
  'valibot, options': v.object({ password: v.picklist(['one option', 'another']) }) as StandardSchema,
  'valibot, changed before': v.object({
    password: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.maxLength(0)),
  }) as StandardSchema,
  'valibot, list': v.object({ password: v.array(v.number()) }) as StandardSchema,
  'valibot, record': v.record(v.pipe(v.string(), v.maxLength(0)), v.number()) as StandardSchema,
  'arktype, object': type({ '+': 'reject', password: 'string.email' }) as unknown as StandardSchema,
  'arktype, number': type({ password: 'number < 0' }) as unknown as StandardSchema,
  'arktype, options': type({ password: '"one option"|"another"' }) as unknown as StandardSchema,
  'arktype, list': type({ password: 'number[]' }) as unknown as StandardSchema,
  'arktype, record': type({ '[string]': 'number < 0' }) as unknown as StandardSchema,
  'by hand, the whole': handwritten((value) => `cannot be ${JSON.stringify(value)}`),
  'by hand, in a URL': handwritten((value) => `see ?value=${encodeURIComponent(JSON.stringify(value))}`),
  'by hand, of the field': handwritten((value) => `cannot be ${JSON.stringify(value)}`, ['password']),
  'by hand, of what is in it': handwritten(
    (value) => `cannot be ${JSON.stringify(value)}`,
    ['password', 'deep', '0'],
  ),
}

const PLACES: Readonly<Record<string, (secret: unknown) => unknown>> = {
  'as a field': (secret) => ({ password: secret }),
  'beside others': (secret) => ({ other: 'x', password: secret }),
  'in a list': (secret) => ({ password: [secret] }),
  'in an object': (secret) => ({ password: { deep: secret } }),
}

// Three letters or signs that stand alone in a message are not told from a word of it.
const secrets = fc
  .oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 4, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 }),
    fc.stringMatching(/^[a-z]{5,12}[0-9]{0,4}-[A-Z]{2,8}$/),
    fc.stringMatching(/^[1-9][0-9]{3,18}$/),
    fc.integer({ min: 1000, max: 2 ** 53 }),
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

describe('the violations about a secret field', () => {
  for (const [what, schema] of Object.entries(REFUSING)) {
    it(`hold nothing that was submitted: ${what} [HOLD-44]`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(PLACES)),
          secrets,
          secrets,
          async (place, secret, other) => {
            const submit = PLACES[place]
            assert.ok(submit !== undefined)
            const answer = JSON.stringify(await violationsOf(schema, submit(secret)))
            // What stands in the answer to anything else of its type too is the schema's own ("name@example.com").
            const others = await Promise.all(
              [other, 'jq', 12].map((value) => violationsOf(schema, submit(value))),
            )
            const otherwise = JSON.stringify(others)
            assert.ok(!finds(answer, secret) || finds(otherwise, secret), `${place}: ${answer}`)
          },
        ),
        { numRuns: 100 },
      )
    })
  }

  for (const [what, schema, value, expected] of [
    [
      'zod',
      z.object({ password: z.string().min(12, 'Your own words') }),
      { password: 'hunter2' },
      ['password', 'Use at least 12 characters'],
    ],
    [
      'valibot',
      v.object({ password: v.pipe(v.string(), v.regex(/^\S+$/)) }),
      { password: 'my old secret' },
      ['password', 'This does not have the right format'],
    ],
    [
      'arktype',
      type({ password: 'string >= 12' }),
      { password: 'hunter2' },
      ['password', 'Use at least 12 characters'],
    ],
    [
      'a rule of the application',
      z.object({ password: z.string().refine(() => false, 'Your own words') }),
      { password: 'hunter2' },
      ['password', GENERIC],
    ],
    [
      'an object with such a field',
      z.object({ user: z.object({ new_password: z.string() }).refine(() => false, 'Your own words') }),
      { user: { new_password: 'hunter2' } },
      ['user', GENERIC],
    ],
    [
      'a list of such objects',
      z.object({ users: z.array(z.object({ token: z.string() })).max(0, 'Your own words') }),
      { users: [{ token: 'hunter2' }] },
      ['users', 'Choose at most 0'],
    ],
    [
      'the whole input with such a field',
      handwritten(() => 'Your own words'),
      { name: 'Ada', user: [{ code: 'hunter2' }] },
      [null, GENERIC],
    ],
  ] as const) {
    it(`have our own text by the kind of issue: ${what} [HOLD-44]`, async () => {
      assert.deepEqual(await refuse(schema as unknown as StandardSchema, value), [expected])
    })
  }

  it('are about the names that the declaration of a form adds, and not about those that it shows [HOLD-44]', async () => {
    const schema = handwritten(({ pin, zip_code }) => `no ${String(pin ?? zip_code)}`)
    class Declared extends Controller {
      static readonly actions = {
        indexPost: [form(schema, { secret: ['pin'], shown: ['zip_code'] })],
      } satisfies Actions<Declared>

      indexPost(submitted: Submitted<unknown>): unknown {
        return { texts: submitted.ok ? [] : submitted.violations.map(({ fallback }) => fallback) }
      }
    }
    const client = new TestClient(
      App.create().modules(defineModule('Site', (module) => module.mount('/').controllers(Declared))),
    )
    const textsOf = async (fields: Record<string, string>): Promise<unknown> =>
      (await client.post('/declared', { form: fields })).json()

    assert.deepEqual(await textsOf({ pin: '4711' }), { texts: [GENERIC] })
    assert.deepEqual(await textsOf({ zip_code: '4711' }), { texts: ['no 4711'] })
  })
})

describe('the violations about any other field', () => {
  it('have the message of the schema, whatever it quotes [HOLD-44]', async () => {
    const schema = handwritten(({ name }) => `"${name}" is taken & <gone>`, ['name'])

    assert.deepEqual(await refuse(schema, { name: 'hunter2', password: 'hunter2' }), [
      ['name', '"hunter2" is taken & <gone>'],
    ])
  })

  it('have it in pages as text, not as HTML [HOLD-44]', async () => {
    const schema = handwritten(({ name }) => `no ${name}`, ['name'])
    class Named extends Controller {
      static readonly actions = { indexPost: [input(schema)] } satisfies Actions<Named>

      indexPost(value: unknown): unknown {
        return value
      }
    }
    const app = App.create({ debug: false }).modules(
      defineModule('Site', (module) => module.mount('/').controllers(Named)),
    )

    const page = await (
      await new TestClient(app).post('/named', { form: { name: '<script>alert(1)</script>' } })
    ).text()

    assert.match(page, /no &lt;script&gt;alert\(1\)/)
    assert.doesNotMatch(page, /<script>alert/)
  })

  it('have ours in place of a message that is longer than a page should show', async () => {
    const schema = handwritten(({ name }) => `no ${name}`, ['name'])

    assert.deepEqual(await refuse(schema, { name: 'x'.repeat(10_000) }), [['name', GENERIC]])
  })

  it('keep the names that a schema declares, at every depth, and the positions in a list', async () => {
    const Line = z.object({ product: z.string(), quantity: z.number() })
    const schema = z.object({ lines: z.array(Line), ship: z.lazy(() => z.object({ city: z.string() })) })
    const wrong = { lines: [{ product: 'tea', quantity: 1 }, { product: 1 }], ship: { city: 1 } }

    const fields = (await refuse(schema as StandardSchema, wrong)).map(([field]) => field)

    assert.deepEqual(fields, ['lines.1.product', 'lines.1.quantity', 'ship.city'])
  })

  it('have no name that is longer than a page should show', async () => {
    const schema = z.record(z.string(), z.number()) as StandardSchema

    const fields = (await refuse(schema, { short: 'x', ['n'.repeat(101)]: 'x' })).map(([field]) => field)

    assert.deepEqual(fields, ['short', '*'])
  })

  it('are judged by what was submitted, not by what the schema made of it [HOLD-44]', async () => {
    const schema: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'in place',
        validate: (value) => {
          const input = value as { password?: string }
          const message = `${input.password ?? ''} is not known`
          delete input.password
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

    for (const sent of [{ json: { password: 'hunter2-secret' } }, { form: { password: 'hunter2-secret' } }]) {
      const response = await new TestClient(app).post('/changing', sent)
      assert.deepEqual([response.status, /hunter2/.test(await response.text())], [422, false])
    }
  })

  it('are at most a thousand, of which each message is read once [HOLD-04]', async () => {
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

    const found = await refuse(schema, { name: 'x' })

    assert.equal(found.length, 1000)
    assert.equal(asked, 1000)
    assert.deepEqual(found.at(-1), [null, 'no 999'])
  })

  it('are made by looking at each submitted name once, however many issues there are [MEND-01]', async () => {
    let looked = 0
    const fields = { __proto__: null } as Record<string, unknown>
    for (let i = 0; i < 1000; i++) fields[`name${i}`] = { deep: [{ name: i }] }
    const watched = new Proxy(fields, {
      ownKeys(target) {
        looked++
        return Reflect.ownKeys(target)
      },
    })
    const issues = Array.from({ length: 1000 }, () => ({ message: 'no' }))
    const schema: StandardSchema = {
      '~standard': { version: 1, vendor: 'many', validate: () => ({ issues }) },
    }

    const found = await refuse(schema, watched)

    assert.equal(found.length, 1000)
    assert.equal(looked, 1)
  })
})

const SECRET = 'hunter2-secret'
const PIN = 4711

describe('the response to an input that a schema refuses', () => {
  for (const [library, schema] of Object.entries({
    zod: z.strictObject({ code: z.string(), password: z.coerce.number() }),
    valibot: v.strictObject({ code: v.string(), password: v.number() }),
    arktype: type({ '+': 'reject', code: 'string', password: 'number' }),
  })) {
    it(`reveals nothing of its secret fields in page, problem+json, template or log: ${library} [HOLD-44]`, async (t) => {
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
      const json = { code: PIN, password: SECRET, other: 'x' }
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
