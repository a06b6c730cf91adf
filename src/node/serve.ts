import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server as HttpServer,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { App } from '../app/index.ts'
import { reportFault } from '../app/internal.ts'
import { completeMessage, loadLateParts } from '../core/internal.ts'
import { Connections } from './connections.ts'
import { answerInTurn, type ExchangeServices, refuseExpectation } from './exchange.ts'
import { PendingAnswers } from './pending-answers.ts'
import { RequestGuard } from './request-guard.ts'
import { requestOptions } from './request-options.ts'
import { checkRuntime, TIME_LIMITS } from './serving-runtime.ts'
import { refuseAtSocket } from './socket-refusal.ts'
import { assertServe, type ServeOptions } from './serve-options.ts'
import { listenOnSocket, type ReleaseSocket } from './unix-socket.ts'
import {
  acceptUpgrades,
  asksForWebSocket,
  assertUpgrades,
  type UpgradeHandler,
  type UpgradeOptions,
} from './upgrades.ts'

/** A listening server. */
export interface Server {
  /** Base URL of the server, such as `http://127.0.0.1:3000`; of a Unix socket `unix:/run/app.sock`. */
  readonly url: string
  /** Port that it listens on; 0 on a Unix socket. */
  readonly port: number
  /** The server of `node:http` or `node:https`, for libraries that take one. */
  readonly node: HttpServer
  /**
   * Accepts WebSockets. A request for one runs through the application as a GET: its middlewares, guards and action. If the
   * answer is a 2xx, the handler gets the connection and the context; else the answer is sent. `Origin` must be that of the
   * server, or one of the list.
   *
   * @param handler Hands the connection to a WebSocket library.
   * @param options `origins`: further origins whose pages may open one. Default: none.
   * @throws {TypeError} If the handler is not a function, or an origin is malformed.
   * @throws {Error} If it is called twice.
   */
  onUpgrade(handler: UpgradeHandler, options?: UpgradeOptions): void
  /**
   * Runs the hooks of `onClosing()`, stops accepting connections, lets pending requests finish, discards uploads that were cut off,
   * then closes the application.
   * A second call waits for the first.
   */
  close(): Promise<void>
}

const IDLE_MILLISECONDS = 50
// How long a connection may stay silent while the server closes.
const SILENCE_MILLISECONDS = 1000
// How long answers whose connections were destroyed may take to end. Less than the second that closing may take longer.
const SETTLING_MILLISECONDS = 500
// The first requests come before what they do not need.
const LATE_PARTS_MILLISECONDS = 1000
const DEFAULT_MODE = 0o660

