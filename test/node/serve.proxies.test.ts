import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'

import type { HttpContext } from 'sallyport'
import { serve, type Server } from 'sallyport/node'

import { type Answers, site } from '../app/fixture.ts'
import { open, request, values } from './raw.ts'

const ANSWERS: Answers = {
  'GET /': async (context: HttpContext) => {
    await context.session().set('x', 1)
    return [context.clientAddress(), context.isSecure(), context.origin(), context.header('x-last')]
  },
  'POST /': async (context: HttpContext) => [await context.request().text()],
}

const trustedProxies = { addresses: ['127.0.0.1'] }

async function behindProxy(answers = ANSWERS): Promise<Server & AsyncDisposable> {
  const server = await serve(site(answers), { port: 0, signals: [], drainMilliseconds: 500, trustedProxies })
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}

describe('serve() behind a proxy that appends', () => {
  const appended = ['X-Forwarded-For: 198.51.100.7', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: app.test']
  const expected = ['198.51.100.7', true, 'https://app.test', 'end']

  for (const [what, lines] of [
    ['nothing', []],
    ['a header of 12,000 characters', [`X-Forwarded-For: ${'10.0.0.1, '.repeat(1200)}`]],
    [
      'a scheme and a host of 4,500 each',
      [`X-Forwarded-Proto: ${'http,'.repeat(900)}`, `X-Forwarded-Host: ${'evil.test,'.repeat(450)}`],
    ],
    ['900 further lines', Array.from({ length: 900 }, () => 'a:b')],
  ] as const) {
    it(`finds the client when it has sent ${what} [HOLD-10]`, async () => {
      await using server = await behindProxy()

      const response = await request(server.port, [
        'GET / HTTP/1.1',
        'Host: app.test',
        'Connection: close',
        ...lines,
        ...appended,
        'X-Last: end',
      ])

      assert.deepEqual(JSON.parse(response.body), expected)
      assert.match(values(response, 'set-cookie').join(), /^__Host-sid=.*; Secure$/)
    })
  }

  it('is never given a request without its last lines: over 1,000 are refused [HOLD-10]', async () => {
    await using server = await behindProxy()

    for (const count of [1000, 1500, 2050, 2500]) {
      const lines = Array.from({ length: count }, () => 'a:b')
      const response = await request(server.port, ['GET / HTTP/1.1', 'Host: app.test', ...lines, ...appended])

      assert.equal(response.status, 431)
    }
  })

  it('knows the address of a client that has disconnected [HOLD-10]', async () => {
    const { promise: asked, resolve: tell } = Promise.withResolvers<HttpContext>()
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    await using server = await behindProxy({
      'GET /': async (context) => {
        tell(context)
        await gone
        return 'late'
      },
    })
    const socket = await open(server.port)
    socket.write('GET / HTTP/1.1\r\nHost: app.test\r\nX-Forwarded-For: 198.51.100.7\r\n\r\n')
    const context = await asked

    socket.resetAndDestroy()
    await once(socket, 'close')
    // The server sees the reset a moment after the client.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const address = context.clientAddress()
    leave()

    assert.equal(address, '198.51.100.7')
  })
})
