import { toAsciiLowerCase } from '../core/internal.ts'

/** The locales that an application declares: BCP 47 tags, compared without ASCII letter case, in lower case in URLs. */
export class LocaleSet {
  /** The tags as declared, the default first. */
  readonly tags: readonly string[]
  readonly #bySegment: ReadonlyMap<string, string>

  /**
   * @param tags The tags; the first is the default.
   */
  constructor(tags: readonly string[]) {
    const bySegment = new Map<string, string>()
    for (const tag of tags) if (!bySegment.has(segmentOf(tag))) bySegment.set(segmentOf(tag), tag)
    this.#bySegment = bySegment
    this.tags = Object.freeze([...bySegment.values()])
  }

  /** The default locale, or null when none is declared. */
  get default(): string | null {
    return this.tags[0] ?? null
  }

  /**
   * @param text A tag in any letter case.
   * @returns The tag as declared, or undefined when it is not.
   */
  find(text: string): string | undefined {
    return this.#bySegment.get(segmentOf(text))
  }
}

/** The segment that stands for a locale in URLs. */
export function segmentOf(tag: string): string {
  return toAsciiLowerCase(tag)
}
