import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import { keyOf, type PatternSegment } from '../table/pattern.ts'
import type { NodeEntry, SegmentNode } from '../table/segment-node.ts'
import type { Variant } from '../table/variant.ts'
import { mayFill, type TakenSegment, TakenTexts } from './taken-texts.ts'

/** By their places behind the entry point, what segments of a path must not be. */
export type Taken = ReadonlyMap<number, TakenTexts>

/** A segment that another way takes only with a certain text: its place behind the entry point, and what it must be. */
interface Condition {
  readonly at: number
  readonly taken: TakenSegment
}

/** A place in a tree that the URLs of the path may come to. */
interface Place {
  readonly node: SegmentNode
  /** How many segments lead here. */
  readonly at: number
  /** Whether it is on the way of the path itself. */
  readonly isOwn: boolean
  /** What sends a URL here; null: any URL of the path comes here. */
  readonly condition: Condition | null
}

/**
 * What the segments of a path must not be, so that each of its URLs reaches it for certain; null: that cannot be proven. It
 * follows {@link EntryPoints.locate}, then the search through the trees of the table, for all values at once. In doubt a text
 * is taken.
 */
export function takenByOthers(variant: Variant, point: EntryPoint, entries: EntryPoints): Taken | null {
  const { segments } = variant.pattern
  if (!segments.every(isProvable)) return null
  const proof = new Proof(segments, variant)
  if (!proof.entersAt(point, entries)) return null
  const levels = (point.claim ?? point.module).table?.levels(point.locale) ?? []
  for (const root of levels) {
    const isOwn = proof.isIn(root)
    if (!proof.comesThrough({ node: root, at: 0, isOwn, condition: null })) return null
    if (isOwn) return proof.taken
  }
  return null
}

/** The same for segments that the convention reads: the table is asked first, and refuses whatever it has another method for. */
export function takenByTable(
  segments: readonly PatternSegment[],
  point: EntryPoint,
  entries: EntryPoints,
): Taken | null {
  const proof = new Proof(segments, null)
  if (!proof.entersAt(point, entries)) return null
  const levels = point.module.table?.levels(point.locale) ?? []
  const isFree = levels.every((node) => proof.comesThrough({ node, at: 0, isOwn: false, condition: null }))
  return isFree ? proof.taken : null
}

// Where several placeholders share a segment, the values decide where they end.
function isProvable(segment: PatternSegment): boolean {
  return segment.kind !== 'placeholder' || segment.placeholders.length === 1
}

class Proof {
  readonly taken = new Map<number, TakenTexts>()
  readonly #variant: Variant | null
  readonly #segments: readonly PatternSegment[]
  /** The method that is asked for; null: each of them matters. */
  readonly #method: string | null
  readonly #hasRest: boolean

  constructor(segments: readonly PatternSegment[], variant: Variant | null) {
    this.#variant = variant
    this.#segments = segments
    this.#method = variant === null ? null : (variant.methods[0] ?? 'GET')
    this.#hasRest = segments.some(({ kind }) => kind === 'rest')
  }

  /** Whether the entry point is the one that is found, but for texts that are noted. */
  entersAt(point: EntryPoint, entries: EntryPoints): boolean {
    const [first] = this.#segments
    if (point.path.length === 0 && first !== undefined) {
      if (first.kind !== 'literal') this.#takenAt(0).addEntries(entries)
      else if (entries.isBeginning(first.text)) return false
    }
    // The longest claim is found, before any mount.
    const least = point.claim === null ? 0 : point.path.length
    return entries.claimedPaths().every((path) => path.length <= least || this.#staysOutside(path, point))
  }

  /** Whether the path is looked up in a tree. */
  isIn(root: SegmentNode): boolean {
    let node: SegmentNode | null = root
    for (const segment of this.#segments) node = node?.find(segment) ?? null
    return this.#entry(node)?.variant === this.#variant
  }

  /** Whether no other path is found first behind a place, but for texts that are noted. */
  comesThrough(place: Place): boolean {
    const { node, at, isOwn, condition } = place
    const segment = this.#segments[at]
    if (segment === undefined) return isOwn || !this.#isAnswered(node) || this.#note(condition)
    const own = isOwn ? keyOf(segment) : null
    const rests = isOwn && segment.kind !== 'rest' ? [] : node.rests.filter(({ key }) => key !== own)
    if (rests.some((rest) => this.#isAnswered(rest.node)) && !this.#note(condition)) return false
    const ways = this.#waysOn(place, segment)
    if (segment.kind !== 'rest') return ways.every((way) => this.comesThrough(way))
    // How far the rest goes is not known, so whatever is behind may be meant.
    return ways.every((way) => !this.#isAnsweredBelow(way.node) || this.#note(way.condition))
  }

  // Literals are searched first, then constrained placeholders, then the free one: what comes behind the own way is left out.
  #waysOn({ node, at, isOwn, condition }: Place, segment: PatternSegment): readonly Place[] {
    const ways: Place[] = []
    const own = isOwn ? keyOf(segment) : null
    const add = (child: SegmentNode | null, taken: TakenSegment | null, isNext = false): void => {
      if (child === null) return
      const next = condition ?? (taken === null ? null : { at, taken })
      ways.push({ node: child, at: at + 1, isOwn: isNext, condition: next })
    }
    if (segment.kind === 'literal') {
      add(node.literal(segment.text), null, isOwn)
      if (isOwn) return ways
      for (const edge of node.constrained) if (mayFill(edge.segment, segment.text)) add(edge.node, null)
      add(node.free, null)
      return ways
    }
    for (const child of node.literals()) add(child, child.text)
    for (const edge of node.constrained) {
      if (edge.key === own) add(edge.node, null, true)
      else add(edge.node, edge.segment)
    }
    if (!isOwn || own === '{}' || segment.kind === 'rest') add(node.free, null, own === '{}')
    return ways
  }

  #staysOutside(claimed: readonly string[], { path }: EntryPoint): boolean {
    let condition: Condition | null = null
    for (const [index, text] of claimed.entries()) {
      const at = index - path.length
      const segment = this.#segments[at]
      if (at < 0 ? path[index] !== text : segment === undefined && !this.#hasRest) return true
      if (segment?.kind === 'literal' && segment.text !== text) return true
      if (segment !== undefined && segment.kind !== 'literal') condition ??= { at, taken: text }
    }
    return this.#note(condition)
  }

  // Without a condition every URL of the path is taken.
  #note(condition: Condition | null): boolean {
    if (condition === null) return false
    this.#takenAt(condition.at).add(condition.taken)
    return true
  }

  #takenAt(at: number): TakenTexts {
    const taken = this.taken.get(at) ?? new TakenTexts()
    this.taken.set(at, taken)
    return taken
  }

  #isAnswered(node: SegmentNode): boolean {
    return this.#entry(node) !== null
  }

  #isAnsweredBelow(node: SegmentNode): boolean {
    const below = [...node.literals(), ...[...node.constrained, ...node.rests].map((edge) => edge.node)]
    if (node.free !== null) below.push(node.free)
    return this.#isAnswered(node) || below.some((each) => this.#isAnsweredBelow(each))
  }

  #entry(node: SegmentNode | null): NodeEntry | null {
    let get: NodeEntry | null = null
    for (let entry = node?.entries ?? null; entry !== null; entry = entry.next) {
      if (this.#method === null || entry.method === this.#method) return entry
      if (this.#method === 'HEAD' && entry.method === 'GET') get = entry
    }
    return get
  }
}
