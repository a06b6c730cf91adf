import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../app/index.ts'
import { MISDIRECTED, type Refusal, refusal, reportFault } from '../app/internal.ts'
import { LightResponse } from '../http/internal.ts'
import type { RequestGuard } from './request-guard.ts'
import { lingerAtClose } from './linger.ts'
import { type Exchange, NodeRequest, type NodeRequestOptions } from './node-request.ts'
import { writeResponse } from './node-response.ts'

/** What all exchanges of a server share. */
export interface ExchangeServices {
  /** The application. */
  readonly app: App
  /** Refuses what never reaches the application. */
  readonly guard: RequestGuard
  /** Asked when the response is written, not when the request came: the server may be closing by then. */
  readonly state: { readonly draining: boolean }
  /** What requests are made of. */
  readonly source: NodeRequestOptions
}

// What the requests that wait for their turn on one connection may keep in memory, and what node keeps of one beside its
// lines: 1.7 to 2.2 KB, measured with 150,000 of 28 bytes.
const MAX_WAITING_BYTES = 1_048_576
const REQUEST_BYTES = 2048
const waitingBytes = new WeakMap<Socket, number>()

/**
 * Answers a request when its turn has come. Of the requests that a client sends without waiting for answers (pipelining)
 * one runs at a time, after the answer before it has been handed to the system: a client that reads nothing holds one
 * answer in memory, and one connection keeps no more than one action busy. A connection on which over 1 MiB of requests
 * waits is destroyed: node would read and keep as many as a client sends.
 *
 * @param exchange The message and its response.
 * @param services What all exchanges share.
 * @see RFC 9112 section 9.3.2.
 */
export function answerInTurn(exchange: Exchange, services: ExchangeServices): void {
  const { outgoing } = exchange
  // Node gives a response its connection when the one before it has been flushed.
  if (outgoing.socket !== null) return answer(exchange, services)
  const { socket: connection } = exchange.message
  const bytes = REQUEST_BYTES + headLength(exchange.message)
  const waiting = (waitingBytes.get(connection) ?? 0) + bytes
  if (waiting > MAX_WAITING_BYTES) return void connection.destroy()
  waitingBytes.set(connection, waiting)
  outgoing.once('socket', (socket: Socket) => {
    waitingBytes.set(socket, (waitingBytes.get(socket) ?? bytes) - bytes)
    // The limit of the answer before: this one has one of its own when it is written.
    socket.setTimeout(0)
    process.nextTick(answer, exchange, services)
  })
}

/**
 * Refuses an expectation that is not `100-continue`.
 *
 * @param exchange The message and its response.
 * @param services What all exchanges share.
 * @see RFC 9110 section 10.1.1.
 */
export function refuseExpectation(exchange: Exchange, services: ExchangeServices): void {
  refuseRequest(exchange, services, { status: 417, message: 'The expectation cannot be met' })
}

function answer(exchange: Exchange, services: ExchangeServices): void {
  const { message, outgoing } = exchange
  if (outgoing.destroyed) return
  const { guard } = services
  const reason = guard.refusalOf(message)
  if (reason !== null) return refuseRequest(exchange, services, reason)
  const request = new NodeRequest(exchange, services.source, guard.announcesBody)
  const { hosts } = services.source
  if (hosts !== null && !hosts.accepts(request.host)) return refuseRequest(exchange, services, MISDIRECTED)
  const response = services.app.handle(request)
  if (!(response instanceof Promise)) return send(response, { request, outgoing, services })
  response.then(
    (made) => send(made, { request, outgoing, services }),
    (error: unknown) => fail(error, { request, outgoing, services }),
  )
}

// Node keeps the lines twice: as they came, and by name.
function headLength({ url = '', rawHeaders }: IncomingMessage): number {
  let length = url.length
  for (const line of rawHeaders) length += 2 * line.length
  return length
}

interface Answering {
  readonly request: NodeRequest
  readonly outgoing: ServerResponse
  readonly services: ExchangeServices
}

function send(response: Response, answering: Answering): void {
  const { request, outgoing, services } = answering
  try {
    const light = LightResponse.from(response)
    // A stream may be made of the body, which then is read on while the response is sent.
    const isReadOn = light.payload instanceof ReadableStream && request.keepReading()
    const isLast = (!isReadOn && leaveBody(request, outgoing)) || services.state.draining
    writeResponse(light, outgoing, isLast)
  } catch (error) {
    if (LightResponse.from(response).bodyFailed(error)) failPlainly(answering)
    else fail(error, answering)
  }
}

// What the application did not read is not read for it: the connection ends instead. Tells whether it does.
function leaveBody(request: NodeRequest, outgoing: ServerResponse): boolean {
  if (!request.hasUnreadBody()) return false
  request.stopReading()
  if (outgoing.socket !== null) lingerAtClose(outgoing.socket)
  return true
}

function fail(error: unknown, answering: Answering): void {
  reportFault(error)
  failPlainly(answering)
}

function failPlainly({ request, outgoing, services }: Answering): void {
  if (outgoing.headersSent) return void outgoing.destroy()
  leaveBody(request, outgoing)
  const reason = { status: 500, message: 'Something went wrong on our end' }
  refuse(outgoing, reason, services.app.linesOfRefusal(request.secure))
}

function refuseRequest({ message, outgoing }: Exchange, services: ExchangeServices, reason: Refusal): void {
  // What the message announces is known to the guard only when it has checked all lines.
  const request = new NodeRequest({ message, outgoing }, services.source, true)
  leaveBody(request, outgoing)
  refuse(outgoing, reason, services.app.linesOfRefusal(request.secure))
}

function refuse(outgoing: ServerResponse, reason: Refusal, headers: readonly string[]): void {
  const lines = refusal(reason, headers).headerLines()
  if (reason.status === 405) lines.push('allow', 'GET, HEAD')
  outgoing.writeHead(reason.status, [...lines, 'connection', 'close'])
  outgoing.end(reason.message)
}
