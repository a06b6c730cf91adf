import type { EntryPoints } from '../resolution/entry-points.ts'
import type { PlaceholderSegment } from '../table/pattern.ts'

/** What a segment may be that something else takes: a literal, or what fills another route's placeholder. */
export type TakenSegment = string | PlaceholderSegment

/**
 * The texts of one segment with which something else might answer a URL. There may be too many of them, for a URL with one
 * is matched before it is handed out, but never too few.
 */
export class TakenTexts {
  #literals: Set<string> | null = null
  #segments: PlaceholderSegment[] | null = null
  #entries: EntryPoints | null = null

  add(taken: TakenSegment): void {
    if (typeof taken === 'string') (this.#literals ??= new Set()).add(taken)
    else if (this.#segments?.includes(taken) !== true) (this.#segments ??= []).push(taken)
  }

  /** Mounts and locales are looked for in the segment, too. */
  addEntries(entries: EntryPoints): void {
    this.#entries = entries
  }

  has(text: string): boolean {
    if (this.#literals?.has(text) === true || this.#entries?.isBeginning(text) === true) return true
    return this.#segments !== null && this.#segments.some((segment) => mayFill(segment, text))
  }
}

/** Whether a segment with placeholders may take a text; false is certain. */
export function mayFill({ placeholders, texts }: PlaceholderSegment, text: string): boolean {
  const [only, ...others] = placeholders
  const before = texts[0] ?? ''
  const behind = texts.at(-1) ?? ''
  if (text.length <= before.length + behind.length || !text.startsWith(before) || !text.endsWith(behind))
    return false
  if (others.length > 0) return texts.every((each) => text.includes(each))
  return only?.constraint?.test(text.slice(before.length, text.length - behind.length)) !== false
}
