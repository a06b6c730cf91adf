import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { configureSync, type LogRecord, resetSync } from '@logtape/logtape'
import { type App, Controller, defineModule } from 'sallyport'
import { health, logRequests, Readiness } from 'sallyport-app/health'
import { type Actions, param } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'
import { Postman, services, type Services } from '../services.ts'

class LinkController extends Controller {
  static readonly actions: Actions<LinkController> = { open: [param.string('token')] }

  open(_token: string): Response {
    return this.text('opened')
  }
}

const links = defineModule('links', (module) =>
  module
    .mount('links')
    .withoutConventionRouting()
    .controllers(LinkController)
    .routes((routes) => {
      routes.get('/{token}', [LinkController, 'open'])
    }),
)

/** An application with a page, and the questions about its health. */
async function watched(test: TestContext): Promise<Services & { readonly store: MemorySessionStore }> {
  const store = new MemorySessionStore()
  const prepare = (app: App): App => {
    logRequests(app)
    return app.modules(links, ...health).configure((definitions) => void definitions.set(SessionStore, store))
  }
  return { ...(await services(test, { mailer: new Postman(), prepare })), store }
}

const JSON_CLIENT = { headers: { accept: 'application/json' } }

describe('/healthz and /readyz', () => {
  it('answer text, or JSON to who prefers it, without a session, and are kept by no cache [RA-3204]', async (test) => {
    const world = await watched(test)
    const client = new TestClient(world.app, { origin: 'https://app.test' })

    for (const path of ['/healthz', '/readyz']) {
      const text = await client.get(path)
      const json = await client.get(path, JSON_CLIENT)

      assert.deepEqual([text.status, await text.text()], [200, 'ok\n'], path)
      assert.deepEqual(await json.json(), { status: 'ok', missing: [] })
      for (const { headers } of [text, json]) {
        assert.match(headers.get('cache-control') ?? '', /no-store/)
        assert.deepEqual(headers.getSetCookie(), [])
      }
    }
  })

  it('name what is missing, and not why: the process lives without its databases, and is not ready [RA-3204]', async (test) => {
    const world = await watched(test)
    const client = new TestClient(world.app, { origin: 'https://app.test' })
    const read = test.mock.method(world.store, 'read', () => Promise.reject(new Error('secret reason')))
    const withoutSessions = await client.get('/readyz', JSON_CLIENT)
    read.mock.restore()
    await world.database.destroy()

    const withoutDatabase = await client.get('/readyz')

    assert.equal(withoutSessions.status, 503)
    assert.deepEqual(await withoutSessions.json(), { status: 'unavailable', missing: ['sessions'] })
    assert.equal(withoutDatabase.status, 503)
    assert.equal(await withoutDatabase.text(), 'unavailable: database, mails\n')
    assert.equal((await client.get('/healthz')).status, 200)
  })

  it('does not wait for a store that never answers [RA-3204]', async (test) => {
    const world = await watched(test)
    test.mock.method(world.store, 'read', () => new Promise(() => undefined))

    const answer = await new TestClient(world.app).get('/readyz')

    assert.equal(await answer.text(), 'unavailable: sessions\n')
  })

  it('is not ready from the moment on when the process begins to stop, and lives [RA-3204]', async (test) => {
    const world = await watched(test)
    const client = new TestClient(world.app)

    world.app.get(Readiness).stop()

    assert.deepEqual(
      [(await client.get('/readyz')).status, (await client.get('/healthz')).status],
      [503, 200],
    )
  })
})

describe('the access log', () => {
  it('has one line for each request, by its route: no query, no token, no question about health [RA-3204 RA-0008]', async (test) => {
    const records: LogRecord[] = []
    configureSync({
      sinks: { kept: (record) => void records.push(record) },
      loggers: [
        { category: ['app', 'access'], lowestLevel: 'info', sinks: ['kept'] },
        { category: ['logtape', 'meta'], lowestLevel: 'fatal', sinks: [] },
      ],
    })
    test.after(() => resetSync())
    const world = await watched(test)
    const client = new TestClient(world.app, { clientAddress: '192.0.2.7' })

    for (const path of ['/links/secret-token?email=ada', '/secret-page', '/healthz', '/readyz'])
      await (await client.get(path)).text()
    // Responses are reported after they were handed over.
    await setImmediate()

    const lines = records.map(({ properties }) => properties)
    assert.deepEqual(
      lines.map(({ method, route, status, client: from }) => [method, route, status, from]),
      [
        ['GET', '/links/{token}', 200, '192.0.2.7'],
        ['GET', 'none', 404, '192.0.2.7'],
      ],
    )
    assert.ok(lines.every(({ request }) => typeof request === 'string' && request !== ''))
    assert.doesNotMatch(JSON.stringify(lines), /secret|email/)
  })
})
