import type { ServerResponse } from 'node:http'
import { reportFault } from '../app/internal.ts'
import { assertBytes, type LightResponse } from '../http/internal.ts'

const STALL_MILLISECONDS = 30_000

/**
 * Writes a response to a connection. A client that takes nothing of it for a minute is cut off, for what it does not
 * take is kept in memory.
 *
 * @param light The response.
 * @param outgoing The connection's side of it.
 * @param draining Whether the server is closing: the client is asked to close the connection.
 */
export function writeResponse(light: LightResponse, outgoing: ServerResponse, draining: boolean): void {
  const { payload } = light
  // Before the head is out: when somebody reads the body already, it is still time for a 500.
  const reader = payload instanceof ReadableStream ? readerOf(payload) : null
  const lines = light.headerLines()
  if (draining && light.header('connection') === null) lines.push('connection', 'close')
  outgoing.writeHead(light.status, lines)
  // Node writes a text and the head before it as one text in one encoding. A header is Latin-1, of which UTF-8 would make
  // two bytes; and plain text is faster written as Latin-1.
  if (reader !== null) return void pump(reader, light, outgoing)
  if (typeof payload === 'string') {
    if (light.isAsciiText) outgoing.end(payload, 'latin1')
    else outgoing.end(light.hasAsciiHeaders ? payload : Buffer.from(payload))
  } else outgoing.end(payload)
  limitStall(outgoing)
}

// What the system does not take waits here for the client. Node cuts a connection on which nothing moved: it looks twice,
// whether anything of what waits has gone out meanwhile. With the end of the response it sets the limit for idle
// connections in its place.
function limitStall({ socket }: ServerResponse): void {
  if (socket !== null && socket.writableLength > 0) socket.setTimeout(STALL_MILLISECONDS)
}

function readerOf(stream: ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
  if (stream.locked) throw new TypeError('Cannot send a response whose body somebody began to read')
  return stream.getReader()
}

// Backpressure by `drain`; a client that leaves cancels the stream, a stream that fails cuts the connection.
async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  response: LightResponse,
  outgoing: ServerResponse,
): Promise<void> {
  let head: NodeJS.Immediate | undefined
  try {
    const cancel = (): void => void reader.cancel().catch(() => undefined)
    if (outgoing.destroyed) return cancel()
    outgoing.once('close', cancel)
    // A body that is longer or shorter than announced would be taken for the next answer, or waited for.
    outgoing.strictContentLength = true
    // Node keeps the head back for the first bytes, which may be long in coming: a stream of events begins with none.
    head = setImmediate(() => outgoing.flushHeaders())
    for (;;) {
      const { done, value } = await reader.read()
      clearImmediate(head)
      if (done) break
      assertBytes(value)
      if (!outgoing.write(value)) await writable(outgoing)
    }
    outgoing.off('close', cancel)
    outgoing.end()
    limitStall(outgoing)
  } catch (error) {
    clearImmediate(head)
    // The status is out already: cutting the connection is the one way left to say that the body is not whole.
    if (outgoing.socket?.destroyed === false && !response.bodyFailed(error)) reportFault(error)
    outgoing.destroy()
  }
}

function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const onDrain = (): void => settle(resolve)
    const onClose = (): void => settle(() => reject(new Error('The client left')))
    const settle = (done: () => void): void => {
      outgoing.socket?.setTimeout(0)
      outgoing.off('drain', onDrain)
      outgoing.off('close', onClose)
      done()
    }
    if (outgoing.destroyed) return onClose()
    limitStall(outgoing)
    outgoing.once('drain', onDrain)
    outgoing.once('close', onClose)
  })
}
