import type { ServerResponse } from 'node:http'
import { reportFault } from '../app/internal.ts'
import { assertBytes, type LightResponse } from '../http/internal.ts'

const STALL_MILLISECONDS = 30_000
const SLICE_BYTES = 65_536
// The timeout of Bun does not see that waiting data moves. It begins anew with each slice.
const WRITES_SLICES = process.versions['bun'] !== undefined

/**
 * Writes a response to a connection. A client that accepts no data for a minute is disconnected, because the data it does
 * not accept stays in memory.
 *
 * @param light The response.
 * @param outgoing Node's response object.
 * @param draining Whether the server is closing: the client is then asked to close the connection.
 */
export function writeResponse(light: LightResponse, outgoing: ServerResponse, draining: boolean): void {
  const payload = WRITES_SLICES ? sliced(light.payload) : light.payload
  // Before the head is sent: if the body is already being read, a 500 is still possible.
  const reader = payload instanceof ReadableStream ? readerOf(payload) : null
  const lines = light.headerLines()
  if (draining && light.header('connection') === null) lines.push('connection', 'close')
  outgoing.writeHead(light.status, lines)
  // Node writes a string body and the head before it in one encoding. Header values are Latin-1, which UTF-8 would encode as
  // two bytes; and ASCII text is faster written as Latin-1.
  if (reader !== null) return void pump(reader, light, outgoing)
  if (typeof payload === 'string') {
    if (light.isAsciiText) outgoing.end(payload, 'latin1')
    else outgoing.end(light.hasAsciiHeaders ? payload : Buffer.from(payload))
  } else outgoing.end(payload)
  limitStall(outgoing)
}

function sliced(payload: LightResponse['payload']): LightResponse['payload'] {
  if (payload === null || payload instanceof ReadableStream || payload.length <= SLICE_BYTES) return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + SLICE_BYTES))
      at += SLICE_BYTES
      if (at >= bytes.length) controller.close()
    },
  })
}

// Data that the system does not accept waits in memory. Node closes a connection on which nothing moved: it checks twice
// whether any of the waiting data has been sent since. At the end of the response, the limit for idle connections replaces
// this one.
function limitStall({ socket, writableLength }: ServerResponse): void {
  if (socket !== null && writableLength > 0) socket.setTimeout(STALL_MILLISECONDS)
}

function readerOf(stream: ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
  if (stream.locked) throw new TypeError('Cannot send a response whose body is being read elsewhere')
  return stream.getReader()
}

// Waits for `drain`. If the client disconnects, the stream is cancelled; if the stream fails, the connection is cut.
async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  response: LightResponse,
  outgoing: ServerResponse,
): Promise<void> {
  let head: NodeJS.Immediate | undefined
  let isWaiting = false
  // A stream may fail while its client takes nothing: nobody reads it then, and the client may never take anything again.
  reader.closed.catch((fault: unknown) => {
    if (!isWaiting || outgoing.destroyed) return
    if (!response.bodyFailed(fault)) reportFault(fault)
    outgoing.destroy()
  })
  try {
    const cancel = (): void => void reader.cancel().catch(() => undefined)
    if (outgoing.destroyed) return cancel()
    outgoing.once('close', cancel)
    // A longer body would be read as the next response, and the client would wait for the rest of a shorter one.
    outgoing.strictContentLength = true
    // Node delays the head until the first bytes, which may come late: an event stream starts with none.
    head = setImmediate(() => outgoing.flushHeaders())
    for (;;) {
      const { done, value } = await reader.read()
      clearImmediate(head)
      if (done) break
      assertBytes(value)
      if (outgoing.write(value)) continue
      isWaiting = true
      await writable(outgoing)
      isWaiting = false
    }
    outgoing.off('close', cancel)
    outgoing.end()
    limitStall(outgoing)
  } catch (error) {
    clearImmediate(head)
    // The status has been sent: cutting the connection is the only way left to show that the body is incomplete.
    if (outgoing.socket?.destroyed === false && !response.bodyFailed(error)) reportFault(error)
    outgoing.destroy()
  }
}

function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const onDrain = (): void => settle(resolve)
    const onClose = (): void => settle(() => reject(new Error('The client disconnected')))
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
