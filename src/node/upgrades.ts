import { type IncomingMessage, type Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ResponseEvent } from '../app/index.ts'
import { MISDIRECTED, type Refusal, refusal } from '../app/internal.ts'
import { assertCallback, assertOptions, declarationError, isPromiseLike, shown } from '../core/internal.ts'
import { cancelBody, LightResponse, parseOrigin } from '../http/internal.ts'
import type { ExchangeServices } from './exchange.ts'
import { lingerAtClose } from './linger.ts'
import { NodeRequest } from './node-request.ts'
import { writeResponse } from './node-response.ts'
import { refuseBehindAnswers } from './socket-refusal.ts'

/** A WebSocket that a client may open: the application has accepted its request. */
export interface Upgrade {
  /** Context of the request: who is signed in, its session, its route. Nothing can be set on it any more. */
  readonly context: ResponseEvent['context']
  /** The request, for a WebSocket library. */
  readonly message: IncomingMessage
  /** The connection, which belongs to the handler from now on. */
  readonly socket: Socket
  /** What the client has sent after the head of the request. */
  readonly head: Buffer
}

/** Takes over the connection of an accepted request. */
export type UpgradeHandler = (upgrade: Upgrade) => void | Promise<void>

/** Who may open a WebSocket. */
export interface UpgradeOptions {
  /** Further origins whose pages may, such as `https://www.app.test`. Default: only the origin of the server. */
  readonly origins?: readonly string[]
}

const REFUSED_MILLISECONDS = 1000
const NO_WEBSOCKET: Refusal = { status: 400, message: 'A WebSocket is opened with GET and without a body' }
const FOREIGN: Refusal = { status: 403, message: 'Pages of this origin may not open a WebSocket here' }
const CLOSING: Refusal = { status: 503, message: 'The server is closing' }

/**
 * @param message A request that wants to leave HTTP.
 * @returns Whether it asks for a WebSocket, and may: in HTTP/1.0 the wish means nothing.
 * @see RFC 9110 section 7.8.
 */
export function asksForWebSocket({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * @param handler The handler as passed.
 * @param options Its options.
 * @throws {TypeError} If the handler is not a function, or an origin is not `http://host` or `https://host`.
 */
export function assertUpgrades(handler: UpgradeHandler, options: UpgradeOptions): void {
  if (typeof handler !== 'function') assertCallback(handler, 'accept WebSockets')
  assertOptions(options, ['origins'], 'onUpgrade()')
  const origins: unknown = options.origins ?? []
  const list: readonly unknown[] = Array.isArray(origins) ? origins : [origins]
  const bad = list.find((origin) => parseOrigin(origin) === undefined)
  if (!Array.isArray(origins) || bad !== undefined)
    throw declarationError(
      `Cannot accept WebSockets from ${shown(bad)}: pass a list of origins, such as ["https://www.app.test"]`,
    )
}

/**
 * Accepts WebSockets. A request for one runs through the application like any GET: middlewares, guards, the action. If the
 * answer is a 2xx, the connection goes to the handler; otherwise the answer is sent, and the connection is closed.
 *
 * Browsers let every page open a WebSocket anywhere, with the cookies of the user. So `Origin` must be that of the server or
 * one of the list; it may be missing only without a cookie, which no browser does.
 *
 * @param server The server.
 * @param services What all exchanges share.
 * @param accepting The handler, and whose pages may open a WebSocket.
 * @see RFC 6455 sections 4.2 and 10.2.
 */
export function acceptUpgrades(
  server: HttpServer,
  services: ExchangeServices,
  accepting: UpgradeOptions & { readonly handler: UpgradeHandler },
): void {
  server.on('upgrade', (message, connection, head) => {
    const socket = connection as Socket
    // Node has let go of the connection, on which earlier requests may wait for their responses.
    if (refuseBehindAnswers(socket, 400, services.app.linesOfRefusal(false))) return
    void new Handshake({ message, socket, head, services }).run(accepting)
  })
}

interface HandshakeParts extends Omit<Upgrade, 'context'> {
  readonly services: ExchangeServices
}

/** The request for a WebSocket, until it is accepted or refused. */
class Handshake {
  readonly #parts: HandshakeParts
  readonly #outgoing: ServerResponse

  constructor(parts: HandshakeParts) {
    this.#parts = parts
    this.#outgoing = new ServerResponse(parts.message)
    this.#outgoing.assignSocket(parts.socket)
  }

  async run({ handler, origins = [] }: UpgradeOptions & { readonly handler: UpgradeHandler }): Promise<void> {
    const { message, socket, head, services } = this.#parts
    const { app, guard, source } = services
    const malformed = guard.refusalOf(message)
    const request = new NodeRequest({ message, outgoing: this.#outgoing }, source, false)
    const reason = malformed ?? this.#refusalOf(request, origins)
    if (reason !== null) {
      const refused = refusal(reason, app.linesOfRefusal(request.secure))
      app.reportRefusal(request, refused)
      return this.#answer(refused)
    }
    const { context, response } = app.admit(request)
    const answer = LightResponse.from(await response)
    if (answer.status < 200 || answer.status > 299) return this.#answer(answer)
    cancelBody(answer)
    if (socket.destroyed) return
    this.#outgoing.detachSocket(socket)
    socket.setTimeout(0)
    const fail = (error: unknown): void => {
      socket.destroy()
      app.reportFault(error, context)
    }
    try {
      const done: unknown = handler({ context, message, socket, head })
      if (isPromiseLike(done)) done.then(undefined, fail)
    } catch (error) {
      fail(error)
    }
  }

  #refusalOf(request: NodeRequest, origins: readonly string[]): Refusal | null {
    const { message, services } = this.#parts
    const { guard, source, state } = services
    if (source.hosts !== null && !source.hosts.accepts(request.host)) return MISDIRECTED
    if (message.method !== 'GET' || guard.announcesBody) return NO_WEBSOCKET
    if (!isFrom(request, origins)) return FOREIGN
    return state.draining ? CLOSING : null
  }

  #answer(response: LightResponse): void {
    const { socket } = this.#parts
    if (socket.destroyed) return
    // Whatever the client does: nothing more is read, and it need not take the answer.
    const timer = setTimeout(() => socket.destroy(), REFUSED_MILLISECONDS)
    socket.once('close', () => clearTimeout(timer))
    lingerAtClose(socket)
    this.#outgoing.once('finish', () => socket.destroySoon())
    writeResponse(response, this.#outgoing, true)
  }
}

function isFrom(request: NodeRequest, origins: readonly string[]): boolean {
  const sent = request.header('origin')
  if (sent === null) return request.header('cookie') === null
  const origin = parseOrigin(sent)
  return origin !== undefined && [request.origin, ...origins.map(parseOrigin)].includes(origin)
}
