import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '../app/index.ts'
import { reportFault } from '../app/internal.ts'
import { ServedHosts } from '../http/index.ts'
import { Connections } from './connections.ts'
import { answerInTurn, type ExchangeServices, refuseExpectation } from './exchange.ts'
import { RequestGuard } from './request-guard.ts'
import { refuseAtSocket } from './socket-refusal.ts'
import { assertServe, type ServeOptions } from './serve-options.ts'
import { TrustedProxies } from './trusted-proxies.ts'

/** A listening server. */
export interface Server {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** Port it listens on. */
  readonly port: number
  /**
   * Stops accepting, lets requests in flight finish, then closes the application. A second call waits for the first.
   */
  close(): Promise<void>
}

const HEADERS_MILLISECONDS = 10_000
const REQUEST_MILLISECONDS = 30_000
const CHECK_MILLISECONDS = 1000
const IDLE_MILLISECONDS = 50
// How long a client may wait with the first byte of a request while the server closes.
const SILENCE_MILLISECONDS = 1000

/**
 * Boots an application and serves it with `node:http`.
 *
 * @param app The application.
 * @param options Where to listen and how to close.
 * @returns The listening server.
 * @throws {RoutingException} If the application does not boot.
 * @throws {TypeError} If an option is wrong: the origin is not `http://host` or `https://host`, a host or a proxy's address
 * is malformed, the port is none, a signal cannot be listened to. Nothing has booted then.
 * @throws {Error} If the port is in use or not allowed (`code` says which).
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { serve } from 'sallyport/node'
 *
 * class HelloController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {
 *     return 'Hello'
 *   }
 * }
 * const app = App.default().modules(defineModule('Site', (module) => module.controllers(HelloController)))
 *
 * const server = await serve(app, { host: '127.0.0.1', port: 0, signals: [] })
 * const response = await fetch(`${server.url}/site/hello`)
 *
 * assert.equal(await response.text(), 'Hello')
 * await server.close()
 * ```
 */
export async function serve(app: App, options: ServeOptions = {}): Promise<Server> {
  assertServe(app, options)
  const hosts = options.origin === undefined && options.hosts === undefined ? null : new ServedHosts(options)
  const origin = hosts?.origin ?? null
  const proxies = options.trustedProxies === undefined ? null : new TrustedProxies(options.trustedProxies)
  await app.boot()
  const state = { draining: false }
  const source = { bodyBytes: app.currentLimits().bodyBytes, origin, proxies, hosts }
  const services = { app, guard: new RequestGuard(), state, source }
  const server = serverOf(services)
  const connections = new Connections(server)
  const { port = 3000, host = '127.0.0.1' } = options
  await listen(server, port, host)
  return listening(server, { app, connections, state, options })
}

function serverOf(services: ExchangeServices): HttpServer {
  const server = createServer(
    {
      headersTimeout: HEADERS_MILLISECONDS,
      requestTimeout: REQUEST_MILLISECONDS,
      connectionsCheckingInterval: CHECK_MILLISECONDS,
      // Nobody listens to the stream of a body that was not announced.
      optimizeEmptyRequests: true,
      // The guard refuses it, with the headers of every refusal.
      requireHostHeader: false,
    },
    (message, outgoing) => answerInTurn({ message, outgoing }, services),
  )
  // Node would ask for every body; here the one who reads it does.
  server.on('checkContinue', (message, outgoing) => answerInTurn({ message, outgoing }, services))
  server.on('checkExpectation', (message, outgoing) => refuseExpectation({ message, outgoing }, services))
  // What is asked for through a proxy cannot be known where there is no request.
  refuseAtSocket(server, services.app.linesOfRefusal(services.source.origin?.startsWith('https:') === true))
  // A connection that the system could not accept, for lack of memory or of file descriptors.
  server.on('error', (error) => server.listening && reportFault(error))
  return server
}

function listen(server: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

interface Listening {
  readonly app: App
  readonly connections: Connections
  readonly state: { draining: boolean }
  readonly options: ServeOptions
}

function listening(server: HttpServer, { app, connections, state, options }: Listening): Server {
  const { address, family, port } = server.address() as AddressInfo
  const { signals = ['SIGTERM', 'SIGINT'], drainMilliseconds = 10_000 } = options
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    state.draining = true
    for (const signal of signals) process.off(signal, onSignal)
    closing ??= drain(server, connections, drainMilliseconds).then(() => app.close())
    return closing
  }
  const onSignal = (): void => {
    close().catch((error: unknown) => {
      reportFault(error)
      process.exitCode = 1
    })
  }
  for (const signal of signals) process.on(signal, onSignal)
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, port, close }
}

function drain(server: HttpServer, connections: Connections, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => connections.destroyAll(), milliseconds)
    const silent = setTimeout(() => connections.destroySilent(), SILENCE_MILLISECONDS)
    // An answer whose head was out before has not told its client to close: its connection would idle on for seconds.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_MILLISECONDS)
    server.close(() => {
      clearTimeout(force)
      clearTimeout(silent)
      clearInterval(idle)
      resolve()
    })
  })
}
