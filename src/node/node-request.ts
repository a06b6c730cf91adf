import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { BadRequestException, PayloadTooLargeException, type ServedHosts } from '../http/index.ts'
import {
  belowBasePath,
  BodyBuffer,
  BodyCounter,
  bodyIsGone,
  counted,
  canonicalAddress,
  handedOut,
  parseOrigin,
  type RequestSource,
  withSharedBody,
} from '../http/internal.ts'
import { BodyClock } from './body-clock.ts'
import { piecesOf, readBody, stopReading } from './body-reading.ts'
import { departureOf } from './departure.ts'
import type { RestOfBody } from './linger.ts'
import { isHost } from './request-guard.ts'
import { type Forwarded, type TrustedProxies, UNIX_SOCKET } from './trusted-proxies.ts'

/** What the server knows about a connection in addition to the message. */
export interface NodeRequestOptions {
  /** Largest body in bytes. */
  readonly bodyBytes: number
  /** Scheme and host of this server; null to take them from the connection and the `Host` header. */
  readonly origin: string | null
  /** Proxies whose forwarding headers are trusted; null for none. */
  readonly proxies: TrustedProxies | null
  /** Whether the server listens on a Unix socket. Default: false. */
  readonly isLocal?: boolean
  /** The path of the host that all URLs begin with, which a proxy may have stripped. Default: none. */
  readonly basePath?: string
  /** Hosts that are served; null for every host. */
  readonly hosts: ServedHosts | null
  /** Milliseconds that a client has to send a body, unless its route says otherwise. Default: 30 s. */
  readonly bodyMilliseconds?: number | undefined
  /** Bytes that prolong the time of a body with files by a second. Default: 10 KiB. */
  readonly uploadBytesPerSecond?: number | undefined
}

/** A message of a client and the response to it. */
export interface Exchange {
  /** The message. */
  readonly message: IncomingMessage
  /** The response. */
  readonly outgoing: ServerResponse
}

const NO_BYTES = new Uint8Array(0)
const BODY_MILLISECONDS = 30_000
const UPLOAD_BYTES_PER_SECOND = 10 * 1024

/** A request source over a message of `node:http`. */
export class NodeRequest implements RequestSource {
  readonly method: string
  readonly target: string
  readonly bodyLength: number | null
  bodyLimit: number
  keptLimit: number = Infinity
  takesFiles: boolean = false
  bodyMilliseconds: number | null = null
  readonly #message: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #options: NodeRequestOptions
  #bytes: Uint8Array | Promise<Uint8Array> | null = null
  #request: Request | null = null
  #signal: AbortSignal | null = null
  #isHandedOut = false
  #clock: BodyClock | null = null
  #isBodyGone = false
  #isStreamed = false
  #finished: Promise<void> | null = null
  #forwarded: Forwarded | null | undefined = undefined

  /**
   * @param exchange The message, checked by `refusalOf()`, and the response to it.
   * @param options What the server knows.
   * @param announcesBody Whether the message announces a body; if not, no header needs to be read to find out.
   */
  constructor(exchange: Exchange, options: NodeRequestOptions, announcesBody: boolean) {
    const { message } = exchange
    this.method = message.method ?? 'GET'
    this.target = belowBasePath(message.url ?? '/', options.basePath ?? '')
    this.#message = message
    this.#outgoing = exchange.outgoing
    this.#options = options
    this.bodyLimit = options.bodyBytes
    this.bodyLength = announcesBody ? announcedLength(message) : 0
  }

  get secure(): boolean {
    const { origin } = this.#options
    if (origin !== null) return origin.startsWith('https:')
    return this.#proxied()?.secure ?? isEncrypted(this.#message.socket)
  }

  get origin(): string {
    const { origin } = this.#options
    if (origin !== null) return origin
    const sent = `${this.secure ? 'https' : 'http'}://${this.host ?? 'localhost'}`
    // A host such as 999.1.1.1 is valid in the header but not in a URL.
    return parseOrigin(sent) ?? sent.toLowerCase()
  }

