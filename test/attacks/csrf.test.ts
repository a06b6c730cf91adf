import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { COOKIE } from './fixture/browser.ts'
import { World } from './fixture/world.ts'

const TYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/json',
  '',
  'Application/X-WWW-Form-Urlencoded',
  'application/x-www-form-urlencoded;a=b',
  'x/y',
]

describe('abuse of cross-site forms', () => {
  it('no method and no content type passes without a token [A-089]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    const cookie = `${COOKIE}=${bob.sessionId ?? ''}`
    world.trace.clear()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const type of TYPES) {
        const headers = { cookie, ...(type === '' ? {} : { 'content-type': type }) }
        const body = type.startsWith('multipart')
          ? '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n'
          : 'a=b'
        await world.everywhere({ method, target: '/account/email', headers, body }, ({ status }, message) =>
          assert.equal(status, method === 'POST' ? 403 : 405, `${message} ${type}`),
        )
      }
    }
    assert.equal(world.trace.effects, 0)
    assert.deepEqual(world.trace.handlers, [])
  })

  it('a form of another site is refused even with a token [A-089]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    await bob.get('/account')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
    ]) {
      const form = { _csrf: bob.token }
      assert.equal(
        (await bob.send('POST', '/account/email', { form, headers })).status,
        403,
        JSON.stringify(headers),
      )
    }
    assert.equal((await bob.post('/account/email')).status, 200)
  })

  it('only a token of this session and stage counts [A-090]', async (test) => {
    const world = await World.create(test)
    const bob = world.browser()
    await bob.get('/login')
    const beforeLogin = bob.token
    await bob.password('bob')
    await bob.get('/account')
    const [ada, good] = [await world.loggedIn('ada'), bob.token]
    await ada.get('/account')
    const bad = [
      '',
      beforeLogin,
      ada.token,
      good.slice(0, -1),
      `${good}A`,
      good.slice(2),
      `A${good}`,
      good.toLowerCase(),
      ` ${good}`,
      'undefined',
    ]
    for (const token of bad) {
      const answer = await bob.send('POST', '/account/email', { form: { _csrf: token } })
      assert.equal(answer.status, 403, token === good ? 'good' : token)
    }
    assert.equal((await bob.send('POST', '/account/email', { form: { '_csrf[]': good } })).status, 403)
    assert.equal((await bob.send('POST', '/account/email', { form: { _csrf: [good, 'x'] } })).status, 403)
    assert.equal((await bob.send('POST', '/account/email', { form: { _csrf: [good, good] } })).status, 403)
    for (const json of [{ _csrf: good }, { _csrf: { a: good } }, { _csrf: [good] }])
      assert.equal((await bob.send('POST', '/account/email', { json })).status, 403)
    assert.equal(world.trace.effects, 0)
    assert.equal((await bob.send('POST', '/account/email', { form: { _csrf: good } })).status, 200)
    await bob.post('/logout')
    const loggedIn = await bob.password('bob')
    assert.equal(loggedIn.status, 303)
    assert.equal((await bob.send('POST', '/account/email', { form: { _csrf: good } })).status, 403)
  })

  it('a rule for GET holds for HEAD, and neither changes anything [A-091]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    for (const headers of [
      {},
      { 'x-http-method-override': 'POST' },
      { 'x-http-method-override': 'DELETE' },
    ]) {
      for (const method of ['HEAD', 'GET']) {
        assert.equal((await bob.send(method, '/account/email', { headers })).status, 405)
        assert.equal((await bob.send(method, '/admin/users/1', { headers })).status, 403)
      }
    }
    const post = await bob.send('POST', '/account/email', { headers: { 'x-http-method-override': 'GET' } })
    assert.equal(post.status, 400)
    assert.equal(world.trace.effects, 0)
  })

  it('a token in the query does not count [A-092]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    await bob.get('/account')
    const query = new URLSearchParams({ _csrf: bob.token })
    assert.equal((await bob.send('POST', `/account/email?${query}`)).status, 403)
    assert.equal((await bob.send('POST', `/account/email?${query}`, { form: { a: 'b' } })).status, 403)
    assert.equal(world.trace.effects, 0)
    assert.equal(
      (await bob.send('POST', '/account/email', { headers: { 'x-csrf-token': bob.token } })).status,
      200,
    )
  })

  it('no order of arrival runs the handler [A-093]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    const { port } = await world.server()
    const head = (length: number): string =>
      `POST /account/email HTTP/1.1\r\nHost: app.test\r\nCookie: ${COOKIE}=${bob.sessionId ?? ''}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n`
    for (const length of [3, 2_000_000]) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      let said = ''
      socket.on('data', (chunk: Buffer) => (said += chunk.toString()))
      socket.write(head(length))
      for (const byte of 'a=b') {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (!socket.destroyed) socket.write(byte)
      }
      while (!said.includes('\r\n\r\n')) await once(socket, 'data')
      // A body over the limit is refused by its length, before a byte of it is waited for.
      assert.match(said, length === 3 ? /^HTTP\/1\.1 403 / : /^HTTP\/1\.1 413 /)
      socket.destroy()
    }
    assert.equal(world.trace.effects, 0)
  })
})
