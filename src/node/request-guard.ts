import type { IncomingMessage } from 'node:http'
import { type Refusal, refusalOf } from '../app/internal.ts'

// RFC 9110 section 4.2.1 and RFC 3986 section 3.2.2: a registered name or address, and a port.
const HOST = /^(?:[a-z0-9._~!$&'()*+,;=%-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i
// Lines that must not come twice, for what stands behind would pick one of them; and the one that frames a body. No two
// are of one length, so that most lines of a request are passed over by theirs.
const NAMES: readonly (string | undefined)[] = byLength([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
])

// Node shows no line beyond a number of them, and what a proxy appended stands last. Releases differ in the number.
const MAX_LINES = 1000
const FRAMING = (1 << 'content-length'.length) | (1 << 'transfer-encoding'.length)

/**
 * Refuses what no request object shows any more: doubled lines, an illegal host, a target that is no path, methods
 * that no application answers.
 */
export class RequestGuard {
  // Nearly every request of a server names the same host, so the last good one is judged by comparison.
  #goodHost: string | null = null
  /** Whether the message that was judged last announces a body. */
  announcesBody = false

  /**
   * @param message The message as node parsed it.
   * @returns Why it is refused; null when it goes on.
   */
  refusalOf(message: IncomingMessage): Refusal | null {
    return refusalOf(message.method, message.url ?? '') ?? this.#refusalOfLines(message)
  }

  #refusalOfLines(message: IncomingMessage): Refusal | null {
    const lines = message.rawHeaders
    if (lines.length > 2 * MAX_LINES) return { status: 431, message: 'The request has too many header lines' }
    let seen = 0
    let host: string | undefined
    for (let i = 0; i < lines.length; i += 2) {
      const sent = lines[i] ?? ''
      const name = NAMES[sent.length]
      if (name === undefined || !isNamed(sent, name)) continue
      const bit = 1 << name.length
      if ((seen & bit) !== 0 && name !== 'transfer-encoding')
        return { status: 400, message: `The header ${name} was sent twice` }
      seen |= bit
      if (name === 'host') host = lines[i + 1]
      else if (name === 'transfer-encoding' && !isChunked(lines[i + 1] ?? ''))
        return { status: 400, message: 'The transfer encoding of the request is not supported' }
    }
    this.announcesBody = (seen & FRAMING) !== 0
    if (host === this.#goodHost) return null
    // Only HTTP/1.0 may leave the host out.
    if (host === undefined)
      return message.httpVersion === '1.0' ? null : { status: 400, message: 'The request names no host' }
    if (!isHost(host)) return { status: 400, message: 'The host of the request is malformed' }
    this.#goodHost = host
    return null
  }
}

/**
 * @param host A host with an optional port.
 * @returns Whether it can stand in a `Host` header.
 */
export function isHost(host: string): boolean {
  const match = host.length > 261 ? null : HOST.exec(host)
  return match !== null && Number(match[1] ?? 0) <= 65_535
}

// A body that is coded in another way beside could not be read.
function isChunked(encoding: string): boolean {
  return encoding.toLowerCase() === 'chunked'
}

function isNamed(sent: string, name: string): boolean {
  // In small letters the first character tells nearly all apart.
  return (sent.charCodeAt(0) | 32) === name.charCodeAt(0) && (sent === name || sent.toLowerCase() === name)
}

function byLength(names: readonly string[]): readonly (string | undefined)[] {
  const found: (string | undefined)[] = []
  for (const name of names) found[name.length] = name
  return found
}
