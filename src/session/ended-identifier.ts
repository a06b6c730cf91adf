/**
 * An identifier that another request rotated or destroyed, while the browser never got the new one: its answer was
 * lost, or a second click cancelled it. The browser must be able to start anew, and a concurrent request must not
 * replace the new cookie. The two differ in what they know: only a page that was made after the end holds a token of
 * the secret below.
 */
export interface EndedIdentifier {
  /** Whether the identifier was ended a moment ago; false before the session is read. */
  readonly isEnded: boolean
  /**
   * @returns 32 bytes that only the browser with this identifier can bring back; null unless the store remembers the
   * identifier as ended.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  endedSecret(): Promise<Buffer | null>
  /** Treats the identifier as unknown from here on: what is set makes a new session. */
  reopen(): void
}