  /** Host that the client requested, according to trusted proxies; null when it named none. */
  get host(): string | null {
    const forwarded = this.#proxied()?.host
    return typeof forwarded === 'string' && isHost(forwarded) ? forwarded : this.header('host')
  }

  get clientAddress(): string {
    const { remoteAddress = '' } = this.#message.socket
    return this.#proxied()?.address ?? canonicalAddress(remoteAddress)
  }

  get signal(): AbortSignal {
    this.#signal ??= departureOf(this.#outgoing)
    return this.#signal
  }

  get isGone(): boolean {
    return this.#outgoing.destroyed
  }

  get awaitsBody(): boolean {
    return this.#bytes instanceof Promise && !this.#message.complete
  }

  get hasWholeBody(): boolean {
    const { bodyLength } = this
    if (bodyLength === 0 || this.#bytes instanceof Uint8Array) return true
    // Node calls a message complete a turn after the last of it is there.
    return this.#message.complete || this.#message.readableLength === bodyLength
  }

  header(name: string): string | null {
    const value = this.#message.headers[name]
    if (typeof value === 'string') return value
    return Array.isArray(value) ? value.join(', ') : null
  }

  bytes(): Uint8Array | Promise<Uint8Array> {
    this.#bytes ??= this.bodyLength === 0 ? NO_BYTES : this.#read()
    return this.#bytes
  }

  stream(): AsyncIterable<Uint8Array> {
    if (this.#bytes !== null || this.bodyLength === 0 || this.#isBodyGone) return again(() => this.bytes())
    this.#isBodyGone = true
    this.#isStreamed = true
    this.#invite()
    return counted(piecesOf(this.#message, this.#newClock()), () => this.bodyLimit)
  }

  finishBody(): Promise<void> {
    this.#finished ??= this.#finish()
    return this.#finished
  }

  /**
   * Continues reading for a response that may be made from the body.
   *
   * @returns Whether the body was passed on as a stream, which may be read while the response is sent.
   */
  keepReading(): boolean {
    if (!this.#isHandedOut) return false
    // The reader of the stream receives the error.
    Promise.resolve(this.bytes()).catch(() => undefined)
    return true
  }

  /**
   * @returns Whether the client announced a body that has not been read to its end.
   */
  hasUnreadBody(): boolean {
    return !(this.#bytes instanceof Uint8Array) && !this.#message.complete && this.bodyLength !== 0
  }

  /**
   * Stops reading the body, even if the client sends more.
   */
  stopReading(): void {
    stopReading(this.#message)
  }

  /**
   * @returns What of the body is unread, if so little that it may be read and dropped: a client that sends it all before it
   * reads the response would otherwise lose that. Null if the body is over its limit or of unknown length, or the client was
   * too slow.
   */
  restOfBody(): RestOfBody | null {
    const { bodyLength, bodyLimit } = this
    // Of unknown length are only those that were refused with their head: others have been read to their end.
    if (bodyLength === null || bodyLength > bodyLimit || this.#clock?.isOver === true) return null
    return { message: this.#message, bytesPerSecond: this.#bytesPerSecond() }
  }

  request(): Request {
    this.#request ??= this.#build()
    return this.#request
  }

  async #finish(): Promise<void> {
    // Its reader counts it.
    if (this.#isStreamed) return
    if (this.#bytes !== null || this.#isHandedOut) return void (await this.bytes())
    this.#isBodyGone = true
    this.#invite()
    await readBody(this.#message, new BodyCounter(this.bodyLimit), this.#newClock())
  }

  #read(): Uint8Array | Promise<Uint8Array> {
    if (this.#isBodyGone) return hasNoContent(this.method) ? NO_BYTES : Promise.reject(bodyIsGone())
    const { bodyLength: length } = this
    if (length !== null && length > Math.min(this.bodyLimit, this.keptLimit))
      return Promise.reject(new PayloadTooLargeException())
    this.#invite()
    return length === null ? this.#keep() : (takeBody(this.#message, length) ?? this.#readLater(length))
  }

  async #keep(): Promise<Uint8Array> {
    const buffer = new BodyBuffer(Math.min(this.bodyLimit, this.keptLimit))
    await readBody(this.#message, buffer, this.#newClock())
    const bytes = buffer.join()
    this.#bytes = bytes
    return bytes
  }

  // A client that sent `Expect: 100-continue` starts sending only now. It never sends a body that is refused unread.
  #invite(): void {
    const { headers, httpVersion } = this.#message
    if (headers.expect === undefined || httpVersion === '1.0' || this.#outgoing.headersSent) return
    this.#outgoing.writeContinue()
  }

  // Node passes on the head before it parses a body that came with it; in the next turn the body is available.
  async #readLater(length: number): Promise<Uint8Array> {
    await Promise.resolve()
    const bytes = takeBody(this.#message, length)
    if (bytes === null) return this.#keep()
    this.#bytes = bytes
    return bytes
  }

  #newClock(): BodyClock {
    this.#clock = new BodyClock(() => ({
      milliseconds: this.bodyMilliseconds ?? this.#options.bodyMilliseconds ?? BODY_MILLISECONDS,
      bytesPerSecond: this.takesFiles ? this.#bytesPerSecond() : null,
    }))
    return this.#clock
  }

  #bytesPerSecond(): number {
    return this.#options.uploadBytesPerSecond ?? UPLOAD_BYTES_PER_SECOND
  }

  #proxied(): Forwarded | null {
    const { proxies } = this.#options
    if (proxies === null) return null
    if (this.#forwarded === undefined) {
      // Not told by a missing address: a client that has reset its TCP connection has none either.
      const { remoteAddress = '' } = this.#message.socket
      const peer = this.#options.isLocal === true ? UNIX_SOCKET : remoteAddress
      this.#forwarded = proxies.read(peer, (name) => this.header(name))
    }
    return this.#forwarded
  }

  #build(): Request {
    const headers = new Headers()
    const lines = this.#message.rawHeaders
    for (let i = 0; i < lines.length; i += 2) headers.append(lines[i] ?? '', lines[i + 1] ?? '')
    const url = this.origin + this.target
    const init = { method: this.method, headers, signal: this.signal }
    const hasBody = !hasNoContent(this.method) && this.bodyLength !== 0
    this.#isHandedOut = hasBody
    try {
      return hasBody ? withSharedBody(url, () => this.bytes(), init) : handedOut(new Request(url, init))
    } catch (cause) {
      throw new BadRequestException('The host of the request is malformed', { cause })
    }
  }
}

async function* again(bytes: () => Uint8Array | Promise<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield await bytes()
}

// A body has no meaning for these methods, and the platform's `Request` refuses one.
function hasNoContent(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

// Other implementations of `node:http` define the property on plain sockets too, as false.
function isEncrypted(socket: Socket & { readonly encrypted?: boolean }): boolean {
  return socket.encrypted === true
}

function announcedLength({ headers }: IncomingMessage): number | null {
  if (headers['transfer-encoding'] !== undefined) return null
  // Node has checked it: digits only, and never together with a transfer encoding.
  return Number(headers['content-length'] ?? 0)
}

// A small body arrives with its head and is complete in the buffer of the message. Taking it from there saves waiting for the
// end of the stream, which costs four turns. Null: it is not complete, or the client has disconnected.
function takeBody(message: IncomingMessage, length: number): Uint8Array | null {
  if (message.readableLength !== length || message.destroyed) return null
  // The length is named because some runtimes return one chunk otherwise. A buffer, because no encoding was set.
  const body: unknown = message.read(length)
  return body instanceof Uint8Array ? body : null
}
