import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type App, type Module } from 'sallyport'
import { TrailingSlash } from 'sallyport/routing'
import { type Answers, site } from './fixture.ts'

const ORIGIN = 'https://app.test'
const BELOW = { basePath: '/accounts' } as const

const answers: Answers = {
  'GET /': (context) => context.path(),
  'GET /notes': (context) => [context.path(), context.request().url, context.segments(), context.query()],
  'POST /notes': async (context) => [context.path(), (await context.form())?.text('a')],
}

/** The two ways in which a proxy passes the same request on. */
function both(app: App, path: string, init?: RequestInit): Promise<Response[]> {
  return Promise.all(
    [`/accounts${path}`, path].map((sent) => app.fetch(new Request(`${ORIGIN}${sent}`, init))),
  )
}

describe('App with a base path', () => {
  it('sees the path of the browser, whether the proxy passes the base path on or strips it [MEND-12]', async () => {
    const app = site(answers, BELOW)

    for (const response of await both(app, '/notes?a=1')) {
      assert.deepEqual(await response.json(), [
        '/accounts/notes',
        `${ORIGIN}/accounts/notes?a=1`,
        ['notes'],
        'a=1',
      ])
    }
    for (const response of await both(app, '/')) assert.equal(await response.text(), '/accounts/')
    for (const response of await both(app, '/notes', {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
    }))
      assert.deepEqual(await response.json(), ['/accounts/notes', 'b'])
    for (const response of await both(app, '/notes', { method: 'HEAD' })) assert.equal(response.status, 200)
  })

  it('redirects to where the browser finds the page [MEND-12]', async () => {
    const app = site(answers, { ...BELOW, configure: (each) => each.routing(TrailingSlash.Remove) })

    for (const response of await both(app, '/notes/?a=1')) {
      assert.equal(response.status, 308)
      assert.equal(response.headers.get('location'), '/accounts/notes?a=1')
    }
  })

  it('answers 404 and 405 as at the root of a host, and links to its start page [MEND-12]', async () => {
    const app = site(answers, BELOW)
    const headers = { accept: 'text/html' }

    for (const response of await both(app, '/nothing', { headers })) {
      assert.equal(response.status, 404)
      assert.match(await response.text(), /<a href="\/accounts\/">/)
    }
    for (const response of await both(app, '/notes', { method: 'DELETE' })) {
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'GET, HEAD, POST')
    }
    const atRoot = await site(answers).fetch(new Request(`${ORIGIN}/nothing`, { headers }))
    assert.match(await atRoot.text(), /<a href="\/">/)
  })

  it('refuses two leading slashes, stripped or not [MEND-12]', async () => {
    const [whole, stripped] = await both(site(answers, BELOW), '//evil.test')

    assert.equal(whole?.status, 404)
    assert.equal(stripped?.status, 400)
  })

  it('refuses at boot a mount that begins like it [MEND-12]', async () => {
    const mounted = (module: Module): unknown => module.claim('/accounts/list', () => undefined)

    await assert.rejects(site(answers, { ...BELOW, module: mounted }).boot(), {
      code: 'base-path-conflict',
      message: /module "Site".*"\/accounts\/list".*"\/accounts"/,
    })
  })
})
