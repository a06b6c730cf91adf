import { type Server as HttpServer, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isLingering, lingerAtClose } from './linger.ts'

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

// What a client may send while its refusal waits for the answers before it: as much as of requests.
const MAX_DISCARDED_BYTES = 1_048_576

/**
 * Refuses what never becomes a request: bytes that are no HTTP, a head or body that takes too long, CONNECT. Node keeps
 * no eye on such a connection any more, so it is destroyed here.
 *
 * @param server The server.
 * @param headers Header lines of every refusal, names and values by turns.
 */
export function refuseAtSocket(server: HttpServer, headers: readonly string[]): void {
  const waiting = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    const socket = connection as Socket
    // Node says it again for whatever still comes.
    if (isLingering(socket) || waiting.has(socket)) return
    if (!socket.writable) return void socket.destroy()
    waiting.add(socket)
    if (currentAnswer(socket)?.req.complete === true) {
      // Gone within the next message: as where it goes behind a whole one, nothing more is answered.
      if (socket.readableEnded) return void socket.end()
      discardInput(socket)
    }
    refuseInTurn(socket, STATUS_BY_CODE[error.code ?? ''] ?? 400, headers)
  })
  server.on('connect', (_message, connection) => {
    const socket = connection as Socket
    if (currentAnswer(socket) !== null) {
      keepAnswering(socket)
      discardInput(socket)
    }
    refuseInTurn(socket, 405, [...headers, 'allow', 'GET, HEAD'])
  })
}

// With a tunnel in view node takes its listeners off the connection, and the answers that go first still need two of them:
// one goes on when the client has read, the other cuts off a client that reads nothing.
function keepAnswering(socket: Socket): void {
  socket.on('drain', () => {
    const answer = currentAnswer(socket)
    if (answer?.writableNeedDrain === true) answer.emit('drain')
  })
  socket.on('timeout', () => socket.destroy())
}

// That a client has gone is noticed only by reading on.
function discardInput(socket: Socket): void {
  let left = MAX_DISCARDED_BYTES
  socket.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) socket.destroy()
  })
  socket.on('end', () => socket.end())
}

// Answers to requests that came whole before it on the connection go first.
function refuseInTurn(socket: Socket, status: number, headers: readonly string[]): void {
  const before = currentAnswer(socket)
  if (before?.req.complete === true) {
    before.once('close', () => refuseInTurn(socket, status, headers))
    return
  }
  // Within an answer there is no place for another one.
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
 * @returns The answer that is being made or written on it; null when it waits for a request.
 */
function currentAnswer(socket: Socket): ServerResponse | null {
  // Node's own way from a connection to its answer; its default for `clientError` asks the same.
  const { _httpMessage: message = null } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return message
}
