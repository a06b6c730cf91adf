import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type App, reportFault } from '../app/index.ts'
import { Front } from './front.ts'
import { lingerAtClose } from './linger.ts'
import { NodeRequest, type NodeRequestOptions } from './node-request.ts'
import { writeResponse } from './node-response.ts'
import { TrustedProxies, type TrustedProxiesOptions } from './trusted-proxies.ts'

/** Options of {@link serve}. */
export interface ServeOptions {
  /** Port to listen on; 0 picks a free one. Default: 3000. */
  readonly port?: number
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string
  /** Scheme and host that clients use, such as `https://app.test`. Default: by the connection and the `Host` header. */
  readonly origin?: string
  /** Proxies whose word about the client's address, scheme and host is taken. Default: none. */
  readonly trustedProxies?: TrustedProxiesOptions
  /** Signals that close the server and then the application. Default: SIGTERM and SIGINT. */
  readonly signals?: readonly NodeJS.Signals[]
  /** Milliseconds that requests in flight have to finish when the server closes. Default: 10000. */
  readonly drainMilliseconds?: number
}

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
// Node hands CONNECT over as a socket and closes it without a word when nobody takes it.
const NO_TUNNEL =
  'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/**
 * Boots an application and serves it with `node:http`.
 *
 * @param app The application.
 * @param options Where to listen and how to close.
 * @returns The listening server.
 * @throws {RoutingException} If the application does not boot.
 * @throws {TypeError} If the origin is no `http://host` or `https://host`, or a proxy's address is none.
 * @throws {Error} If the port is in use or not allowed (`code` says which).
 */
export async function serve(app: App, options: ServeOptions = {}): Promise<Server> {
  const origin = options.origin === undefined ? null : checkedOrigin(options.origin)
  await app.boot()
  const state = { draining: false }
  const front = new Front()
  const proxies = options.trustedProxies === undefined ? null : new TrustedProxies(options.trustedProxies)
  const source = { bodyBytes: app.currentLimits().bodyBytes, origin, proxies }
  const server = createServer(
    {
      headersTimeout: HEADERS_MILLISECONDS,
      requestTimeout: REQUEST_MILLISECONDS,
      connectionsCheckingInterval: CHECK_MILLISECONDS,
      // Nobody listens to the stream of a body that was not announced.
      optimizeEmptyRequests: true,
    },
    (message, outgoing) => answer({ app, front, message, outgoing, state, source }),
  )
  // Asked while the connection stands, the address is known for as long as anybody may ask.
  server.on('connection', (socket) => void socket.remoteAddress)
  server.on('connect', (_message, socket) => socket.end(NO_TUNNEL))
  const { port = 3000, host = '127.0.0.1' } = options
  await listen(server, port, host)
  return listening(server, { app, state, options })
}

interface Exchange {
  readonly app: App
  readonly front: Front
  readonly message: IncomingMessage
  readonly outgoing: ServerResponse
  /** Asked when the response is written, not when the request came: the server may be closing by then. */
  readonly state: { readonly draining: boolean }
  readonly source: NodeRequestOptions
}

function answer({ app, front, message, outgoing, state, source }: Exchange): void {
  const refusal = front.refusalOf(message)
  if (refusal !== null) {
    // What the message announces is known to the front only when it judged all lines.
    leaveBody(new NodeRequest(message, source, true), outgoing)
    return refuse(outgoing, refusal.status, refusal.message)
  }
  const request = new NodeRequest(message, source, front.announcesBody)
  const response = app.handle(request)
  if (!(response instanceof Promise))
    return send(response, outgoing, leaveBody(request, outgoing) || state.draining)
  response.then(
    (made) => send(made, outgoing, leaveBody(request, outgoing) || state.draining),
    (error: unknown) => fail(error, outgoing),
  )
}

// What the application did not read is not read for it: the connection ends instead. Tells whether it does.
function leaveBody(request: NodeRequest, outgoing: ServerResponse): boolean {
  if (!request.hasUnreadBody()) return false
  request.stopReading()
  if (outgoing.socket !== null) lingerAtClose(outgoing.socket)
  return true
}

function send(response: Response, outgoing: ServerResponse, isLast: boolean): void {
  try {
    writeResponse(response, outgoing, isLast)
  } catch (error) {
    fail(error, outgoing)
  }
}

function fail(error: unknown, outgoing: ServerResponse): void {
  reportFault(error)
  if (outgoing.headersSent) outgoing.destroy()
  else refuse(outgoing, 500, 'This did not work because of a fault on our side')
}

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  const lines = [
    'content-type',
    'text/plain; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(text)),
  ]
  if (status === 405) lines.push('allow', 'GET, HEAD')
  outgoing.writeHead(status, [...lines, 'connection', 'close'])
  outgoing.end(text)
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

function listening(
  server: HttpServer,
  { app, state, options }: { app: App; state: { draining: boolean }; options: ServeOptions },
): Server {
  const { address, family, port } = server.address() as AddressInfo
  const { signals = ['SIGTERM', 'SIGINT'], drainMilliseconds = 10_000 } = options
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    state.draining = true
    for (const signal of signals) process.off(signal, onSignal)
    closing ??= drain(server, drainMilliseconds).then(() => app.close())
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

function drain(server: HttpServer, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), milliseconds)
    // An answer whose head was out before has not told its client to close: its connection would idle on for seconds.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_MILLISECONDS)
    server.close(() => {
      clearTimeout(force)
      clearInterval(idle)
      resolve()
    })
  })
}

function checkedOrigin(origin: string): string {
  const url = URL.parse(origin)
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin.replace(/\/$/, '')) {
    throw new TypeError(`Cannot serve as "${origin}": give scheme and host only, such as "https://app.test"`)
  }
  return url.origin
}
