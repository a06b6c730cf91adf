import type { ParameterType } from '../../routing/index.ts'
import {
  type Action,
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
  literalLanguage,
  type SegmentLanguage,
  takesAll,
} from './segment-language.ts'

const MAX_TRIES = 12

/** How a path ends when it takes all segments that are left. */
interface Tail {
  /** What they must match as a whole; null: anything. */
  readonly constraint: LinearExpression | null
  /** What is read from it. */
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

  /**
   * @param route The route.
   * @param variant Its path.
   */
  constructor(route: CompiledRoute, variant: Variant) {
    super(variant)
    this.route = route
    this.variant = variant
    this.segments = variant.pattern.segments.flatMap((segment) => {
      return segment.kind === 'rest' ? [] : [languageOf(segment, route.target.action)]
    })
    this.tail = tailOf(variant)
  }

  /** The literal segments that every URL of it begins with. */
  get literals(): readonly string[] {
    const end = this.segments.findIndex(({ literal }) => literal === null)
    return this.segments.slice(0, end === -1 ? undefined : end).flatMap(({ literal }) => literal ?? [])
  }

  /**
   * @returns Segments that the path takes, several where it has placeholders; each is certain.
   */
  examples(): readonly (readonly string[])[] {
    const tails = this.tail === null ? [[]] : tailTexts(this.tail)
    const [method = 'GET'] = this.variant.methods
    return combine(
      this.segments.map((segment) => commonTexts([segment])),
      tails,
    ).filter((texts) => this.match(method, texts) !== null)
  }

  /**
   * @param other Another path.
   * @param method A method of both.
   * @returns Segments that both take, each for certain, one after another; none when none are found.
   */
  *common(other: AuditedPath, method: string): Iterable<readonly string[]> {
    const [short, long] = this.segments.length <= other.segments.length ? [this, other] : [other, this]
    if (short.tail === null && short.segments.length !== long.segments.length) return
    if (short.tail === null && long.tail !== null) return
    const head = short.segments.map((segment, index) => {
      const opposite = long.segments[index]
      return opposite === undefined ? [] : commonTexts([segment, opposite])
    })
    if (head.some((texts) => texts.length === 0)) return
    const behind = long.segments.slice(short.segments.length).map((segment) => commonTexts([segment]))
    const tails = long.tail !== null ? tailTexts(long.tail) : [[]]
    for (const texts of combine([...head, ...behind], tails))
      if (this.match(method, texts) !== null && other.match(method, texts) !== null) yield texts
  }

  /**
   * @param other Another path, or the segments of a conventional URL.
   * @returns Whether this one takes every URL that the other takes; false also when that cannot be proven.
   */
  covers(other: Pick<AuditedPath, 'segments' | 'tail'>): boolean {
    const { tail } = this
    const width = this.segments.length
    if (tail === null) {
      if (other.tail !== null || other.segments.length !== width) return false
    } else {
      const isLonger =
        other.segments.length > width || (other.tail !== null && other.segments.length >= width)
      const isFree = tail.constraint === null && tail.type === STRING
      if (!isFree || !isLonger) return false
    }
    return this.segments.every((segment, index) => {
      const opposite = other.segments[index]
      return opposite !== undefined && takesAll(opposite, segment)
    })
  }
}

/**
 * @param action An action.
 * @param base The segments of its conventional URL before the arguments.
 * @returns Its URL with the arguments it requires.
 */
export function conventionalSegments(action: Action, base: readonly string[]): readonly SegmentLanguage[] {
  const values = action.parameters.slice(0, action.required).map(({ type }) => languageOfType(type))
  return [...base.map(literalLanguage), ...values]
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

const TAILS = ['example', 'a/b', '1', '1/2', 'docs/index.html', 'true', 'a', 'a/b/c', 'x1']

function tailTexts({ constraint, type }: Tail): readonly (readonly string[])[] {
  const typed = type === STRING ? [] : commonTexts([languageOfType(type)])
  const own = typed.length === 0 ? [] : [...typed, typed.slice(0, 2).join('/')]
  const fitting = [...TAILS, ...own].filter((text) => constraint === null || constraint.test(text))
  return fitting.map((text) => text.split('/'))
}
