import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { HttpContext } from 'sallyport'
import type { Next } from 'sallyport/http'
import { MethodOverrideMiddleware } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'

import { type Answers, site, type SiteOptions } from '../app/fixture.ts'

type Derive = (context: HttpContext) => Request

const answers: Answers = {
  'GET|POST|PUT|PATCH|DELETE|HEAD /': async (context) => ({
    method: context.method(),
    form: (await context.form())?.text('a') ?? null,
    secure: context.isSecure(),
    origin: context.origin(),
    query: context.query(),
    cookie: context.cookies().get('theme') ?? null,
    language: context.locale(),
  }),
}

function client(
  derive: Derive,
  options: SiteOptions & { readonly before?: (context: HttpContext) => unknown } = {},
) {
  const app = site(answers, {
    locales: ['en', 'fr'],
    configure: (configured) =>
      configured
        .middleware()
        .incoming(MethodOverrideMiddleware)
        .incoming({
          process: async (context: HttpContext, next: Next) => {
            await options.before?.(context)
            return next(derive(context))
          },
        }),
  })
  return new TestClient(app, { origin: 'https://app.test' })
}

async function seen(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>
}

describe('a request that a middleware passes on', () => {
  const derived: Readonly<Record<string, Derive>> = {
    'with a header more': (context) => {
      const headers = new Headers(context.request().headers)
      headers.set('x-more', '1')
      return new Request(context.request(), { headers })
    },
    'as it is': (context) => context.request(),
    'as a clone': (context) => context.request().clone(),
    'with the method that stands': (context) => new Request(context.request(), { method: context.method() }),
  }
  for (const [how, derive] of Object.entries(derived)) {
    it(`keeps the method override, ${how}, by field and by header, and the form can be read again [HOLD-40]`, async () => {
      const form = { _method: 'PUT', a: '1' }

      const byField = await seen(await client(derive).post('/', { form }))
      const headers = { 'x-http-method-override': 'delete' }
      const byHeader = await seen(await client(derive).post('/', { headers, form: { a: '1' } }))

      assert.deepEqual([byField['method'], byField['form']], ['PUT', '1'])
      assert.deepEqual([byHeader['method'], byHeader['form']], ['DELETE', '1'])
    })
  }

  it('has its own method if it differs from the overridden one [HOLD-40]', async () => {
    for (const method of ['PATCH', 'GET']) {
      const derive: Derive = (context) => new Request(context.request().url, { method })
      const { method: effective } = await seen(await client(derive).post('/', { form: { _method: 'PUT' } }))
      assert.equal(effective, method)
    }
  })

  it('has no override left after one with another method [HOLD-40]', async () => {
    const twice: Derive = (context) => new Request(context.request().url, { method: 'PATCH' })
    const app = site(answers, {
      configure: (configured) =>
        configured
          .middleware()
          .incoming(MethodOverrideMiddleware)
          .incoming({ process: (context: HttpContext, next: Next) => next(twice(context)) })
          .incoming({
            process: (context: HttpContext, next: Next) =>
              next(new Request(context.request(), { method: 'POST' })),
          }),
    })
    const { method } = await seen(await new TestClient(app).post('/', { form: { _method: 'PUT' } }))
    assert.equal(method, 'POST')
  })

  it('keeps the client: address, scheme, host and signal stay, whatever its URL says [HOLD-40]', async () => {
    let isSame = false
    const derive: Derive = () => new Request('http://internal/?rewritten')
    const app = site(
      {
        'GET /': (context) => {
          isSame = context.signal === signal
          return [context.isSecure(), context.origin(), context.query()]
        },
      },
      {
        configure: (configured) =>
          configured.middleware().incoming({
            process: (context: HttpContext, next: Next) => {
              signal = context.signal
              return next(derive(context))
            },
          }),
      },
    )
    let signal: AbortSignal | null = null

    const response = await new TestClient(app, { origin: 'https://app.test' }).get('/')

    assert.deepEqual(await response.json(), [true, 'https://app.test', 'rewritten'])
    assert.equal(isSame, true)
  })

  it('keeps the session that was opened, its secure cookie, the locale and what was set [HOLD-40]', async () => {
    const response = await client(
      () => new Request('http://internal/', { headers: { 'accept-language': 'en' } }),
      {
        before: async (context) => {
          await context.session().set('a', 1)
          context.cookies().set('n', '1')
          context.useLocale('fr')
        },
      },
    ).get('/')

    assert.equal((await seen(response.clone()))['language'], 'fr')
    const lines = response.headers.getSetCookie()
    assert.equal(lines.length, 2)
    assert.ok(lines.some((line) => /^__Host-sid=.*Secure/.test(line)))
  })

  it('provides cookies and languages from then on [HOLD-40]', async () => {
    const headers = { cookie: 'theme=dark', 'accept-language': 'fr' }
    const response = await client(() => new Request('https://app.test/', { headers }), {
      before: (context) =>
        assert.deepEqual([context.cookies().get('theme'), context.locale()], [undefined, 'en']),
    }).get('/')

    const { cookie, language } = await seen(response)
    assert.deepEqual([cookie, language], ['dark', 'fr'])
  })

  it('has a body in the response, or none, as the client asked [HOLD-40]', async () => {
    const asHead = await client(() => new Request('https://app.test/', { method: 'HEAD' })).get('/')
    const asGet = await client(() => new Request('https://app.test/')).request('HEAD', '/')

    assert.notEqual(await asHead.text(), '')
    assert.equal(await asGet.text(), '')
  })
})
