import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import type { Middleware, MiddlewareClass, Next } from 'sallyport/http'
import type { StandardSchema } from 'sallyport/input'
import { serve } from 'sallyport/node'
import { type Actions, input } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

import { Faults } from './fixture.ts'

type Validate = StandardSchema['~standard']['validate']
type Run = (value: unknown, context: HttpContext) => unknown

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
// No multipart body, and as a form it says something else than the query.
const BODY = 'a=2&a=3--no end'
const JSON_BODY = { 'content-type': 'application/json' }

/** How a request gets to the application: a body is here at once in one of both, and never in the other. */
const WAYS = ['over HTTP', 'as a Request'] as const

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Parts {
  readonly validate: Validate
  readonly run: Run
  readonly middleware?: MiddlewareClass
  readonly sent?: Sent
}

async function answer(
  way: (typeof WAYS)[number],
  parts: Parts,
): Promise<{ response: Response; faults: Faults }> {
  const faults = new Faults()
  const app = App.create({ debug: false }).modules(
    defineModule('Site', (module) => {
      module
        .mount('/')
        .middleware(...(parts.middleware === undefined ? [] : [parts.middleware]))
        .routes((routes) => routes.post('/', [controllerOf(parts), 'save']))
    }),
  )
  faults.listen(app)
  const { headers, body } = parts.sent ?? { headers: FORM, body: 'a=1' }
  if (way === 'as a Request')
    return { response: await new TestClient(app).post('/', { headers, body }), faults }
  const server = await serve(app, { port: 0, signals: [] })
  try {
    const response = await fetch(server.url, { method: 'POST', headers, body })
    return { response: new Response(await response.text(), { status: response.status }), faults }
  } finally {
    await server.close()
  }
}

function controllerOf({ validate, run }: Parts) {
  const schema: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate } }
  return class Saving extends Controller {
    static readonly actions = { save: [input(schema)] } satisfies Actions<Saving>

    save(value: unknown): unknown {
      return run(value, this.context)
    }
  }
}

for (const way of WAYS) {
  describe(`an action with input, called ${way}`, () => {
    for (const [what, validate] of [
      ['at once', (value: unknown) => ({ value })],
      ['later', async (value: unknown) => ({ value })],
      // A library of its own promises.
      ['by something that is like a promise', (value: unknown) => thenable({ value })],
    ] as const) {
      it(`gets what the schema returns ${what}, for a form and for JSON`, async () => {
        for (const sent of [
          { headers: FORM, body: 'a=1' },
          { headers: JSON_BODY, body: '{"a":"1"}' },
        ]) {
          const { response } = await answer(way, { validate, run: (value) => value, sent })

          assert.deepEqual([response.status, await response.json()], [200, { a: '1' }])
        }
      })
    }

    for (const [what, parts, status] of [
      ['a schema that throws', { validate: broken, run: () => 'ran' }, 500],
      ['a schema that rejects', { validate: async () => broken(), run: () => 'ran' }, 500],
      ['a schema that refuses', { validate: () => ({ issues: [{ message: 'no' }] }), run: () => 'ran' }, 422],
      [
        'a schema that refuses later',
        { validate: async () => ({ issues: [{ message: 'no' }] }), run: () => 'ran' },
        422,
      ],
      ['an action that throws', { validate: (value) => ({ value }), run: broken }, 500],
      ['an action that rejects', { validate: (value) => ({ value }), run: async () => broken() }, 500],
      [
        'a body that cannot be read',
        { validate: (value) => ({ value }), run: () => 'ran', sent: { headers: JSON_BODY, body: '{' } },
        400,
      ],
      [
        'more fields than allowed',
        {
          validate: (value) => ({ value }),
          run: () => 'ran',
          sent: { headers: FORM, body: 'a&'.repeat(1001) },
        },
        413,
      ],
    ] as readonly (readonly [string, Parts, number])[]) {
      it(`${status} to ${what}, which an outer middleware can catch as a rejection`, async () => {
        const seen: string[] = []
        class Watching implements Middleware {
          process(_context: HttpContext, next: Next): Promise<Response> {
            // Not awaited in a try: what is thrown instead would pass by.
            return next().catch((error: unknown) => {
              seen.push('rejected')
              throw error
            })
          }
        }

        const { response, faults } = await answer(way, { ...parts, middleware: Watching })

        assert.equal(response.status, status)
        assert.deepEqual(seen, ['rejected'])
        assert.equal(faults.seen.length, status === 500 ? 1 : 0)
      })
    }

    it('keeps the asynchronous context of a middleware', async () => {
      const storage = new AsyncLocalStorage<string>()
      class Scope implements Middleware {
        process(_context: HttpContext, next: Next): Promise<Response> {
          return storage.run('scope', () => next())
        }
      }
      const run: Run = async (value, context) => {
        await context.session().set('a', 1)
        return [value, storage.getStore()]
      }

      const { response } = await answer(way, {
        validate: () => ({ value: storage.getStore() }),
        run,
        middleware: Scope,
      })

      assert.deepEqual(await response.json(), ['scope', 'scope'])
    })

    it('rejects instead of throwing where the application reads the form', async () => {
      class Asking implements Middleware {
        process(context: HttpContext): Promise<Response> {
          return context.form().then(
            () => new Response('read'),
            () => new Response('rejected'),
          )
        }
      }

      const { response } = await answer(way, {
        validate: (value) => ({ value }),
        run: () => 'ran',
        middleware: Asking,
        sent: { headers: FORM, body: 'a&'.repeat(1001) },
      })

      assert.equal(await response.text(), 'rejected')
    })
  })
}

function broken(): never {
  throw new Error('broken')
}

function thenable<T>(value: T): Promise<T> {
  const own: PromiseLike<T> = {
    then: (onFulfilled, onRejected) => Promise.resolve(value).then(onFulfilled, onRejected),
  }
  // Only its `then` is used.
  return own as Promise<T>
}

describe('an action with input called by GET', () => {
  it('uses the query alone: the body is not even read', async () => {
    const validate: Validate = (value) => ({ value })
    const run: Run = (value) => ({ got: value as Record<string, string> })
    const Saving = controllerOf({ validate, run })
    const app = App.create({ debug: false }).modules(
      defineModule('Site', (module) => {
        module.mount('/').routes((routes) => routes.get('/', [Saving, 'save']))
      }),
    )
    const server = await serve(app, { port: 0, signals: [] })
    try {
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
        const headers = { 'content-type': type, 'content-length': BODY.length }
        const asked = request(`${server.url}/?a=1`, { method: 'GET', headers })
        asked.end(BODY)
        const [incoming] = (await once(asked, 'response')) as [IncomingMessage]
        assert.deepEqual([incoming.statusCode, await text(incoming)], [200, '{"got":{"a":"1"}}'], type)
      }
    } finally {
      await server.close()
    }
  })
})
