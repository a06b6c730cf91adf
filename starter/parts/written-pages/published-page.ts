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

  constructor(texts: readonly PublishedText[]) {
    this.#texts = texts
  }

  /** @returns The page in it, otherwise in another one. */
  in(language: string): PublishedText {
    const [first = { language, title: '', body: '' }] = this.#texts
    return this.#texts.find((text) => text.language === language) ?? first
  }
}
