/**
 * A server in a process of its own, for clients that behave in every way: prints its port, ends by SIGTERM. `GET /stats`
 * gives what it holds.
 *
 * @module
 */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { HttpContext } from 'sallyport'
import { serve } from 'sallyport/node'

import { loadLateParts } from '../../../src/core/internal.ts'
import { type Answers, site } from '../../app/fixture.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const open = new Set<Socket>()
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket }
  open.add(socket)
  socket.once('close', () => open.delete(socket))
})

const faults: string[] = []
let handled = 0
const page = 'x'.repeat(60_000)

const answers: Answers = {
  'GET /stats': () => {
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const read = [...open].reduce((sum, socket) => sum + socket.bytesRead, 0)
    return { heap: heapUsed + external, rss, sockets, read, handled, faults }
  },
  'GET /': () => (handled++, 'hi'),
  'GET /number': (context: HttpContext) => `number ${context.query()}`,
  'GET /page': () => (handled++, page),
  'GET /later': async () => {
    await pause(5)
    return 'later'
  },
  'GET /gone': async (context: HttpContext) => {
    await pause(1000, null, { signal: context.signal }).catch(() => undefined)
    return 'gone'
  },
  'GET /stream': () =>
    new Response(
      ReadableStream.from(
        (async function* () {
          for (let i = 0; i < 20; i++) {
            yield Buffer.alloc(20_000, 'y')
            await pause(1)
          }
        })(),
      ),
    ),
  'POST|PUT /echo': (context: HttpContext) => new Response(context.request().body),
  'POST /form': async (context) => `form ${(await context.form())?.text('a')?.length ?? 'none'}`,
  'POST /ignore': () => 'ignored',
}

const app = site(answers, {
  configure: (configured) => {
    configured.limits({ bodyBytes: 2 ** 20 }).onError((error) => void faults.push(String(error)))
  },
})
const server = await serve(app, { port: 0, drainMilliseconds: 500 })
// What a server loads a moment after its start is no memory that clients take.
await loadLateParts()
process.stdout.write(`${server.port}\n`)
