import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ResponseEvent } from 'sallyport'
import { serve } from 'sallyport/node'
import { site } from '../app/fixture.ts'
import { exchange, open } from './raw.ts'

const HOST = 'Host: app.test'

async function listening(t: TestContext): Promise<{ port: number; lines: () => Promise<string[]> }> {
  const events: ResponseEvent[] = []
  const endless = (): ReadableStream =>
    new ReadableStream({
      async pull(controller) {
        await pause(5)
        controller.enqueue(Buffer.alloc(1000))
      },
    })
  const app = site({ 'GET|POST /': () => 'hi', 'GET /endless': () => new Response(endless()) })
  app.onResponse((event) => events.push(event))
  const server = await serve(app, { port: 0, signals: [], origin: 'http://app.test' })
  t.after(() => server.close())
  const lines = async (): Promise<string[]> => {
    await pause(20)
    return events.map(
      ({ context, status, isComplete }) => `${context.method()} ${status}${isComplete ? '' : ' broken'}`,
    )
  }
  return { port: server.port, lines }
}

describe('App.onResponse() under serve()', () => {
  it('hears what the application answers and what the server refuses [PAGE-16]', async (t) => {
    const { port, lines } = await listening(t)

    for (const head of [
      `GET / HTTP/1.1\r\n${HOST}`,
      `HEAD / HTTP/1.1\r\n${HOST}`,
      `TRACE / HTTP/1.1\r\n${HOST}`,
      `GET / HTTP/1.1\r\n${HOST}\r\n${HOST}`,
      `GET //x HTTP/1.1\r\n${HOST}`,
      'GET / HTTP/1.1\r\nHost: evil.test',
      `GET / HTTP/1.1\r\n${HOST}\r\nExpect: tea`,
      `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 99999999`,
    ])
      await exchange(port, `${head}\r\nConnection: close\r\n\r\n`)

    assert.deepEqual(await lines(), [
      'GET 200',
      'HEAD 200',
      'TRACE 405',
      'GET 400',
      'GET 400',
      'GET 421',
      'GET 417',
      'POST 413',
    ])
  })

  it('hears once of a stream whose client leaves [PAGE-16]', async (t) => {
    const { port, lines } = await listening(t)
    const socket = await open(port)

    socket.write(`GET /endless HTTP/1.1\r\n${HOST}\r\n\r\n`)
    await once(socket, 'data')
    assert.deepEqual(await lines(), [])
    socket.destroy()
    await pause(50)

    assert.deepEqual(await lines(), ['GET 200 broken'])
  })
})
