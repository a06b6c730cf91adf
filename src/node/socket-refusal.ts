import { type Server as HttpServer, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isLingering, lingerAtClose } from './linger.ts'

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

// How much a client may send while its refusal waits for earlier responses: the same as for waiting requests.
const MAX_DISCARDED_BYTES = 1_048_576

/**
 * Refuses connections that never produce a request: bytes that are not HTTP, a head or body that takes too long, CONNECT. Node
 * no longer watches such a connection, so it is destroyed here.
 *
 * @param server The server.
 * @param headers Header lines of every refusal, alternating names and values.
 */
export function refuseAtSocket(server: HttpServer, headers: readonly string[]): void {
  const waiting = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    const socket = connection as Socket
    // Node emits the event again for further data.
    if (isLingering(socket) || waiting.has(socket)) return
    if (!socket.writable) return void socket.destroy()
    waiting.add(socket)
    if (currentAnswer(socket)?.req.complete === true) {
      // The client disconnected in the middle of a message: nothing more is answered, as after a complete one.
      if (socket.readableEnded) return void socket.end()
      discardInput(socket)
    }
    refuseInTurn(socket, STATUS_BY_CODE[error.code ?? ''] ?? 400, headers)
  })
  server.on('connect', (_message, connection) => {
    const socket = connection as Socket
    const lines = [...headers, 'allow', 'GET, HEAD']
    if (!refuseBehindAnswers(socket, 405, lines)) refuseInTurn(socket, 405, lines)
  })
  // The handshake of TLS failed: the client speaks something else, and an answer could not be read.
  server.on('tlsClientError', (_error: Error, socket: Socket) => void socket.destroy())
}

/**
 * Refuses to let a connection leave HTTP while earlier requests on it wait for their responses, which go first.
 *
 * @param socket The connection.
 * @param status Status of the refusal.
 * @param headers Header lines of the refusal, alternating names and values.
 * @returns Whether it is refused.
 */
export function refuseBehindAnswers(socket: Socket, status: number, headers: readonly string[]): boolean {
  if (currentAnswer(socket) === null) return false
  keepAnswering(socket)
  discardInput(socket)
  refuseInTurn(socket, status, headers)
  return true
}

// Before CONNECT, Node removes its listeners from the connection. Earlier responses still need two of them: one continues when
// the client has read, the other disconnects a client that reads nothing.
function keepAnswering(socket: Socket): void {
  socket.on('drain', () => {
    const answer = currentAnswer(socket)
    if (answer?.writableNeedDrain === true) answer.emit('drain')
  })
  socket.on('timeout', () => socket.destroy())
}

// Only reading reveals that a client has disconnected.
function discardInput(socket: Socket): void {
  let left = MAX_DISCARDED_BYTES
  socket.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) socket.destroy()
  })
  socket.on('end', () => socket.end())
}

// Responses to complete requests that came earlier on the connection go first.
function refuseInTurn(socket: Socket, status: number, headers: readonly string[]): void {
  const before = currentAnswer(socket)
  if (before?.req.complete === true) {
    before.once('close', () => refuseInTurn(socket, status, headers))
    return
  }
  // A refusal cannot be sent in the middle of another response.
  if (before?.headersSent === true) socket.destroy()
  else if (socket.writable) refuse(socket, status, headers)
}

function refuse(socket: Socket, status: number, headers: readonly string[]): void {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  lingerAtClose(socket)
  socket.write(`${text}content-length: 0\r\nconnection: close\r\n\r\n`)
  socket.destroySoon()
}

/**
 * @param socket A connection of a server.
 * @returns The response that is being made or written on it; null when it waits for a request.
 */
export function currentAnswer(socket: Socket): ServerResponse | null {
  // Node's own link from a connection to its response; its default handler of `clientError` uses it too.
  const message: unknown = '_httpMessage' in socket ? socket._httpMessage : null
  return message instanceof ServerResponse ? message : null
}
