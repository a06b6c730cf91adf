/** Values of a message, by placeholder. */
export type MessageValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

/**
 * The messages of the application in the domain `messages`, by id. It is empty until the application declares it; then the
 * compiler checks every id that is translated without another domain and without a fallback.
 */
export interface RegisteredMessages {}

/** Id of a message: one of those that are registered, or any string while none are. */
export type MessageId = keyof RegisteredMessages extends never
  ? string
  : Extract<keyof RegisteredMessages, string>

interface Rest {
  /** Values of its placeholders. Default: none. */
  readonly values?: MessageValues | undefined
}

interface OwnMessage extends Rest {
  /** Identifier of the message in the domain `messages`. */
  readonly id: MessageId
  /** Domain of the catalogue: `messages`. */
  readonly domain?: undefined
}

interface MessageOfDomain extends Rest {
  /** Identifier of the message in its domain. */
  readonly id: string
  /** Domain of the catalogue. */
  readonly domain: string
  /** Message when no catalogue has it. Default: its identifier. */
  readonly fallback?: string | undefined
}

interface MessageWithFallback extends Rest {
  /** Identifier of the message, which the catalogue may lack. */
  readonly id: string
  /** Domain of the catalogue. Default: `messages`. */
  readonly domain?: string | undefined
  /** Message when no catalogue has it. */
  readonly fallback: string
}

/** A message to translate. */
export type MessageRequest = OwnMessage | MessageOfDomain | MessageWithFallback

/** Which message is meant. */
export interface MessageName {
  /** Identifier of the message in its domain. */
  readonly id: string
  /** Domain of the catalogue. Default: `messages`. */
  readonly domain?: string | undefined
}
