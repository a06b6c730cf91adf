import type { IncomingMessage } from 'node:http'
import { type Refusal, refusalOf } from '../app/internal.ts'

// RFC 9110 section 4.2.1 and RFC 3986 section 3.2.2: a registered name or address, with an optional port.
const HOST = /^(?:[a-z0-9._~!$&'()*+,;=%-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i
// Headers that must not come twice, because code behind would pick one of them, and the one that frames a body. All have
// different lengths, so that most header lines are skipped by their length.
const NAMES: readonly (string | undefined)[] = byLength([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
])

// Node drops header lines beyond a limit, and what a proxy appended comes last. Releases differ in the limit.
const MAX_LINES = 1000
const FRAMING = (1 << 'content-length'.length) | (1 << 'transfer-encoding'.length)

/**
 * Refuses requests for reasons that a request object no longer shows: duplicate headers, an invalid host, a target that is not
 * a path, methods that no application supports.
 */
export class RequestGuard {
  // Nearly every request names the same host, so the last accepted one is compared first.
  #goodHost: string | null = null
  /** Whether the message checked last announces a body. */
  announcesBody = false

  /**
   * @param message The message as node parsed it.
   * @returns Why it is refused; null if it is not.
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
      // RFC 9112 section 6.1: HTTP/1.0 knows none, so a proxy may have framed the message otherwise.
      else if (
        name === 'transfer-encoding' &&
        (message.httpVersion === '1.0' || !isChunked(lines[i + 1] ?? ''))
      )
        return { status: 400, message: 'The transfer encoding of the request is not supported' }
    }
    this.announcesBody = (seen & FRAMING) !== 0
    if (host === this.#goodHost) return null
    // Only HTTP/1.0 allows a request without a host.
    if (host === undefined)
      return message.httpVersion === '1.0' ? null : { status: 400, message: 'The request names no host' }
    if (!isHost(host)) return { status: 400, message: 'The host of the request is malformed' }
    this.#goodHost = host
    return null
  }
}

/**
 * @param host A host with an optional port.
 * @returns Whether it is valid in a `Host` header.
 */
export function isHost(host: string): boolean {
  const match = host.length > 261 ? null : HOST.exec(host)
  return match !== null && Number(match[1] ?? 0) <= 65_535
}

// A body with a further transfer encoding could not be read.
function isChunked(encoding: string): boolean {
  return encoding.toLowerCase() === 'chunked'
}

function isNamed(sent: string, name: string): boolean {
  // Ignoring case, the first character distinguishes nearly all names.
  return (sent.charCodeAt(0) | 32) === name.charCodeAt(0) && (sent === name || sent.toLowerCase() === name)
}

function byLength(names: readonly string[]): readonly (string | undefined)[] {
  const found: (string | undefined)[] = []
  for (const name of names) found[name.length] = name
  return found
}
