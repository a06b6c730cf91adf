import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import { RefusedForm, type StandardSchema, type Submitted } from 'sallyport/input'
import { type Actions, type ControllerClass, form, type FormParameter, param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import * as v from 'valibot'
import { z } from 'zod'

const SignUp = z.object({
  email: z.email(),
  password: z.string().min(12),
  age: z.coerce.number().int().optional(),
})

type FormOptions = NonNullable<Parameters<typeof form>[1]>

/** Options that the compiler would refuse. */
function options(given: unknown): FormOptions {
  return given as FormOptions
}

/** An application with one form at `/`, answered by what the action receives. */
function clientOf(schema: StandardSchema, options?: FormOptions): TestClient {
  class FormController extends Controller {
    static readonly actions = { index: [form(schema, options)], save: [form(schema, options)] }

    index(submitted: Submitted<unknown>): Response {
      return this.#answer(submitted)
    }

    save(submitted: Submitted<unknown>): Response {
      return this.#answer(submitted)
    }

    #answer(submitted: Submitted<unknown>): Response {
      return this.json(submitted, submitted.ok ? 200 : 422)
    }
  }
  const site = defineModule('Site', (module) =>
    module.mount('/').routes((routes) => {
      routes.get('/', [FormController, 'index'])
      routes.post('/', [FormController, 'save'])
    }),
  )
  return new TestClient(App.create({ debug: false }).modules(site))
}

async function typedOf(client: TestClient, sent: Parameters<TestClient['post']>[1]): Promise<unknown> {
  const response = await client.post('/', sent)
  assert.equal(response.status, 422)
  return ((await response.json()) as { typed: unknown }).typed
}

const REFUSING = z.looseObject({ missing: z.literal('never') })

