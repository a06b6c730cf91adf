import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import type { Spelling } from '../spelling.ts'
import type { PatternSegment } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'
import { MAX_PATH_LENGTH } from '../url-path.ts'
import { takenByOthers } from './taken-by-others.ts'
import type { GivenParams } from './url-params.ts'
import { type ValueWriter, valueWriters } from './value-writer.ts'

/** Stands for a value while a path is spelled; what is encoded never holds it. */
export const MARK = '\0'
const NO_VALUES: readonly ValueWriter[] = []

/** What a writer needs of the application. */
export interface WriterScope {
  readonly entries: EntryPoints
  readonly spelling: Spelling
}

/**
 * Writes the URLs of a path behind an entry point, as long as it is certain where they lead. A path without placeholders is
 * kept once it was matched. Of another one, what its values must not be is found out beforehand.
 */
export class PathWriter {
  readonly variant: Variant
  readonly point: EntryPoint
  readonly #values: readonly ValueWriter[]
  /** The path before, between and behind its values; null: each URL must be matched. */
  #pieces: readonly string[] | null

  constructor(variant: Variant, point: EntryPoint, { entries, spelling }: WriterScope) {
    this.variant = variant
    this.point = point
    const { segments, hasSlash } = variant.pattern
    const taken = segments.some(isFilled) ? takenByOthers(variant, point, entries) : null
    this.#values = taken === null ? NO_VALUES : valueWriters(variant, taken)
    const isProven = this.#values.length > 0
    this.#pieces = isProven ? spelling.pattern(point, segments.map(marked), hasSlash).split(MARK) : null
  }

  /** The path with these values; null: fill it, and match it before it is handed out. */
  write(params: GivenParams): string | null {
    const pieces = this.#pieces
    const values = this.#values
    if (pieces === null) return null
    let path = pieces[0] ?? ''
    for (let index = 0; index < values.length; index++) {
      const text = values[index]?.write(params) ?? null
      if (text === null) return null
      path += text + (pieces[index + 1] ?? '')
    }
    return path.length > MAX_PATH_LENGTH ? null : path
  }

  /** The path was matched. Without placeholders it stays the same. */
  keep(path: string): void {
    if (!this.variant.pattern.segments.some(isFilled)) this.#pieces = [path]
  }

  /** Whether a parameter fills a placeholder, so that the query leaves it out. */
  takes(name: string): boolean {
    for (const value of this.#values) if (value.name === name) return true
    return this.#values.length === 0 && this.variant.pattern.placeholders.some((each) => each.name === name)
  }
}

function isFilled({ kind }: PatternSegment): boolean {
  return kind !== 'literal'
}

function marked(segment: PatternSegment): string {
  if (segment.kind === 'literal') return encodeURIComponent(segment.text)
  return segment.kind === 'rest' ? MARK : segment.texts.map(encodeURIComponent).join(MARK)
}
