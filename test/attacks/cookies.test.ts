import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Controller, defineModule } from 'sallyport'
import { type CookieOptions, Cookies } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { exchange, parseAnswer } from './fixture/raw.ts'
import { COOKIE } from './fixture/browser.ts'
import { World } from './fixture/world.ts'

/** Destroys the session. */
class IndexController extends Controller {
  static readonly actions: Actions<IndexController> = { index: [] }

  async index(): Promise<string> {
    await this.context.session().destroy()
    return 'gone'
  }
}

describe('abuse of cookies', () => {
  it('the session cookie is bound to this host over HTTPS [A-085]', async (test) => {
    const end = defineModule('End', (module) => module.controllers(IndexController))
    const world = await World.create(test, { modules: [end] })
    const bob = world.browser()
    const login = await bob.password('bob')
    const logout = (await bob.get('/account')) && (await bob.post('/logout'))
    for (const { headers } of [login, logout]) {
      const [line = '', ...more] = headers.getSetCookie()
      assert.deepEqual(more, [])
      assert.match(line, /^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    }
    const gone = await bob.get('/end')
    assert.deepEqual(gone.headers.getSetCookie(), [
      '__Host-sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ])
  })

  it('a duplicate session cookie is ignored [A-086]', async (test) => {
    const world = await World.create(test)
    const [victim, attacker] = [await world.loggedIn('bob'), world.browser()]
    await attacker.get('/login')
    const before = await victim.session()
    const pairs = [victim.sessionId, attacker.sessionId].map((id) => `${COOKIE}=${id ?? ''}`)
    const { port } = await world.server()
    for (const order of [pairs, pairs.toReversed()]) {
      await world.everywhere(
        { target: '/account', headers: { cookie: order.join('; ') } },
        ({ status, headers }, message) => {
          assert.equal(status, 302, message)
          assert.equal(headers.get('set-cookie'), null, message)
        },
      )
      const lines = order.map((pair) => `Cookie: ${pair}\r\n`).join('')
      const text = `GET /account HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n${lines}\r\n`
      const answer = world.heard({ target: '/account' }, parseAnswer(await exchange(port, text)))
      assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [302, null])
    }
    assert.deepEqual(await victim.session(), before)
    assert.equal(await victim.who(), 'u2')
  })

  it('names of cookies are compared byte for byte [A-087]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    const id = bob.sessionId ?? ''
    const lines = [
      ...[
        '__host-sid',
        '__HOST-SID',
        '%5f_Host-sid',
        '_%5FHost-sid',
        '\u00a0__Host-sid',
        '__Host-sid\u00a0',
        '=__Host-sid',
        '\u0085__Host-sid',
      ].map((name) => `${name}=${id}`),
      `=__Host-sid=${id}`,
      `__Host-sid =${id}`,
      `x=__Host-sid=${id}`,
      `x="; __Host-sid=${id}x`,
      `__Host-sid=${id}\u00a0`,
      `$Version=1,__Host-sid=${id}`,
    ]
    for (const cookie of lines) {
      await world.everywhere({ target: '/account', headers: { cookie } }, ({ status }, message) =>
        assert.equal(status, 302, `${message} ${JSON.stringify(cookie.replace(id, 'id'))}`),
      )
    }
    await world.everywhere(
      { target: '/account', headers: { cookie: `a=b;\t __Host-sid=${id} \t` } },
      ({ status }, message) => assert.equal(status, 200, message),
    )
  })

  it('characters that a cookie cannot hold do not reach its line [A-088]', () => {
    const bad = [';', '\r\nSet-Cookie: x=1', '\n', '\0', '\u0007', 'é', '\u2028', '\u00a0']
    const refuse = (name: string, value: string, options: object = {}): void => {
      const cookies = new Cookies(null, true)
      assert.throws(
        () => cookies.set(name, value, options as CookieOptions),
        TypeError,
        JSON.stringify([name, value, options]),
      )
      assert.deepEqual([...cookies.setCookieLines()], [])
    }
    for (const text of bad) {
      refuse(`a${text}b`, 'v')
      refuse('a', 'v', { domain: `app${text}.test` })
      refuse('a', 'v', { sameSite: `lax${text}` })
      const cookies = new Cookies(null, true)
      cookies.set('a', `v${text}w`)
      const [line = ''] = [...cookies.setCookieLines()]
      assert.match(line, /^a=v[%\w-]+w; Path=\/; HttpOnly; Secure; SameSite=Lax$/i)
    }
    for (const text of [';', '\r\n', '\n', '\0', '\u0007', '\u2028']) refuse('a', 'v', { path: `/x${text}` })
    for (const name of ['', ' a', 'a b', 'a=b']) refuse(name, 'v')
    refuse('a', 'v'.repeat(5000))
    for (const seconds of [1e99, Number.NaN, Number.POSITIVE_INFINITY, 1.5, '60; Domain=evil.test'])
      refuse('a', 'v', { maxAgeSeconds: seconds })
    refuse('a', 'v', { sameSite: 'None; Domain=evil.test' })
    refuse('__Host-a', 'v', { domain: 'app.test' })
    refuse('__host-a', 'v', { path: '/x' })
    refuse('__Secure-a', 'v', { secure: false })
  })
})