describe('form(schema)', () => {
  it('gives the action the values of a form that the schema accepts [PAGE-01]', async () => {
    const fields = { email: 'ada@example.com', password: 'correct horse', age: '36', _csrf: 'x' }

    const response = await clientOf(SignUp).post('/', { form: fields })

    assert.deepEqual(await response.json(), {
      ok: true,
      value: { email: 'ada@example.com', password: 'correct horse', age: 36 },
    })
  })

  it('gives the action a form that the schema refuses, with its violations and what was typed [PAGE-01]', async () => {
    const response = await clientOf(SignUp).post('/', {
      form: { email: 'ada@', password: 'short', age: '36' },
    })

    const refused = (await response.json()) as {
      ok: boolean
      typed: unknown
      violations: { field: string }[]
    }
    assert.equal(response.status, 422)
    assert.equal(refused.ok, false)
    assert.deepEqual(refused.typed, { email: 'ada@', age: '36' })
    assert.deepEqual(
      refused.violations.map(({ field }) => field),
      ['email', 'password'],
    )
  })

  it('does the same for an asynchronous schema, JSON, multipart and a body that is empty [PAGE-01]', async () => {
    const later = clientOf(SignUp.refine(() => Promise.resolve(false), 'Not today'))
    const client = clientOf(SignUp)
    const fields = { email: 'ada@', password: 'correct horse' }
    const picture = new File(['x'], 'ada.png')

    assert.deepEqual(await typedOf(later, { form: { ...fields, email: 'ada@example.com' } }), {
      email: 'ada@example.com',
    })
    assert.deepEqual(await typedOf(client, { json: { ...fields, age: 36 } }), { email: 'ada@', age: 36 })
    assert.deepEqual(await typedOf(client, { multipart: { ...fields, picture } }), { email: 'ada@' })
    assert.deepEqual(await typedOf(client, {}), {})
    assert.deepEqual(await typedOf(client, { json: ['x'] }), {})
  })

  it('reads the body of a POST and not its query, and the query of a GET [PAGE-01]', async () => {
    const client = clientOf(z.strictObject({ a: z.string() }))

    assert.deepEqual(await (await client.post('/?a=2&b=3', { form: { a: '1' } })).json(), {
      ok: true,
      value: { a: '1' },
    })
    assert.deepEqual(await (await client.get('/?a=2')).json(), { ok: true, value: { a: '2' } })
    assert.equal((await client.get('/?b=2')).status, 422)
  })

  for (const [what, sent, status] of [
    ['that is malformed', { body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['of an unknown type', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    [
      'that is not UTF-8',
      { body: 'a=%ff', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      400,
    ],
    [
      'of another charset',
      { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' } },
      415,
    ],
    [
      'of too many fields',
      { form: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, ''])) },
      413,
    ],
    ['that is too large', { form: { a: 'x'.repeat(2 ** 20) } }, 413],
  ] as const) {
    it(`never calls the action with a body ${what}, because there is nothing to show again [PAGE-01]`, async () => {
      assert.equal((await clientOf(REFUSING).post('/', sent)).status, status)
    })
  }

  it('shows what was typed, not what the schema made of it [PAGE-01]', async () => {
    const emptying = handwritten((value) => {
      for (const name of Object.keys(value)) Reflect.deleteProperty(value, name)
    })

    assert.deepEqual(await typedOf(clientOf(emptying), { form: { a: '1', 'b[]': ['2'] } }), {
      a: '1',
      b: ['2'],
    })
  })

  for (const name of [
    'password',
    'Password',
    'new_password',
    'newPassword',
    'passwordConfirmation',
    'password2',
    'user[password]',
    'user.password',
    'PASSWORD_AGAIN',
    'confirmpassword',
    'passphrase',
    'code',
    'backup-code',
    'smsCode',
    'codes[]',
    'token',
    'accessToken',
    'pin',
    'pin[]',
    'card[pin]',
  ]) {
    it(`never gives back the secret ${name} [PAGE-01]`, async () => {
      const client = clientOf(REFUSING, { secret: ['pin'] })

      assert.deepEqual(await typedOf(client, { form: { [name]: 'hunter2', kept: 'x' } }), { kept: 'x' })
    })
  }

  it('keeps fields that only look like a secret [PAGE-01]', async () => {
    const fields = {
      postcode: '1',
      barcode: '2',
      decoder: '3',
      secretary: '4',
      spin: '5',
      passport: '6',
      zip_code: '7',
    }

    assert.deepEqual(await typedOf(clientOf(REFUSING, { shown: ['zip_code'] }), { form: fields }), fields)
  })

  it('never gives back a secret in an object or a list, at any depth [PAGE-01]', async () => {
    const json = {
      user: { name: 'Ada', password: 'x', codes: ['x'] },
      factors: [{ kind: 'totp', code: 'x' }, { pin: { a: 'x' } }],
      likes: ['tea', 'cake'],
    }

    assert.deepEqual(await typedOf(clientOf(REFUSING, { secret: ['pin'] }), { json }), {
      user: { name: 'Ada' },
      factors: [{ kind: 'totp' }, {}],
      likes: ['tea', 'cake'],
    })
  })

  it('takes no name for one of the prototype [PAGE-01]', async () => {
    const response = await clientOf(REFUSING).post('/', {
      body: '__proto__=x&__proto__[a]=x&constructor=c&hasOwnProperty=h&toString=t',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    const { typed } = (await response.json()) as { typed: Record<string, unknown> }
    assert.deepEqual(Object.entries(typed), [
      ['__proto__[a]', 'x'],
      ['constructor', 'c'],
      ['hasOwnProperty', 'h'],
      ['toString', 't'],
    ])
    assert.equal(Reflect.get({}, 'a'), undefined)
  })

  it('lets the action refuse a form for reasons of its own, and keeps what was typed [PAGE-01]', async () => {
    class NameController extends Controller {
      static readonly actions = { indexPost: [form(SignUp)] } satisfies Actions<NameController>

      indexPost(submitted: Submitted<typeof SignUp>): Response {
        const taken = { field: 'email', code: 'taken', fallback: 'This address has an account' }
        const again = submitted.ok ? submitted.refuse(taken) : submitted.refuse(taken)
        assert.ok(again instanceof RefusedForm)
        return this.json({
          error: again.error('email'),
          all: again.errors('email').length,
          typed: again.typed,
        })
      }
    }
    const client = new TestClient(
      App.create().modules(defineModule('Site', (module) => module.mount('/').controllers(NameController))),
    )
    const sent = { email: 'ada@example.com', password: 'correct horse' }

    assert.deepEqual(await (await client.post('/name', { form: sent })).json(), {
      error: 'This address has an account',
      all: 1,
      typed: { email: 'ada@example.com' },
    })
    const refused = (await (await client.post('/name', { form: { ...sent, email: 'x' } })).json()) as object
    assert.deepEqual(refused, { error: 'This address has an account', all: 1, typed: { email: 'x' } })
  })

  it('follows the parameters of the URL, and takes a schema of another library', async () => {
    const Note = v.object({ text: v.pipe(v.string(), v.minLength(3)) })
    class NoteController extends Controller {
      static readonly actions = {
        editPost: [param.int('id'), form(Note)],
      } satisfies Actions<NoteController>

      editPost(id: number, note: Submitted<v.InferOutput<typeof Note>>): object {
        return note.ok ? { id, text: note.value.text } : { id, typed: note.value('text') }
      }
    }
    const client = new TestClient(
      App.create().modules(defineModule('Site', (module) => module.mount('/').controllers(NoteController))),
    )

    assert.deepEqual(await (await client.post('/note/edit/7', { form: { text: 'tea' } })).json(), {
      id: 7,
      text: 'tea',
    })
    assert.deepEqual(await (await client.post('/note/edit/7', { form: { text: 'x' } })).json(), {
      id: 7,
      typed: 'x',
    })
  })

  it('500 to a schema that throws: a broken schema is no refused form', async () => {
    const broken = handwritten(() => {
      throw new Error('broken')
    })

    assert.equal((await clientOf(broken).post('/', { form: { a: '1' } })).status, 500)
  })

  for (const [what, make, message] of [
    [
      'an unknown option',
      () => form(SignUp, options({ secrets: ['pin'] })),
      /option "secrets" of a form\(\)/,
    ],
    [
      'a name instead of a list',
      () => form(SignUp, options({ secret: 'pin' })),
      /option secret of form\(\): pass a list/,
    ],
    ['no object', () => form(SignUp, options([])), /options of a form\(\)/],
  ] as const) {
    it(`is refused where it is declared with ${what} [HOLD-35]`, () => {
      assert.throws(make, (error) => error instanceof TypeError && message.test(error.message))
    })
  }

  it('is refused at boot without a schema, or when something follows it [HOLD-35]', async () => {
    const boot = (signature: NonNullable<ControllerClass['actions']>[string]): Promise<unknown> => {
      class OddController extends Controller {
        static readonly actions = { save: signature }

        save(): void {}
      }
      const site = defineModule('Site', (module) => module.mount('/').controllers(OddController))
      return App.create().modules(site).boot()
    }
    const none: unknown = {}
    const odd: FormParameter = form(none as StandardSchema)

    await assert.rejects(
      boot([odd]),
      /OddController::save: form\(\) received an object; it requires a Standard Schema/,
    )
    await assert.rejects(
      boot([form(SignUp), param.int('id')]),
      /OddController::save: form\(\) must be the last parameter, and there can be only one/,
    )
  })
})

function handwritten(validate: (value: object) => void): StandardSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'by hand',
      validate: (value) => {
        if (typeof value === 'object' && value !== null) validate(value)
        return { issues: [{ message: 'No' }] }
      },
    },
  }
}
