/**
 * A request as an adapter received it. Its parts are read on demand. The platform's `Request` costs as much to build as
 * the rest of a small request, so it is built only when it is used.
 */
export interface RequestSource {
  /** Method in upper case. */
  readonly method: string
  /** Path and query as sent, beginning with `/`. */
  readonly target: string
  /** Whether the client's connection is HTTPS, according to trusted proxies. */
  readonly secure: boolean
  /** Scheme and host of this server as the client sees them, such as `https://app.test`. */
  readonly origin: string
  /** Address of the client, according to trusted proxies; empty when the adapter knows none. */
  readonly clientAddress: string
  /** Aborts when the client disconnects before the response is complete; created on first use. */
  readonly signal: AbortSignal
  /** Length of the body as announced, in bytes: 0 without a body, null when the length is unknown. */
  readonly bodyLength: number | null
  /** Whether the body is being read and the client has not sent all of it. */
  readonly awaitsBody: boolean
  /** Whether all of the body has arrived, or there is none. False where that is not known before it is read. */
  readonly hasWholeBody: boolean
  /** Whether the client has gone: no response reaches it any more. */
  readonly isGone?: boolean

  /**
   * Largest body in bytes. It may be changed until the body is read: what answers the request may allow more or less. Who
   * reads after a change compares, because a read that has begun keeps its limit.
   */
  bodyLimit: number

  /**
   * Largest body in bytes that `bytes()` reads into memory, if that is less than `bodyLimit`: where files are streamed to a
   * storage. It may be changed like `bodyLimit`.
   */
  keptLimit?: number

  /** Whether its files are streamed to a storage, which gives the client time by progress. It may be changed like `bodyLimit`. */
  takesFiles?: boolean

  /** Milliseconds that the client has to send the body; null: as the adapter says. It may be changed like `bodyLimit`. */
  bodyMilliseconds?: number | null

  /**
   * @param name Name of a header, in lower case.
   * @returns Its value, several lines joined as in RFC 9110 section 5.3; null when it was not sent.
   */
  header(name: string): string | null

  /**
   * Reads the whole body once and keeps it: later calls return the same bytes.
   *
   * @returns The body, empty when there is none: directly when it is available, otherwise as a promise. Never throws.
   * @throws {PayloadTooLargeException} Rejects if the body is over the limit, or over that of what is kept in memory.
   * @throws {BadRequestException} Rejects if the client disconnects.
   */
  bytes(): Uint8Array | Promise<Uint8Array>

  /**
   * Reads the body as it arrives, once, without keeping it. What was read before is given again. Afterwards `bytes()` fails.
   *
   * @returns The chunks. Iterating throws a `PayloadTooLargeException` when the body is over the limit, and a
   * `BadRequestException` when the client disconnects.
   */
  stream(): AsyncIterable<Uint8Array>

  /**
   * Waits for the end of a body of unknown length. The body is counted; it is kept only when it was requested before.
   *
   * @throws {PayloadTooLargeException} Rejects if the body is over the limit of the adapter.
   * @throws {BadRequestException} Rejects if the client disconnects.
   */
  finishBody(): Promise<void>

  /**
   * @returns The platform's object, the same on each call. Its body can be read even after the framework has read it.
   */
  request(): Request
}

/** Limits of what is read from a client. */
export interface RequestLimits {
  /** Largest body in bytes. Default: 1 MiB. */
  readonly bodyBytes: number
}

/** The limits that apply unless the application sets its own. */
export const DEFAULT_LIMITS: RequestLimits = { bodyBytes: 1024 * 1024 }
