import { toAsciiLowerCase } from '../core/internal.ts'

/** The locales that an application declares: BCP 47 tags, compared without ASCII letter case, in lower case in URLs. */
export class LocaleSet {
  /** The tags as declared, the default first. */
  readonly tags: readonly string[]
  readonly #bySegment = new Map<string, string>()

  constructor(tags: readonly string[]) {
    for (const tag of tags) if (this.find(tag) === undefined) this.#bySegment.set(toAsciiLowerCase(tag), tag)
    this.tags = Object.freeze([...this.#bySegment.values()])
  }

  /** The default locale, or null when none is declared. */
  get default(): string | null {
    return this.tags[0] ?? null
  }

  /** The tag as declared, or undefined when it is not. */
  find(tag: string): string | undefined {
    return this.#bySegment.get(toAsciiLowerCase(tag))
  }
}
