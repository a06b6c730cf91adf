import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { COOKIE } from './fixture/browser.ts'
import { World } from './fixture/world.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

const MEBIBYTE = 1_048_576

describe('abuse of bodies', () => {
  it('no body changes a prototype [A-109]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    await bob.get('/account')
    const token = { 'x-csrf-token': bob.token }
    const multipart =
      '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n{"isAdmin":true}\r\n--x--\r\n'
    const bodies = [
      ['application/json', '{"__proto__":{"isAdmin":true}}'],
      ['application/json', '{"constructor":{"prototype":{"x":1}}}'],
      ['application/json', '{"a":{"__proto__":{"isAdmin":true}}}'],
      ['application/json', '[{"__proto__":{"x":1}}]'],
      [
        'application/x-www-form-urlencoded',
        '__proto__[x]=1&a.__proto__.x=1&__proto__=1&constructor[prototype][x]=1',
      ],
      ['multipart/form-data; boundary=x', multipart],
    ] as const
    const targets = ['/login', '/login?__proto__[x]=1&__proto__=x', '/account/email?__proto__=y']
    for (const [type, body] of bodies) {
      for (const target of targets) {
        for (const cookie of ['', `${COOKIE}=${bob.sessionId ?? ''}`]) {
          const headers = { ...token, cookie, 'content-type': type }
          await world.everywhere({ method: 'POST', target, headers, body }, ({ status }, message) => {
            assert.ok(status < 500, message)
            assert.equal(Reflect.get({}, 'x'), undefined)
            assert.equal(Reflect.get({}, 'isAdmin'), undefined)
          })
        }
      }
    }
    assert.equal(world.trace.effects, bodies.length * 2)
  })

  it('a field that is not a string is a refusal of the login [A-110]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.get('/login')
    for (const form of [
      { 'password[]': 'a' },
      { 'email[x]': '1' },
      { email: ['bob', 'ada'], password: 'x' },
      {},
    ])
      assert.equal((await browser.post('/login', form as Record<string, string>)).status, 422)
    const headers = { 'x-csrf-token': browser.token }
    for (const json of [
      { email: 1 },
      { email: true, password: true },
      { email: null },
      { email: { ne: '' }, password: { ne: '' } },
      { email: ['bob'] },
      {},
      [],
      1,
      null,
      'x',
    ]) {
      const { status } = await browser.send('POST', '/login', { json, headers })
      assert.equal(status, 422, JSON.stringify(json))
    }
    for (const body of [
      '{',
      '',
      '{"email":"bob","email":"ada"}',
      '"\\ud800"',
      '['.repeat(100) + ']'.repeat(100),
    ]) {
      const type = { ...headers, 'content-type': 'application/json' }
      assert.ok(
        [400, 422].includes((await browser.send('POST', '/login', { body, headers: type })).status),
        body.slice(0, 20),
      )
    }
  })

  it('a body over the limit is not read beyond the limit [A-111]', async (test) => {
    const world = await World.create(test)
    const { port } = await world.server()
    for (const shape of ['Content-Length: 10485760', 'Transfer-Encoding: chunked']) {
      for (const line of ['POST /login', 'GET /', 'PUT /api/items/x', 'POST /nope']) {
        const head = `${line} HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/x-www-form-urlencoded\r\n${shape}\r\n\r\n`
        const { said, written } = await pour(port, head, shape.startsWith('T'))
        assert.match(said, /^HTTP\/1\.1 413 /, `${line} ${shape} ${said.slice(0, 40)}`)
        assert.match(said, /\r\nconnection: close\r\n/i, line)
        assert.ok(written <= 8 * MEBIBYTE, `${line} ${shape}: ${written} bytes were taken`)
      }
    }
    assert.deepEqual(world.trace.handlers, [])
    const before = process.memoryUsage().rss
    for (let i = 0; i < 10; i++)
      await pour(port, 'POST /login HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: chunked\r\n\r\n', true)
    const grown = (process.memoryUsage().rss - before) / MEBIBYTE
    test.diagnostic(`${grown.toFixed(1)} MiB more after ten bodies of 10 MiB`)
    assert.ok(grown < 60, `${grown} MiB`)
  })

  it('many fields are refused in time proportional to their bytes [A-112]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.get('/login')
    const token = { 'x-csrf-token': browser.token }
    const keys = (count: number, step: number): string =>
      `{${Array.from({ length: count }, (_, i) => `"${i * step}":1`).join()}}`
    const form = 'application/x-www-form-urlencoded'
    for (const [name, type, body, expected] of [
      ['100,000 pairs', form, 'a=&'.repeat(100_000), 413],
      ['1,001 pairs', form, `${'a=&'.repeat(1000)}a=`, 413],
      ['100,000 keys', 'application/json', keys(90_000, 1), 413],
      ['keys that collide', 'application/json', keys(40_000, 2 ** 32), 413],
      ['1,001 keys', 'application/json', keys(1001, 1), 413],
    ] as const) {
      const before = process.cpuUsage()
      const { status } = await browser.send('POST', '/login', {
        body,
        headers: { ...token, 'content-type': type },
      })
      const { user, system } = process.cpuUsage(before)
      test.diagnostic(`${name}: ${status} in ${((user + system) / 1000).toFixed(1)} ms of CPU`)
      assert.equal(status, expected, name)
      assert.ok(user + system < onThisMachine(100_000), `${name}: ${user + system} us`)
    }
    const bob = await world.loggedIn('bob')
    const { headers } = await bob.get('/account/go?to=/a;name=b;c=d')
    assert.equal(headers.get('location'), '/a;name=b;c=d')
  })
})

/** Sends a head and up to 10 MiB, and tells how much of it the server took. */
function pour(port: number, head: string, isChunked: boolean): Promise<{ said: string; written: number }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const block = Buffer.alloc(65_536, 'a')
    let said = ''
    let sent = 0
    const more = (): void => {
      while (sent < 10 * MEBIBYTE && !socket.destroyed) {
        sent += block.length
        if (isChunked) socket.write(`${block.length.toString(16)}\r\n`)
        const goesOn = socket.write(block)
        if (isChunked) socket.write('\r\n')
        if (!goesOn) return void socket.once('drain', more)
      }
    }
    socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ said, written: socket.bytesWritten }))
    socket.write(head, more)
  })
}
