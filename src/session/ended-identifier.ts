/**
 * An identifier that another request rotated or destroyed while the browser never received the new one: the response was
 * lost, or a second click cancelled it. The browser must be able to start a new session, but a concurrent request must not
 * replace the new cookie. What distinguishes the two: only a page made after the end contains a token derived from the
 * secret below.
 */
export interface EndedIdentifier {
  /** Whether the identifier was ended a moment ago; false before the session is read. */
  readonly isEnded: boolean
  /**
   * @returns 32 bytes that only the browser with this identifier can prove; null unless the store remembers the identifier
   * as ended.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  endedSecret(): Promise<Uint8Array | null>
  /** Treats the identifier as unknown from now on: values that are set go to a new session. */
  reopen(): void
}
