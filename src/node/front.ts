import type { IncomingMessage } from 'node:http'

// RFC 9110 section 4.2.1 and RFC 3986 section 3.2.2: a registered name or address, and a port.
const HOST = /^(?:[a-z0-9._~!$&'()*+,;=%-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i
// Lines that must not come twice: what stands behind would pick one of them.
const SINGLE: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'content-length'])

/** Why a message is refused before the application sees it. */
export interface Refusal {
  /** Status of the answer. */
  readonly status: number
  /** Its text. */
  readonly message: string
}

/**
 * Refuses what no request object shows any more: doubled lines, an illegal host, a target that is no path, methods
 * that no application answers.
 */
export class Front {
  // Nearly every request of a server names the same host, so the last good one is judged by comparison.
  #goodHost: string | null = null

  /**
   * @param message The message as node parsed it.
   * @returns Why it is refused; null when it goes on.
   */
  refusalOf(message: IncomingMessage): Refusal | null {
    const target = message.url ?? ''
    if (target.charCodeAt(0) !== 47 || target.charCodeAt(1) === 47) {
      return { status: 400, message: 'The target of the request must be a path' }
    }
    if (target.includes('#') || target.includes('\\'))
      return { status: 400, message: 'The target of the request is malformed' }
    if (message.method === 'TRACE' || message.method === 'CONNECT')
      return { status: 405, message: 'This method is not served' }
    return this.#refusalOfLines(message.rawHeaders)
  }

  #refusalOfLines(lines: readonly string[]): Refusal | null {
    let seen = 0
    let host: string | undefined
    for (let i = 0; i < lines.length; i += 2) {
      const { length } = lines[i] ?? ''
      if (length !== 4 && length !== 12 && length !== 13 && length !== 14) continue
      const name = (lines[i] ?? '').toLowerCase()
      if (!SINGLE.has(name)) continue
      const bit = length === 4 ? 1 : 1 << (length - 10)
      if ((seen & bit) !== 0) return { status: 400, message: `The header ${name} was sent twice` }
      seen |= bit
      if (length === 4) host = lines[i + 1]
    }
    // HTTP/1.0 may leave the host out; node refuses its absence in HTTP/1.1.
    if (host === undefined || host === this.#goodHost) return null
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
