import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../app/index.ts'
import { MISDIRECTED, type Refusal, refusal, reportFault } from '../app/internal.ts'
import { LightResponse } from '../http/internal.ts'
import type { RequestGuard } from './request-guard.ts'
import { isClosing, lingerAtClose } from './linger.ts'
import { type Exchange, NodeRequest, type NodeRequestOptions } from './node-request.ts'
import type { PendingAnswers } from './pending-answers.ts'
import { writeResponse } from './node-response.ts'

/** What all exchanges of a server share. */
export interface ExchangeServices {
  /** The application. */
  readonly app: App
  /** Refuses requests that must not reach the application. */
  readonly guard: RequestGuard
  /** Read when the response is written, because the server may be closing by then. */
  readonly state: { readonly draining: boolean }
  /** What the application is still answering. */
  readonly pending: PendingAnswers
  /** Options for creating requests. */
  readonly source: NodeRequestOptions
}

// Memory limit for requests that wait for their turn on one connection, and what Node keeps of one in addition to its lines:
// 1.7 to 2.2 KB, measured with 150,000 requests of 28 bytes.
const MAX_WAITING_BYTES = 1_048_576
const REQUEST_BYTES = 2048
const waitingBytes = new WeakMap<Socket, number>()

/**
 * Answers a request when its turn has come. Of pipelined requests, one runs at a time, after the previous response has been
 * handed to the system. So a client that reads nothing holds one response in memory, and one connection keeps at most one
 * action busy. A connection with over 1 MiB of waiting requests is destroyed, because Node would read and keep as many as a
 * client sends.
 *
 * @param exchange The message and its response.
 * @param services What all exchanges share.
 * @see RFC 9112 section 9.3.2.
 */
export function answerInTurn(exchange: Exchange, services: ExchangeServices): void {
  const { outgoing } = exchange
  // What follows a body that was not read is not answered. A client may send it all the same.
  if (isClosing(exchange.message.socket)) return void exchange.message.socket.pause()
  // Node assigns the connection to a response when the previous one has been flushed.
  if (outgoing.socket !== null) return answer(exchange, services)
  const { socket: connection } = exchange.message
  const bytes = REQUEST_BYTES + headLength(exchange.message)
  const waiting = (waitingBytes.get(connection) ?? 0) + bytes
  if (waiting > MAX_WAITING_BYTES) return void connection.destroy()
  waitingBytes.set(connection, waiting)
  outgoing.once('socket', (socket: Socket) => {
    waitingBytes.set(socket, (waitingBytes.get(socket) ?? bytes) - bytes)
    // Clears the limit of the previous response; this one gets its own when it is written.
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
  services.pending.add(response)
  response.then(
    (made) => send(made, { request, outgoing, services }),
    (error: unknown) => fail(error, { request, outgoing, services }),
  )
}

// Node keeps each line twice: raw and by name.
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
    // The response may be a stream made from the body, which is then read while the response is sent.
    const isReadOn = light.payload instanceof ReadableStream && request.keepReading()
    const isLast = (!isReadOn && leaveBody(request, outgoing)) || services.state.draining
    writeResponse(light, outgoing, isLast)
  } catch (error) {
    if (LightResponse.from(response).bodyFailed(error)) failPlainly(answering)
    else fail(error, answering)
  }
}

// What the application has not read is dropped, if it is within the limit of the request, and the connection ends. Returns
// whether it does.
function leaveBody(request: NodeRequest, outgoing: ServerResponse): boolean {
  if (!request.hasUnreadBody()) return false
  const rest = request.restOfBody()
  if (rest === null) request.stopReading()
  if (outgoing.socket !== null) lingerAtClose(outgoing.socket, rest)
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
  services.app.reportRefusal(request, refuse(outgoing, reason, services.app.linesOfRefusal(request.secure)))
}

function refuse(outgoing: ServerResponse, reason: Refusal, headers: readonly string[]): LightResponse {
  const response = refusal(reason, headers)
  const lines = response.headerLines()
  if (reason.status === 405) lines.push('allow', 'GET, HEAD')
  outgoing.writeHead(reason.status, [...lines, 'connection', 'close'])
  outgoing.end(reason.message)
  return response
}
