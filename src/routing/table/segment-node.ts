import { methodNotAllowed, type Refusal } from '../route.ts'
import type { LinearExpression } from '../expression/linear-expression.ts'
import { LiteralNode } from './literal-map.ts'
import { keyOf, type PatternSegment, type PlaceholderSegment } from './pattern.ts'
import type { Variant } from './variant.ts'

/** A way on through placeholders that are constrained or have text beside them. */
export interface ConstrainedEdge<E = never> {
  readonly key: string
  readonly segment: PlaceholderSegment
  readonly node: SegmentNode<E>
}

/** The end of a way that takes all that is left. */
interface RestEdge<E = never> {
  readonly key: string
  readonly constraint: LinearExpression | null
  readonly node: SegmentNode<E>
}

export interface NodeEntry {
  readonly method: string
  readonly variant: Variant
  /** The entry that was declared before. */
  readonly next: NodeEntry | null
}

const NO_EDGES: readonly never[] = []

/** A place between two segments, and the ways on from there: literals, placeholders, the rest of the path. */
export class SegmentNode<E = never> extends LiteralNode<SegmentNode<E>> {
  constrained: readonly ConstrainedEdge<E>[] = NO_EDGES
  /** The way on through a placeholder that takes anything. */
  free: SegmentNode<E> | null = null
  rests: readonly RestEdge<E>[] = NO_EDGES
  /** Whether there are no ways on but literal ones. */
  isLiteral = true
  /** Whether there is more than a free placeholder to try when no literal fits. */
  isForked = false
  /** Whether the only ways on take all that is left. */
  isRest = false
  /** What ends here, the last declared first. */
  entries: NodeEntry | null = null
  /** Whether an argument of what ends here may not fit its type. */
  isTyped = false
  /** The mount or claim that ends here. */
  entrance: E | null = null
  #refusal: Refusal | null = null

  /** Enters a path behind this node; of equal paths and methods the first one stays. */
  add(variant: Variant): void {
    const { pattern, methods } = variant
    const end = pattern.segments.reduce<SegmentNode<E>>((node, segment) => {
      const child = node.#child(segment)
      node.#settle()
      return child
    }, this)
    for (const method of methods) end.#end(method, variant)
  }

  /** The way on that a segment was added as, or null. */
  find(segment: PatternSegment): SegmentNode<E> | null {
    if (segment.kind === 'literal') return this.literal(segment.text)
    const key = keyOf(segment)
    if (key === '{}') return this.free
    const edges = segment.kind === 'rest' ? this.rests : this.constrained
    return edges.find((edge) => edge.key === key)?.node ?? null
  }

  #child(segment: PatternSegment): SegmentNode<E> {
    if (segment.kind === 'literal') return this.follow(new SegmentNode(segment.text))
    const key = keyOf(segment)
    if (key === '{}') return (this.free ??= new SegmentNode())
    const edges = segment.kind === 'rest' ? this.rests : this.constrained
    const known = edges.find((edge) => edge.key === key)
    if (known !== undefined) return known.node
    const node = new SegmentNode<E>()
    if (segment.kind === 'rest') {
      const { constraint } = segment.placeholder
      this.rests = [...this.rests, { key, constraint, node }]
    } else this.constrained = [...this.constrained, { key, segment, node }]
    return node
  }

  #settle(): void {
    const { slots, constrained, free, rests } = this
    this.isForked = constrained.length + rests.length > 0
    this.isLiteral = free === null && !this.isForked
    this.isRest = slots === null && free === null && constrained.length === 0
  }

  #end(method: string, variant: Variant): void {
    for (let entry = this.entries; entry !== null; entry = entry.next) if (entry.method === method) return
    this.entries = { method, variant, next: this.entries }
    this.isTyped ||= variant.isTyped
  }

  /** The refusal of other methods, for a place whose arguments always fit. */
  get refusal(): Refusal {
    if (this.#refusal !== null) return this.#refusal
    const methods: string[] = []
    for (let entry = this.entries; entry !== null; entry = entry.next) methods.push(entry.method)
    return (this.#refusal = methodNotAllowed(methods))
  }
}
