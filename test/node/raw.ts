/**
 * HTTP by hand: what is sent byte by byte, and what comes back.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number
  /** Header lines, names in lower case. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/**
 * @param port Port on 127.0.0.1.
 * @param text What is sent at once.
 * @returns Everything that came back until the server closed the connection, or until nothing came for 2 s.
 */
export function exchange(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.setTimeout(2000, () => socket.destroy())
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (received += chunk))
    socket.on('close', () => resolve(received))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses a body closes while it is still being sent.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
  })
}

/**
 * @param port Port on 127.0.0.1.
 * @param lines Request line and header lines; the blank line after them is added.
 * @param body What follows.
 * @returns The response; it has the status 0 when none came.
 */
export async function request(port: number, lines: readonly string[], body = ''): Promise<RawResponse> {
  return parse(await exchange(port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')))
}

/**
 * @param text A response as it came over the wire.
 * @returns Its parts.
 */
export function parse(text: string): RawResponse {
  const blank = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = (blank === -1 ? text : text.slice(0, blank)).split('\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
    headers: lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
    body: blank === -1 ? '' : text.slice(blank + 4),
  }
}

/**
 * @param response A response.
 * @param name Name of a header, in lower case.
 * @returns All its values.
 */
export function values(response: RawResponse, name: string): string[] {
  return response.headers.filter(([key]) => key === name).map(([, value]) => value)
}

/**
 * Judges a deadline by a timer that begins with the work: what holds up one of them holds up the other too.
 *
 * @param milliseconds How long it may take on a quiet machine.
 * @param work The work.
 * @returns What it gives.
 * @throws {AssertionError} Rejects if it takes longer.
 */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Symbol('late')
  const timer = new AbortController()
  const first = await Promise.race([
    work,
    setTimeout(onThisMachine(milliseconds), late, { signal: timer.signal }),
  ])
  timer.abort()
  if (first === late) assert.fail(`It took longer than ${onThisMachine(milliseconds)} ms`)
  return first
}

/**
 * @param port Port on 127.0.0.1.
 * @returns A connected socket, to be destroyed by the caller.
 */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })
}
