import type { Action } from '../declaration/action.ts'
import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import type { PatternSegment, PlaceholderSegment } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'
import { takenByOthers, takenByTable } from './taken-by-others.ts'
import { SegmentWriter, type ValueWriter, valueWriters } from './value-writer.ts'
import type { FoundAction, WriterScope } from './writer-scope.ts'

const ARGUMENT: PlaceholderSegment = {
  kind: 'placeholder',
  placeholders: [{ name: '', constraint: null, isRest: false }],
  texts: ['', ''],
  isWhole: true,
}

/** What writes the values of a path; null: each URL must be matched. */
export function writersOfPath(
  variant: Variant,
  point: EntryPoint,
  entries: EntryPoints,
): readonly ValueWriter[] | null {
  const taken = takenByOthers(variant, point, entries)
  return taken === null ? null : valueWriters(variant, taken)
}

/**
 * What writes the arguments of a conventional URL; null: each URL must be matched. Behind the name of its action nothing but the
 * arguments is read, so that only the table and claims may take a URL.
 */
export function writersOfArguments(
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
