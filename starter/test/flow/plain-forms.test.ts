import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, PASSWORD, World } from '../support.ts'
import { routesOf } from './routes.ts'

// A browser without a cookie, as over plain HTTP, where it keeps none of this site.
function plain(world: World): Browser {
  return world.browser()
}

const PROXIED = { 'x-forwarded-proto': 'http', origin: 'http://app.test' }
const BROWSER = { headers: PROXIED }
const PROGRAM = { headers: { ...PROXIED, accept: 'application/json' } }

describe('a form that a proxy forwards from plain HTTP', () => {
  it('leads to its page over HTTPS, or to the home page, whichever form it is [RA-2801]', async (test) => {
    const world = await World.create(test, ofParts('settings'))
    const routes = await routesOf(world)
    const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const forms = routes.filter(({ method }) => method === 'POST')
    assert.ok(forms.length > 40, String(forms.length))
    for (const { path } of forms) {
      const page = await plain(world).submit(path, { email: 'ada@example.test', password: PASSWORD }, BROWSER)

      const target = pages.has(path) ? path : '/'
      assert.deepEqual([page.status, page.location], [303, `https://app.test${target}`], path)
    }
  })

  it('says to a program that it must come over HTTPS [RA-0007]', async (test) => {
    const world = await World.create(test)

    const page = await plain(world).submit('/login', { email: 'a@example.test', password: 'x' }, PROGRAM)

    assert.deepEqual([page.status, page.headers.get('content-type')], [403, 'application/problem+json'])
    assert.equal((JSON.parse(page.html) as { code: string }).code, 'ERR_STARTER_PLAIN_HTTP')
  })

  it('changes nothing for pages, for right forms where the proxy is wrong, and for forms of other sites [RA-2801]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const browser = world.browser()
    const forwarded = { headers: { 'x-forwarded-proto': 'http' } }

    assert.equal((await browser.open('/login', forwarded)).status, 200)
    const signedIn = await browser.submit('/login', { email: ada.email, password: PASSWORD }, forwarded)
    assert.equal(signedIn.location, '/account')
    for (const foreign of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }]) {
      const headers = { 'x-forwarded-proto': 'http', ...foreign }
      assert.equal((await plain(world).submit('/login', {}, { headers })).status, 403)
    }
    const direct = await plain(world).submit('/login', {}, { headers: { origin: 'https://app.test' } })
    assert.equal(direct.status, 403)
  })
})
