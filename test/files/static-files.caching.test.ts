import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { StaticFiles } from 'sallyport/files'
import type { Middleware, MiddlewareClass, Next } from 'sallyport/http'
import { TestClient } from 'sallyport/testing'
import { temporaryFolder } from './fixture.ts'

/** Reads the session in front of everything. */
class ResolveUser implements Middleware {
  readonly #sessions = inject(SessionAuthentication)

  async process(context: HttpContext, next: Next): Promise<Response> {
    await this.#sessions.identifier(context.session())
    return next()
  }
}

class WritesSession implements Middleware {
  async process(context: HttpContext, next: Next): Promise<Response> {
    await context.session().set('seen', true)
    return next()
  }
}

class SetsCookie implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    context.cookies().set('theme', 'dark')
    return next()
  }
}

class SignsIn implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    context.auth().authenticate({})
    return next()
  }
}

const FOREVER = 'public, max-age=31536000, immutable'
const COOKIE = { cookie: `sid=${'A'.repeat(43)}` }

async function cachingOf(
  middleware: MiddlewareClass | null,
  headers: Record<string, string> = {},
): Promise<(string | null)[]> {
  const { url } = temporaryFolder({ 'app.css': 'body { color: green }' })
  const assets = new StaticFiles({ directory: url, at: '/assets', fingerprint: true })
  const app = App.default().modules(assets)
  if (middleware !== null) app.middleware().incoming(middleware)
  const client = new TestClient(app)
  const named = await client.get(assets.url('app.css'), { headers })
  const plain = await client.get('/assets/app.css', { headers })
  return [named, plain].map((response) => response.headers.get('cache-control'))
}

describe('the caching of static files', () => {
  it('is public for a client without a session, though a middleware looked for one [PAGE-09]', async () => {
    assert.deepEqual(await cachingOf(null), [FOREVER, 'no-cache'])
    assert.deepEqual(await cachingOf(null, COOKIE), [FOREVER, 'no-cache'])
    assert.deepEqual(await cachingOf(ResolveUser), [FOREVER, 'no-cache'])
  })

  for (const [what, middleware, headers] of [
    ['of a client that sent a session, which a guard may have read', ResolveUser, COOKIE],
    ['beside a new session', WritesSession, {}],
    ['beside another cookie', SetsCookie, {}],
    ['of a signed-in user', SignsIn, {}],
  ] as const) {
    it(`is private ${what} [HOLD-21]`, async () => {
      const [named, plain] = await cachingOf(middleware, headers)

      assert.equal(named, 'private, max-age=31536000, immutable')
      assert.equal(plain, 'private, no-cache')
    })
  }
})
