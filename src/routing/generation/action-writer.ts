import type { Action } from '../declaration/action.ts'
import type { EntryPoint } from '../resolution/entry-points.ts'
import type { PatternSegment, PlaceholderSegment } from '../table/pattern.ts'
import { MAX_PATH_LENGTH } from '../url-path.ts'
import { MARK, PathPieces } from './path-pieces.ts'
import type { WriterScope } from './path-writer.ts'
import { takenByTable } from './taken-by-others.ts'
import { SegmentWriter } from './value-writer.ts'

const ARGUMENT: PlaceholderSegment = {
  kind: 'placeholder',
  placeholders: [{ name: '', constraint: null, isRest: false }],
  texts: ['', ''],
  isWhole: true,
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

/** Writes the conventional URLs of an action with so many arguments, as long as it is certain where they lead. */
export class ActionWriter {
  /** The path and its arguments; null: each URL must be matched. */
  readonly #path: PathPieces<SegmentWriter> | null

  constructor(action: Action, found: FoundAction, scope: WriterScope) {
    const { point, base, count, path } = found
    const marks = Array.from({ length: count }, () => MARK)
    const spelled = (): string =>
      scope.spelling.pattern(point, [...base.map(encodeURIComponent), ...marks], false)
    const writers = count === 0 ? [] : valueWriters(action, found, scope)
    this.#path = writers === null ? null : new PathPieces(count === 0 ? path : spelled(), writers)
  }

  /** The path with these arguments; null: spell it, and match it before it is handed out. */
  write(args: readonly unknown[]): string | null {
    if (this.#path === null) return null
    let path = this.#path.head
    for (const { writer, index, behind } of this.#path.pieces) {
      const text = writer.writeValue(args[index])
      if (text === null) return null
      path += text + behind
    }
    return path.length > MAX_PATH_LENGTH ? null : path
  }
}

// Behind the name of its action nothing but the arguments is read, so that only the table and claims may take a URL.
function valueWriters(
  action: Action,
  { base, count, point }: FoundAction,
  scope: WriterScope,
): readonly SegmentWriter[] | null {
  if (base.length < 2) return null
  const names = base.map((text): PatternSegment => ({ kind: 'literal', text }))
  const segments = [...names, ...Array.from({ length: count }, () => ARGUMENT)]
  const taken = takenByTable(segments, point, scope.entries)
  if (taken === null) return null
  const writers: SegmentWriter[] = []
  for (let index = 0; index < count; index++) {
    const parameter = action.parameters[index] ?? action.parameters.at(-1)
    if (parameter === undefined) return null
    const own = taken.get(base.length + index) ?? null
    writers.push(new SegmentWriter(ARGUMENT, { parameter, taken: own, usual: undefined }))
  }
  return writers
}
