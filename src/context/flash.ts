import type { Session } from '../session/index.ts'

const FLASH_KEY = '_flash'

/** A message for the next page. */
export interface FlashMessage {
  /** What sort of message it is, such as `notice` or `error`. */
  readonly kind: string
  /** The text; a template escapes it. */
  readonly text: string
}

/** Messages that are kept in the session until a page shows them. */
export class Flash {
  readonly #session: Session

  /**
   * @param session Session of the request.
   */
  constructor(session: Session) {
    this.#session = session
  }

  /**
   * Keeps a message until it is taken.
   *
   * @param kind What sort of message it is, such as `notice` or `error`.
   * @param text The text.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async add(kind: string, text: string): Promise<void> {
    const messages = (await this.#messages()).map((message) => ({ kind: message.kind, text: message.text }))
    await this.#session.set(FLASH_KEY, [...messages, { kind, text }])
  }

  /**
   * Gives the messages and forgets them.
   *
   * @returns The messages in the order they were added.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async take(): Promise<readonly FlashMessage[]> {
    const messages = await this.#messages()
    if (messages.length > 0) await this.#session.remove(FLASH_KEY)
    return messages
  }

  async #messages(): Promise<readonly FlashMessage[]> {
    const stored = await this.#session.get(FLASH_KEY)
    if (!Array.isArray(stored)) return []
    return stored.filter(isMessage)
  }
}

function isMessage(value: unknown): value is FlashMessage {
  if (typeof value !== 'object' || value === null) return false
  return (
    'kind' in value && typeof value.kind === 'string' && 'text' in value && typeof value.text === 'string'
  )
}
