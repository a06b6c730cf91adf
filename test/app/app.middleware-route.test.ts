import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { App, HttpContext } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { TestClient } from 'sallyport/testing'

import { Faults, site } from './fixture.ts'

function around(work: (context: HttpContext, next: Next) => Promise<Response>): Middleware<HttpContext> {
  return { process: work }
}

function application(configure: (app: App) => unknown): App {
  return site({ 'GET /notes': () => 'note', 'POST /notes': () => 'changed' }, { configure })
}

describe('the route in a middleware', () => {
  it('before routing there is none; it is there when next() has answered or thrown [PAGE-16]', async () => {
    const seen: string[] = []
    const label = (context: HttpContext): string => (context.hasRoute() ? context.route().pattern : 'none')
    const trace = around(async (context, next) => {
      seen.push(label(context))
      try {
        return await next()
      } finally {
        seen.push(label(context))
      }
    })
    const client = new TestClient(
      application((app) => {
        app
          .middleware()
          .incoming(trace)
          .routed(around((context, next) => (seen.push(`routed ${label(context)}`), next())))
      }),
    )

    for (const path of ['/notes', '/nowhere']) await client.get(path)
    await client.request('DELETE', '/notes')

    assert.deepEqual(seen, ['none', 'routed /notes', '/notes', 'none', 'none', 'none', 'none'])
  })

  it('asking for it before routing is a programming error that says so [PAGE-16]', async () => {
    const faults = new Faults()
    const early = around((context, next) => (context.route(), next()))
    const app = application((each) => each.middleware().incoming(early))
    faults.listen(app)

    assert.equal((await new TestClient(app).get('/notes')).status, 500)
    assert.match(faults.messages[0] ?? '', /route/)
  })
})
