import type { Action } from '../declaration/action.ts'
import type { EntryPoint } from '../resolution/entry-points.ts'
import type { PatternSegment, PlaceholderSegment } from '../table/pattern.ts'
import { MAX_PATH_LENGTH } from '../url-path.ts'
import { MARK, type WriterScope } from './path-writer.ts'
import { takenByTable } from './taken-by-others.ts'
import { SegmentWriter } from './value-writer.ts'

const ARGUMENT: PlaceholderSegment = {
  kind: 'placeholder',
  placeholders: [{ name: '', constraint: null, isRest: false }],
  texts: ['', ''],
  isWhole: true,
}
const NO_VALUES: readonly SegmentWriter[] = []

/** A conventional URL that was matched. */
export interface FoundAction {
  readonly point: EntryPoint
  /** The segments before the arguments. */
  readonly base: readonly string[]
  /** How many arguments it has. */
  readonly count: number
  /** The locale that was asked for; undefined: the default one. */
  readonly locale: string | undefined
  readonly path: string
}

interface KnownAction extends FoundAction {
  readonly next: ActionWriter | null
}

/** Writes the conventional URLs of an action with so many arguments, as long as it is certain where they lead. */
export class ActionWriter {
  readonly count: number
  readonly locale: string | undefined
  /** Another one for the same action. */
  readonly next: ActionWriter | null
  readonly #values: readonly SegmentWriter[]
  /** The path before, between and behind its arguments; null: each URL must be matched. */
  readonly #pieces: readonly string[] | null

  constructor(action: Action, known: KnownAction, scope: WriterScope) {
    const { point, base, count, locale, path, next } = known
    this.count = count
    this.locale = locale
    this.next = next
    this.#values = valueWriters(action, known, scope)
    const marks = Array.from({ length: count }, () => MARK)
    const pieces = (): readonly string[] =>
      scope.spelling.pattern(point, [...base.map(encodeURIComponent), ...marks], false).split(MARK)
    this.#pieces = count === 0 ? [path] : this.#values.length === 0 ? null : pieces()
  }

  isFor(args: readonly unknown[], locale: string | undefined): boolean {
    return this.count === args.length && this.locale === locale
  }

  /** The path with these arguments; null: spell it, and match it before it is handed out. */
  write(args: readonly unknown[]): string | null {
    const pieces = this.#pieces
    const values = this.#values
    if (pieces === null) return null
    let path = pieces[0] ?? ''
    for (let index = 0; index < values.length; index++) {
      const text = values[index]?.writeValue(args[index]) ?? null
      if (text === null) return null
      path += text + (pieces[index + 1] ?? '')
    }
    return path.length > MAX_PATH_LENGTH ? null : path
  }
}

// Behind the name of its action nothing but the arguments is read, so that only the table and claims may take a URL.
function valueWriters(
  action: Action,
  { base, count, point }: FoundAction,
  scope: WriterScope,
): readonly SegmentWriter[] {
  if (count === 0 || base.length < 2) return NO_VALUES
  const names = base.map((text): PatternSegment => ({ kind: 'literal', text }))
  const segments = [...names, ...Array.from({ length: count }, () => ARGUMENT)]
  const taken = takenByTable(segments, point, scope.entries)
  if (taken === null) return NO_VALUES
  const writers: SegmentWriter[] = []
  for (let index = 0; index < count; index++) {
    const parameter = action.parameters[index] ?? action.parameters.at(-1)
    if (parameter === undefined) return NO_VALUES
    const own = taken.get(base.length + index) ?? null
    writers.push(new SegmentWriter(ARGUMENT, { parameter, taken: own, usual: undefined }))
  }
  return writers
}
