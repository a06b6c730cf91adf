import type { Container } from '../container/internal.ts'
import { late, whenReady } from '../core/internal.ts'
import type { Translator } from '../i18n/index.ts'

const messageParts = late(() => import('./message-parts.ts'))

/** The messages of an application. What formats them is loaded when it is needed: many applications never do. */
export class Messages {
  readonly #container: Container
  #translator: Translator | null = null

  /**
   * @param container Holds the translator.
   */
  constructor(container: Container) {
    this.#container = container
  }

  /**
   * @returns The translator; null as long as nothing has waited for {@link ready}.
   */
  get translator(): Translator | null {
    return this.#translator
  }

  /**
   * Loads what formats messages.
   *
   * @returns Null if it is there; otherwise a promise that it is.
   */
  ready(): null | Promise<null> {
    if (this.#translator !== null) return null
    return whenReady(messageParts(), ({ Translator }) => {
      this.#translator = this.#container.get(Translator)
      return null
    })
  }
}
