/**
 * A request as an adapter received it, read piece by piece on demand. Building the platform's `Request` costs as
 * much as the rest of a small request, so it is built only for those who ask.
 */
export interface RequestSource {
  /** Method in upper case. */
  readonly method: string
  /** Path and query as sent, beginning with `/`. */
  readonly target: string
  /** Whether the client's connection is HTTPS, as far as trusted proxies say. */
  readonly secure: boolean
  /** Scheme and host of this server as the client sees them, such as `https://app.test`. */
  readonly origin: string
  /** Address of the client, as far as trusted proxies say; empty when the adapter knows none. */
  readonly clientAddress: string
  /** Aborts when the client has gone before it was answered; made on first use. */
  readonly signal: AbortSignal
  /** Bytes of the body as the client announced them: 0 for none, null when it did not say how many. */
  readonly bodyLength: number | null
  /** Whether somebody has asked for the body, and the client has not sent it to its end. */
  readonly awaitsBody: boolean

  /**
   * @param name Name of a header, in lower case.
   * @returns Its value, several lines joined as RFC 9110 section 5.3 says; null when it was not sent.
   */
  header(name: string): string | null

  /**
   * Reads the whole body once and keeps it: later calls give the same bytes.
   *
   * @returns The body, empty when there is none: itself when it is here already, else a promise. It never throws.
   * @throws {PayloadTooLargeException} Rejects if the body is over the limit of the adapter.
   * @throws {BadRequestException} Rejects if the client broke off.
   */
  bytes(): Uint8Array | Promise<Uint8Array>

  /**
   * Waits for the end of a body of unknown length that nobody will ask for any more: it is counted, and kept only when
   * somebody has asked before.
   *
   * @throws {PayloadTooLargeException} Rejects if the body is over the limit of the adapter.
   * @throws {BadRequestException} Rejects if the client broke off.
   */
  finishBody(): Promise<void>

  /**
   * @returns The platform's object, the same one at each call; its body can be read although the framework read it.
   */
  request(): Request
}

/** Limits of what is read from a client. */
export interface RequestLimits {
  /** Largest body in bytes. Default: 1 MiB. */
  readonly bodyBytes: number
}

/** The limits that stand unless the application sets others. */
export const DEFAULT_LIMITS: RequestLimits = { bodyBytes: 1024 * 1024 }
