import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BasicAccessMiddleware } from 'sallyport/middleware'
import { type App, defineModule } from 'sallyport'
import { exchange, parseAnswer } from './fixture/raw.ts'
import { BEARER, World } from './fixture/world.ts'

const GOOD = 'b3BzOnM6ZQ=='

describe('abuse of the gate', () => {
  it('a malformed Basic credential is a 401 [A-099]', async (test) => {
    const world = await World.create(test)
    const values = [
      '',
      'Basic',
      'Basic ',
      'Basic =',
      'Basic ====',
      'Basic !!!',
      `Basic ${base64('opss:e'.replace(':', ''))}`,
      `Basic ${base64('no colon')}`,
      `Basic ${GOOD}x`,
      `Basic ${GOOD},`,
      `Basic ${GOOD} x`,
      `Basic ${GOOD}=`,
      `Basic b3Bz OnM6ZQ==`,
      `Basic ${GOOD};q=1`,
      `Basic\t${GOOD}`,
      `Basic ${base64('ops:s:e?~')}`.replace('/', '_'),
      'Basic b3BzOnM6ZQ',
      'Basic b3BzOnM6ZQ=',
      `Basic ${'A'.repeat(12_000)}`,
      `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x41]).toString('base64')}`,
      `Basic ${base64('ops:s:e\0')}`,
      `Basic ${base64('\u0000ops:s:e')}`,
      `Basic ${base64('ops:S:E')}`,
      `Basic ${base64('Ops:s:e')}`,
      `Basic ${base64('ops: s:e')}`,
      `Bearer ${GOOD}`,
      `Digest ${GOOD}`,
      GOOD,
    ]
    for (const authorization of values) {
      await world.everywhere(
        { target: '/ops', headers: authorization === '' ? {} : { authorization } },
        (answer, message) => {
          assert.equal(answer.status, 401, `${message} ${authorization.slice(0, 40)}`)
          assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="ops", charset="UTF-8"')
          assert.deepEqual(world.trace.handlers, [])
        },
      )
    }
    const { port } = await world.server()
    for (const lines of [
      `Authorization: Basic ${GOOD}\r\nAuthorization: Basic ${GOOD}`,
      'Authorization:',
      `Authorization: Basic b3Bz\r\n OnM6ZQ==`,
      `Authorization: Basic ${'A'.repeat(16_384)}`,
    ]) {
      const answer = parseAnswer(
        await exchange(port, `GET /ops HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n${lines}\r\n\r\n`),
      )
      assert.ok([400, 401, 431].includes(answer.status), `${lines.slice(0, 40)} ${answer.status}`)
      assert.deepEqual(world.trace.handlers, [])
    }
  })

  it('the first colon splits, and the scheme is case-insensitive [A-100]', async (test) => {
    const world = await World.create(test)
    for (const scheme of ['Basic', 'basic', 'BASIC']) {
      await world.everywhere(
        { target: '/ops', headers: { authorization: `${scheme} ${GOOD}` } },
        ({ status }, message) => assert.equal(status, 200, message),
      )
    }
  })

  it('a realm is a well-formed quoted string, or is refused [A-101]', async (test) => {
    for (const [realm, quoted] of [
      ['a"b', '"a\\"b"'],
      ['a\\b', '"a\\\\b"'],
      ['a\tb', '"a\tb"'],
      ['', '""'],
      ['", evil="1', '"\\", evil=\\"1"'],
    ] as const) {
      const gate = new BasicAccessMiddleware({ username: 'a', password: 'b', realm })
      const world = await World.create(test, {
        configure: (app: App) => void app.middleware().incoming(gate),
      })
      await world.everywhere({ target: '/' }, ({ status, headers }, message) => {
        assert.equal(status, 401, message)
        assert.equal(headers.get('www-authenticate'), `Basic realm=${quoted}, charset="UTF-8"`)
      })
    }
    for (const realm of ['a\rb', 'a\nb', 'a\0b', 'a\u007fb', '😀', 'é', '\u2028'])
      assert.throws(
        () => new BasicAccessMiddleware({ username: 'a', password: 'b', realm }),
        RangeError,
        JSON.stringify(realm),
      )
  })

  it('the gate creates no identity [A-102]', async (test) => {
    const world = await World.create(test)
    const headers = { authorization: `Basic ${GOOD}` }
    await world.everywhere({ target: '/ops', headers }, ({ status }, message) => {
      assert.equal(status, 200, message)
      assert.equal(world.trace.last?.identifier, null)
    })
    await world.everywhere({ target: '/admin', headers }, ({ status }, message) =>
      assert.equal(status, 302, message),
    )
    await world.everywhere({ target: '/api/items/x', headers }, ({ status }, message) =>
      assert.equal(status, 401, message),
    )
  })

  it('every 401 has a challenge and is not cached; no 403 has one [A-103]', async (test) => {
    const failing = defineModule('Other', (module) => module.mount('other').withoutConventionRouting())
    const world = await World.create(test, { modules: [failing] })
    const bob = await world.loggedIn('bob')
    const cookie = `__Host-sid=${bob.sessionId ?? ''}`
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) {
      for (const target of [
        '/ops',
        '/api/items/x',
        '/api/items/',
        '/admin',
        '/admin/users/1',
        '/account/email',
        '/login',
        '/nope',
      ]) {
        for (const headers of [
          {},
          { cookie },
          BEARER,
          { accept: 'application/json' },
          { cookie, accept: 'application/json' },
        ])
          await world.everywhere({ method, target, headers }, () => undefined)
      }
    }
    // The rules of every answer say the rest: a challenge beside each 401 and nowhere else, and `no-store` there.
    const of = (status: number): number => world.answers.filter((answer) => answer.status === status).length
    assert.ok(of(401) > 20 && of(403) > 20, `${of(401)} and ${of(403)}`)
  })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
