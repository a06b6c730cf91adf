import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import type { Spelling } from '../spelling.ts'
import type { PatternSegment } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'
import { MAX_PATH_LENGTH } from '../url-path.ts'
import { MARK, PathPieces } from './path-pieces.ts'
import { takenByOthers } from './taken-by-others.ts'
import type { GivenParams } from './url-params.ts'
import { type ValueWriter, valueWriters } from './value-writer.ts'

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
  readonly #names: readonly string[]
  /** The path and its values; null: each URL must be matched. */
  #path: PathPieces<ValueWriter> | null

  constructor(variant: Variant, point: EntryPoint, { entries, spelling }: WriterScope) {
    this.variant = variant
    this.point = point
    const { segments, hasSlash } = variant.pattern
    this.#names = variant.pattern.placeholders.map(({ name }) => name)
    const taken = this.#names.length === 0 ? null : takenByOthers(variant, point, entries)
    const writers = taken === null ? null : valueWriters(variant, taken)
    const path = (): string => spelling.pattern(point, segments.map(marked), hasSlash)
    this.#path = writers === null ? null : new PathPieces(path(), writers)
  }

  /** The path with these values; null: fill it, and match it before it is handed out. */
  write(params: GivenParams): string | null {
    if (this.#path === null) return null
    let path = this.#path.head
    for (const { writer, behind } of this.#path.pieces) {
      const text = writer.write(params)
      if (text === null) return null
      path += text + behind
    }
    return path.length > MAX_PATH_LENGTH ? null : path
  }

  /** The path was matched. Without placeholders it stays the same. */
  keep(path: string): void {
    if (this.#names.length === 0) this.#path = new PathPieces(path, [])
  }

  /** Whether a parameter fills a placeholder, so that the query leaves it out. */
  takes(name: string): boolean {
    return this.#names.includes(name)
  }
}

function marked(segment: PatternSegment): string {
  if (segment.kind === 'literal') return encodeURIComponent(segment.text)
  return segment.kind === 'rest' ? MARK : segment.texts.map(encodeURIComponent).join(MARK)
}
