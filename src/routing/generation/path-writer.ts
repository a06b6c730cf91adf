import type { EntryPoint } from '../resolution/entry-points.ts'
import type { PatternSegment } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'
import { MAX_PATH_LENGTH } from '../url-path.ts'
import { certainty } from './late-certainty.ts'
import { MARK, PathPieces } from './path-pieces.ts'
import type { GivenParams } from './url-params.ts'
import type { ValueWriter } from './value-writer.ts'
import type { WriterScope } from './writer-scope.ts'

/**
 * Writes the URLs of a path behind an entry point, as long as it is certain where they lead. A path without placeholders is
 * kept once it was matched. Of another one, what its values must not be is found out beforehand.
 */
export class PathWriter {
  readonly variant: Variant
  readonly point: EntryPoint
  readonly #names: readonly string[]
  readonly #scope: WriterScope
  /** The path and its values; null: each URL must be matched; undefined: so far. */
  #path: PathPieces<ValueWriter> | null | undefined

  constructor(variant: Variant, point: EntryPoint, scope: WriterScope) {
    this.variant = variant
    this.point = point
    this.#scope = scope
    this.#names = variant.pattern.placeholders.map(({ name }) => name)
    if (this.#names.length === 0) this.#path = null
  }

  /** The path with these values; null: fill it, and match it before it is handed out. */
  write(params: GivenParams): string | null {
    if (this.#path === undefined) this.#path = this.#learn()
    if (this.#path === null || this.#path === undefined) return null
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

  #learn(): PathPieces<ValueWriter> | null | undefined {
    const { entries, spelling } = this.#scope
    const { segments, hasSlash } = this.variant.pattern
    const writers = certainty()?.writersOfPath(this.variant, this.point, entries)
    if (writers === undefined || writers === null) return writers
    return new PathPieces(spelling.pattern(this.point, segments.map(marked), hasSlash), writers)
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
