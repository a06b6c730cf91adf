/** What a page says in one language. */
export interface PublishedText {
  /** Language of the text. */
  readonly language: string
  readonly title: string
  /** Plain text. */
  readonly body: string
}

/** A page in all languages that are published. */
export class PublishedPage {
  readonly #texts: readonly PublishedText[]

  /**
   * @param texts One or more.
   */
  constructor(texts: readonly PublishedText[]) {
    this.#texts = texts
  }

  /**
   * @param language The preferred language.
   * @returns The page in it, otherwise in another one.
   */
  in(language: string): PublishedText {
    const [first = { language, title: '', body: '' }] = this.#texts
    return this.#texts.find((text) => text.language === language) ?? first
  }
}
