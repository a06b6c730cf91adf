import type { Action } from '../declaration/action.ts'
import { MAX_PATH_LENGTH } from '../url-path.ts'
import { certainty } from './late-certainty.ts'
import { MARK, PathPieces } from './path-pieces.ts'
import type { FoundAction, WriterScope } from './writer-scope.ts'
import type { SegmentWriter } from './value-writer.ts'

/** Writes the conventional URLs of an action with so many arguments, as long as it is certain where they lead. */
export class ActionWriter {
  readonly #action: Action
  readonly #found: FoundAction
  readonly #scope: WriterScope
  /** The path and its arguments; null: each URL must be matched; undefined: so far. */
  #path: PathPieces<SegmentWriter> | null | undefined

  constructor(action: Action, found: FoundAction, scope: WriterScope) {
    this.#action = action
    this.#found = found
    this.#scope = scope
    if (found.count === 0) this.#path = new PathPieces(found.path, [])
  }

  /** The path with these arguments; null: spell it, and match it before it is handed out. */
  write(args: readonly unknown[]): string | null {
    if (this.#path === undefined) this.#path = this.#learn()
    if (this.#path === null || this.#path === undefined) return null
    let path = this.#path.head
    for (const { writer, index, behind } of this.#path.pieces) {
      const text = writer.writeValue(args[index])
      if (text === null) return null
      path += text + behind
    }
    return path.length > MAX_PATH_LENGTH ? null : path
  }

  #learn(): PathPieces<SegmentWriter> | null | undefined {
    const { point, base, count } = this.#found
    const writers = certainty()?.writersOfArguments(this.#action, this.#found, this.#scope)
    if (writers === undefined || writers === null) return writers
    const segments = [...base.map(encodeURIComponent), ...Array.from({ length: count }, () => MARK)]
    return new PathPieces(this.#scope.spelling.pattern(point, segments, false), writers)
  }
}
