import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Controller, defineModule } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import { exchange, parseAnswer } from './fixture/raw.ts'
import { World } from './fixture/world.ts'

/** An application that puts text of a client into a header. */
class EchoController extends Controller {
  static readonly actions: Actions<EchoController> = {
    light: [param.string('text')],
    web: [param.string('text')],
  }

  light(text: string): Response {
    const response = this.text('ok')
    response.headers.set('x-echo', text)
    return response
  }

  web(text: string): Response {
    return new Response('ok', { headers: { 'x-echo': text } })
  }
}

describe('abuse of headers', () => {
  it('no part of a malformed host is used [A-113 HOLD-09]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    const { port } = await world.server()
    const hosts = [
      'app.test@evil.test',
      'evil.test/x?',
      '',
      'app.test:99999',
      '[::1',
      'evil.test',
      'a'.repeat(10_000),
      'evil.test:80:80',
      'evil test',
      'evil.test#',
      '\u00e9vil.test',
      '"evil.test"',
      '<evil.test>',
    ]
    for (const host of hosts) {
      for (const target of ['/login/', '/', '/login']) {
        const bytes = await exchange(
          port,
          `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        )
        const answer = world.heard({ target }, parseAnswer(bytes))
        assert.ok([400, 421, 431].includes(answer.status), `${host.slice(0, 30)} ${answer.status}`)
        assert.ok(!bytes.includes('evil') && !bytes.includes('aaaa'), host.slice(0, 30))
      }
    }
    const old = parseAnswer(await exchange(port, 'GET /login/ HTTP/1.0\r\n\r\n'))
    assert.deepEqual([old.status, old.headers.get('location')], [308, '/login'])
  })

  it('two hosts are refused [A-114]', async (test) => {
    const world = await World.create(test)
    const { port } = await world.server()
    for (const second of ['app.test', 'evil.test']) {
      for (const line of [`Host: ${second}`, `HOST: ${second}`]) {
        const bytes = await exchange(
          port,
          `GET / HTTP/1.1\r\nHost: app.test\r\n${line}\r\nConnection: close\r\n\r\n`,
        )
        assert.equal(parseAnswer(bytes).status, 400)
        assert.ok(!bytes.includes('evil.test'))
      }
    }
    for (const [first, second] of [
      ['Content-Length: 0', 'Content-Length: 5'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    ]) {
      const bytes = await exchange(
        port,
        `POST /login HTTP/1.1\r\nHost: app.test\r\n${first}\r\n${second}\r\nConnection: close\r\n\r\n0\r\n\r\n`,
      )
      assert.equal(parseAnswer(bytes).status, 400, `${first} ${second}`)
    }
    assert.deepEqual(world.trace.handlers, [])
  })

  it('input of a client creates no second header line [A-115]', async (test) => {
    const echo = defineModule('Echo', (module) =>
      module.withoutConventionRouting().routes((routes) => {
        routes.get('/light/{text}', [EchoController, 'light'])
        routes.get('/web/{text}', [EchoController, 'web'])
      }),
    )
    const world = await World.create(test, { modules: [echo] })
    const { port } = await world.server()
    // Controls do not get past the path at all; what a header cannot hold is a fault of the application that shows nothing.
    for (const text of ['a%0d%0aX-Evil:%201', 'a%0a', 'a%00']) {
      for (const way of ['light', 'web'])
        await world.everywhere({ target: `/echo/${way}/${text}` }, ({ status }, message) =>
          assert.equal(status, 400, message),
        )
    }
    for (const text of ['%E2%80%A8', '%F0%9F%98%80canary']) {
      for (const way of ['light', 'web']) {
        const bytes = await exchange(
          port,
          `GET /echo/${way}/${text} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`,
        )
        const answer = parseAnswer(bytes)
        assert.equal(answer.status, 500)
        assert.ok(!bytes.includes('canary') && !answer.headers.has('x-echo'))
      }
    }
    assert.equal(world.fixture.log.length, 4)
    world.fixture.log.length = 0
    await world.everywhere({ target: '/echo/light/%C3%A9' }, ({ status }, message) =>
      assert.equal(status, 200, message),
    )
  })
})
