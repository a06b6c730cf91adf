import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import type { Spelling } from '../spelling.ts'

/** What a writer needs of the application. */
export interface WriterScope {
  readonly entries: EntryPoints
  readonly spelling: Spelling
}

/** A conventional URL that was matched. */
export interface FoundAction {
  readonly point: EntryPoint
  /** The segments before the arguments. */
  readonly base: readonly string[]
  /** How many arguments it has. */
  readonly count: number
  readonly path: string
}
