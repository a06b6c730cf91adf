import type { ParameterType } from '../../routing/index.ts'
import {
  type CompiledRoute,
  type EntryPoint,
  type LinearExpression,
  type RoutedModule,
  STRING,
  type Table,
  type Variant,
} from '../../routing/internal.ts'
import { LonePath } from '../lone-path.ts'
import {
  commonTexts,
  languageOf,
  languageOfType,
  type SegmentLanguage,
  takesAll,
} from './segment-language.ts'

const MAX_TRIES = 12
const TAILS = ['example', 'a/b', '1', '1/2', 'docs/index.html', 'true', 'a', 'a/b/c', 'x1']

/** How a path ends that takes all segments that are left: what they match as a whole, and what each is read as. */
interface Tail {
  readonly constraint: LinearExpression | null
  readonly type: ParameterType
}

/** A table as a check looks at it, and where it answers. */
export interface AuditedTable {
  readonly module: RoutedModule
  readonly table: Table
  readonly points: readonly EntryPoint[]
  readonly paths: readonly AuditedPath[]
}

/** A path of a table in one place where it answers. */
export interface Place {
  readonly path: AuditedPath
  readonly point: EntryPoint
}

/** A path of a route as a check looks at it: the texts that each of its segments takes. */
export class AuditedPath extends LonePath {
  readonly route: CompiledRoute
  readonly variant: Variant
  readonly segments: readonly SegmentLanguage[]
  /** The rest that it takes behind them, or null. */
  readonly tail: Tail | null

  constructor(route: CompiledRoute, variant: Variant) {
    super(variant)
    this.route = route
    this.variant = variant
    this.segments = variant.pattern.segments.flatMap((segment) =>
      segment.kind === 'rest' ? [] : [languageOf(segment, route.target.action)],
    )
    this.tail = tailOf(variant)
  }

  /** The literal segments that every URL of it begins with. */
  get literals(): readonly string[] {
    const end = this.segments.findIndex(({ literal }) => literal === null)
    return this.segments.slice(0, end === -1 ? undefined : end).flatMap(({ literal }) => literal ?? [])
  }

  /** Segments that the path takes for certain, several where it has placeholders. */
  examples(): readonly (readonly string[])[] {
    const [method = 'GET'] = this.variant.methods
    const lists = this.segments.map((segment) => commonTexts([segment]))
    return combine(lists, tailTexts(this.tail)).filter((texts) => this.match(method, texts) !== null)
  }

  /** Segments that both paths take for certain, one after another; none when none are found. */
  *common(other: AuditedPath, method: string): Iterable<readonly string[]> {
    const [short, long] = this.segments.length <= other.segments.length ? [this, other] : [other, this]
    if (short.tail === null && (long.tail !== null || long.segments.length > short.segments.length)) return
    const lists = long.segments.map((segment, index) => {
      const opposite = short.segments[index]
      return commonTexts(opposite === undefined ? [segment] : [opposite, segment])
    })
    for (const texts of combine(lists, tailTexts(long.tail)))
      if (this.match(method, texts) !== null && other.match(method, texts) !== null) yield texts
  }

  /**
   * Whether this path takes every URL that another one, or the convention with such segments, takes; false also when that
   * cannot be proven.
   */
  covers(other: Pick<AuditedPath, 'segments' | 'tail'>): boolean {
    const { segments, tail } = this
    // A rest is at least one segment more.
    const isLonger = other.segments.length + (other.tail === null ? 0 : 1) > segments.length
    const isFree = tail === null || (tail.constraint === null && tail.type === STRING)
    if (!isFree || isLonger !== (tail !== null)) return false
    return segments.every((segment, index) => {
      const opposite = other.segments[index]
      return opposite !== undefined && takesAll(opposite, segment)
    })
  }
}

/** Gives some of the paths that the texts for each segment and the tails behind them make. */
export function combine(
  lists: readonly (readonly string[])[],
  tails: readonly (readonly string[])[] = [[]],
): readonly (readonly string[])[] {
  if (lists.some((texts) => texts.length === 0) || tails.length === 0) return []
  const most = Math.max(...lists.map(({ length }) => length), tails.length, 1)
  const paths: (readonly string[])[] = []
  for (let turn = 0; turn < Math.min(most * 2, MAX_TRIES); turn++) {
    // In the second round the lists are read against each other.
    const shift = turn < most ? 0 : 1
    const texts = lists.map((list, index) => list[(turn + index * shift) % list.length] ?? '')
    paths.push([...texts, ...(tails[turn % tails.length] ?? [])])
  }
  return paths
}

function tailOf({ pattern, target }: Variant): Tail | null {
  const last = pattern.segments.at(-1)
  if (last?.kind !== 'rest') return null
  const { name, constraint } = last.placeholder
  return { constraint, type: target.action.parameter(name)?.type ?? STRING }
}

function tailTexts(tail: Tail | null): readonly (readonly string[])[] {
  if (tail === null) return [[]]
  const { constraint, type } = tail
  const typed = type === STRING ? [] : commonTexts([languageOfType(type)])
  const own = typed.length === 0 ? [] : [...typed, typed.slice(0, 2).join('/')]
  const fitting = [...TAILS, ...own].filter((text) => constraint === null || constraint.test(text))
  return fitting.map((text) => text.split('/'))
}
