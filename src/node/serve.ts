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
  /** Base URL of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** Port that it listens on. */
  readonly port: number
  /**
   * Runs the hooks of `onClosing()`, stops accepting connections, lets pending requests finish, then closes the application.
   * A second call waits for the first.
   */
  close(): Promise<void>
}

const HEADERS_MILLISECONDS = 10_000
const REQUEST_MILLISECONDS = 30_000
const CHECK_MILLISECONDS = 1000
const IDLE_MILLISECONDS = 50
// How long a connection may stay silent while the server closes.
const SILENCE_MILLISECONDS = 1000

/**
 * Boots an application and serves it with `node:http`.
 *
 * @param app The application.
 * @param options Where to listen and how to close.
 * @returns The listening server.
 * @throws {RoutingException} If a declaration is wrong or URLs are ambiguous.
 * @throws {ContainerException} If a service cannot be built.
 * @throws {TypeError} If an option is invalid: the origin is not `http://host` or `https://host`, a host or the address of a
 * proxy is malformed, the port is out of range, a signal cannot be handled. Nothing has booted then.
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
      // Nothing reads the stream of a body that was not announced.
      optimizeEmptyRequests: true,
      // The guard refuses it, with the headers of every refusal.
      requireHostHeader: false,
    },
    (message, outgoing) => answerInTurn({ message, outgoing }, services),
  )
  // Node would invite every body; here the code that reads it does.
  server.on('checkContinue', (message, outgoing) => answerInTurn({ message, outgoing }, services))
  server.on('checkExpectation', (message, outgoing) => refuseExpectation({ message, outgoing }, services))
  // Without a request it is unknown whether a proxy was contacted over HTTPS.
  refuseAtSocket(server, services.app.linesOfRefusal(services.source.origin?.startsWith('https:') === true))
  // The system could not accept a connection, for lack of memory or file descriptors.
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

function listening(server: HttpServer, serving: Listening): Server {
  const { app, state, options } = serving
  const { address, family, port } = server.address() as AddressInfo
  const { signals = ['SIGTERM', 'SIGINT'], drainMilliseconds = 10_000 } = options
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    state.draining = true
    for (const signal of signals) process.off(signal, onSignal)
    closing ??= drain(server, serving, drainMilliseconds).then(() => app.close())
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

// Hooks run first, while requests are still answered; the time limit includes them.
async function drain(
  server: HttpServer,
  { app, connections }: Listening,
  milliseconds: number,
): Promise<void> {
  let isOver = false
  const force = setTimeout(() => {
    isOver = true
    connections.destroyAll()
  }, milliseconds)
  const begun = app.beginClosing(milliseconds / 2)
  if (begun !== null) await begun
  await stop(server, connections, () => isOver)
  clearTimeout(force)
}

function stop(server: HttpServer, connections: Connections, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const silent = setTimeout(() => connections.destroySilent(), SILENCE_MILLISECONDS)
    // A response whose head was sent earlier has not asked its client to close: its connection would stay idle for seconds.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_MILLISECONDS)
    server.close(() => {
      clearTimeout(silent)
      clearInterval(idle)
      resolve()
    })
    // Connections that came while the hooks took all the time.
    if (isOver()) connections.destroyAll()
  })
}
