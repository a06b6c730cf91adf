import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { HttpContext } from 'sallyport'
import { serve, type Server } from 'sallyport/node'

import { type Answers, site } from '../app/fixture.ts'
import { exchange, open } from './raw.ts'

const FORM = 'Host: app.test\r\nContent-Type: application/x-www-form-urlencoded'

/** When an action asks for the body: in the turn of its request, before any of it is here; then; and when it is all here. */
const TURNS: Readonly<Record<string, (context: HttpContext) => Promise<unknown>>> = {
  'in the turn of the request': async () => undefined,
  'a turn later': () => Promise.resolve(),
  'when it is here': () => pause(30),
}

const ANSWERS: Answers = Object.fromEntries(
  Object.keys(TURNS).map((turn, i) => [
    `POST /turn${i}`,
    async (context: HttpContext) => {
      if (i > 0) await TURNS[turn]?.(context)
      const form = await context.form()
      const again = await context.form()
      return `${form?.text('a')?.length}|${form === again}|${(await context.request().text()).length}|`
    },
  ]),
)

async function serving(): Promise<Server & AsyncDisposable> {
  const server = await serve(site(ANSWERS), { port: 0, signals: [] })
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}

function head(path: string, length: number, last = false): string {
  return `POST ${path} HTTP/1.1\r\n${FORM}\r\nContent-Length: ${length}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
}

describe('the body of a request', () => {
  for (const [i, turn] of Object.keys(TURNS).entries()) {
    const path = `/turn${i}`

    for (const length of [3, 100, 200_000]) {
      it(`of ${length} bytes is read ${turn}, with its head and in chunks, and the connection continues`, async () => {
        await using server = await serving()
        const body = `a=${'x'.repeat(length - 2)}`
        const socket = await open(server.port)
        let received = ''
        socket.setEncoding('latin1')
        socket.on('data', (chunk: string) => (received += chunk))
        const closed = new Promise((resolve) => socket.on('close', resolve))

        socket.write(head(path, length) + body)
        await pause(20)
        socket.write(head(path, length))
        await pause(20)
        socket.write(body.slice(0, 2))
        await pause(20)
        socket.write(body.slice(2))
        await pause(20)
        socket.write(head(path, length, true) + body)
        await closed

        assert.equal(received.split('HTTP/1.1 200 OK').length, 4)
        assert.equal(received.split(`${length - 2}|true|${length}|`).length, 4)
        assert.equal(received.split(/connection: close/i).length, 2)
      })
    }

    it(`is separated from the next request in one packet, read ${turn}`, async () => {
      await using server = await serving()

      const received = await exchange(
        server.port,
        `${head(path, 3)}a=1${head(path, 4)}a=22${head(path, 0)}${head(path, 5, true)}a=333`,
      )

      assert.deepEqual(
        [...received.matchAll(/(\w+)\|true\|(\d+)\|/g)].map(([, value, length]) => [value, length]),
        [
          ['1', '3'],
          ['2', '4'],
          ['undefined', '0'],
          ['3', '5'],
        ],
      )
    })
  }
})
