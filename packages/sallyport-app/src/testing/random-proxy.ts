/** A proxy that gives each request to one of several servers at random. @module */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Scope } from './scope.ts'

/** Header of a request that says which of the servers is asked, by its index. Default: any of them. */
export const ASKED = 'x-asked'

/**
 * Begins a proxy that asks the next server where one is not there, as proxies do.
 *
 * @param scope What it ends with.
 * @param port Where it listens, on the loopback interface.
 * @param ports Where the servers listen.
 */
export async function randomProxy(scope: Scope, port: number, ports: readonly number[]): Promise<void> {
  const server = createServer((asked, answer) => {
    void buffer(asked).then((body) => {
      const index = Number(asked.headers[ASKED] ?? randomInt(ports.length))
      forward({ asked, body, answer, ports: [...ports.slice(index), ...ports.slice(0, index)] })
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
}

interface Forwarded {
  readonly asked: IncomingMessage
  readonly body: Buffer
  readonly answer: ServerResponse
  readonly ports: readonly number[]
}

function forward({ asked, body, answer, ports: [port, ...others] }: Forwarded): void {
  const { method = '', url: path = '', headers } = asked
  // A connection of its own: a server that ends closes those that are open.
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.rawHeaders)
    got.pipe(answer)
  })
  sent.on('error', (error) => {
    // A connection that waits to be accepted is lost when a server ends. What changes something is not sent twice.
    const isUnsent = method === 'GET' || ('code' in error && error.code === 'ECONNREFUSED')
    if (isUnsent && !answer.headersSent && others.length > 0) forward({ asked, body, answer, ports: others })
    else if (answer.headersSent) answer.destroy()
    else answer.writeHead(502).end()
  })
  sent.end(body)
}