/**
 * Boots an application and serves it with `node:http`.
 *
 * @param app The application.
 * @param options Where to listen and how to close.
 * @returns The listening server.
 * @throws {RoutingException} If a declaration is wrong or URLs are ambiguous.
 * @throws {ContainerException} If a service cannot be built.
 * @throws {TypeError} If an option is invalid: the origin is not `http://host` or `https://host`, a host or the address of a
 * proxy is malformed, the port is out of range, a signal cannot be handled, key and certificate do not fit. Nothing has
 * booted then.
 * @throws {Error} If the port or the Unix socket is in use or not allowed (`code` says which), or `node:http`
 * of the runtime has no time limits. Where others of its promises are not kept (Bun, Deno), a warning says so.
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
  try {
    return await started(app, options)
  } catch (error) {
    await completeMessage(error)
    throw error
  }
}

async function started(app: App, options: ServeOptions): Promise<Server> {
  assertServe(app, options)
  const request = requestOptions(app, options)
  checkRuntime()
  await app.boot()
  const state = { draining: false, acceptsWebSockets: false }
  const source = { ...request, bodyBytes: app.currentLimits().bodyBytes }
  const services = { app, guard: new RequestGuard(), state, pending: new PendingAnswers(), source }
  const server = serverOf(services, state, options.tls)
  const connections = new Connections(server)
  const release = await listen(server, options)
  setTimeout(() => void loadLateParts(), LATE_PARTS_MILLISECONDS).unref()
  return listening(server, { services, connections, state, options, release })
}

interface ServerState {
  draining: boolean
  acceptsWebSockets: boolean
}

function serverOf(services: ExchangeServices, state: ServerState, tls: ServeOptions['tls']): HttpServer {
  const settings = {
    ...TIME_LIMITS,
    // Nothing reads the stream of a body that was not announced.
    optimizeEmptyRequests: true,
    // The guard refuses it, with the headers of every refusal.
    requireHostHeader: false,
    // Any other protocol is declined: the request is answered as if it had not asked.
    shouldUpgradeCallback: (message: IncomingMessage): boolean =>
      server.listenerCount('upgrade') > 0 && (!state.acceptsWebSockets || asksForWebSocket(message)),
  }
  const answer: RequestListener = (message, outgoing) => answerInTurn({ message, outgoing }, services)
  const server: HttpServer =
    tls === undefined
      ? createServer(settings, answer)
      : createSecureServer({ handshakeTimeout: TIME_LIMITS.headersTimeout, ...tls, ...settings }, answer)
  // No line is dropped: their bytes are limited, and the guard refuses a request with too many.
  server.maxHeadersCount = 0
  // Node would invite every body; here the code that reads it does.
  server.on('checkContinue', (message, outgoing) => answerInTurn({ message, outgoing }, services))
  server.on('checkExpectation', (message, outgoing) => refuseExpectation({ message, outgoing }, services))
  // Without a request it is unknown whether a proxy was contacted over HTTPS.
  const isSecure = tls !== undefined || services.source.origin?.startsWith('https:') === true
  refuseAtSocket(server, services.app.linesOfRefusal(isSecure))
  // The system could not accept a connection, for lack of memory or file descriptors.
  server.on('error', (error) => server.listening && reportFault(error))
  return server
}

function listen(server: HttpServer, options: ServeOptions): Promise<ReleaseSocket> {
  const { port = 3000, host = '127.0.0.1', socketPath, socketMode = DEFAULT_MODE } = options
  if (socketPath !== undefined) return listenOnSocket(server, socketPath, socketMode)
  return new Promise((done, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      done(() => Promise.resolve())
    })
  })
}

interface Listening {
  readonly services: ExchangeServices
  readonly connections: Connections
  readonly state: ServerState
  readonly options: ServeOptions
  /** Removes what stands for the server in the file system. */
  readonly release: ReleaseSocket
}

function listening(server: HttpServer, serving: Listening): Server {
  const { services, state, options } = serving
  const { signals = ['SIGTERM', 'SIGINT'], drainMilliseconds = 10_000 } = options
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    state.draining = true
    for (const signal of signals) process.off(signal, onSignal)
    closing ??= drain(server, serving, drainMilliseconds).then(() => services.app.close())
    return closing
  }
  const onSignal = (): void => {
    close().catch((error: unknown) => {
      reportFault(error)
      process.exitCode = 1
    })
  }
  for (const signal of signals) process.on(signal, onSignal)
  const onUpgrade = (handler: UpgradeHandler, given: UpgradeOptions = {}): void => {
    assertUpgrades(handler, given)
    if (state.acceptsWebSockets) throw new Error('Cannot accept WebSockets twice: call onUpgrade() once')
    state.acceptsWebSockets = true
    acceptUpgrades(server, services, { ...given, handler })
  }
  return { ...addressOf(server, options), node: server, onUpgrade, close }
}

function addressOf(server: HttpServer, { socketPath, tls }: ServeOptions): Pick<Server, 'url' | 'port'> {
  if (socketPath !== undefined) return { url: `unix:${resolve(socketPath)}`, port: 0 }
  const { address, family, port } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return { url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}`, port }
}

// Hooks run first, while requests are still answered; the time limit includes them.
async function drain(
  server: HttpServer,
  { services: { app, pending }, connections, release }: Listening,
  milliseconds: number,
): Promise<void> {
  const end = performance.now() + milliseconds
  let isOver = false
  const force = setTimeout(() => {
    isOver = true
    connections.destroyAll()
  }, milliseconds)
  const begun = app.beginClosing(milliseconds / 2)
  if (begun !== null) await begun
  await release().catch(reportFault)
  await stop(server, connections, () => isOver)
  clearTimeout(force)
  // What is still answered has lost its client. It ends before the application is closed, which it may still need.
  await pending.settled(Math.max(end - performance.now(), 0) + SETTLING_MILLISECONDS)
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
