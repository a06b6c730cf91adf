import { plain } from '../url-path.ts'
import type { LinearExpression } from './linear-expression.ts'
import { keyOf, type PatternSegment, type PlaceholderSegment } from './pattern.ts'
import type { Variant } from './variant.ts'

interface Edge {
  readonly key: string
  readonly segment: PlaceholderSegment
  readonly node: Node
}

interface RestEdge {
  readonly key: string
  readonly constraint: LinearExpression | null
  readonly leaf: Leaf
}

interface Found {
  readonly variant: Variant
  readonly args: readonly unknown[]
}

type Leaf = Map<string, Variant>

class Node {
  readonly literals = new Map<string, Node>()
  readonly constrained: Edge[] = []
  free: Node | null = null
  readonly rests: RestEdge[] = []
  readonly leaf: Leaf = new Map()
}

/** The variants of one priority, as a tree of segments. */
export class RouteTree {
  readonly #root = new Node()
  #path = ''
  #method = ''
  #values: string[] = []
  #refused: Set<string> = new Set()

  /**
   * @param variant A variant to be found; of equal paths and methods the first one stays.
   */
  add(variant: Variant): void {
    let node = this.#root
    for (const segment of variant.pattern.segments) {
      if (segment.kind === 'rest') return put(restLeaf(node, segment), variant)
      node = childOf(node, segment)
    }
    put(node.leaf, variant)
  }

  find(method: string, path: string, at: number): Found | null {
    this.#path = path
    this.#method = method
    this.#values = []
    this.#refused = new Set()
    return this.#walk(this.#root, at)
  }

  /** The methods that the path of the last look-up is known for, when it is not known for the asked one. */
  get refused(): ReadonlySet<string> {
    return this.#refused
  }

  #walk(node: Node, at: number): Found | null {
    const path = this.#path
    if (at >= path.length - (path.endsWith('/') ? 1 : 0)) return this.#pick(node.leaf)
    const slash = path.indexOf('/', at + 1)
    const end = slash === -1 ? path.length : slash
    const segment = path.slice(at + 1, end)
    const literal = node.literals.get(segment)
    const found = literal === undefined ? null : this.#walk(literal, end)
    return (
      found ??
      this.#tryConstrained(node, segment, end) ??
      this.#tryFree(node, segment, end) ??
      this.#tryRest(node, at)
    )
  }

  // Edges of equal rank: which one is better is decided by what follows, then by the order of declaration.
  #tryConstrained(node: Node, segment: string, end: number): Found | null {
    let best: Found | null = null
    for (const edge of node.constrained) {
      const before = this.#values.length
      if (capture(edge.segment, segment, this.#values)) {
        const found = this.#walk(edge.node, end)
        if (found !== null && (best === null || isBefore(found.variant, best.variant))) best = found
      }
      this.#values.length = before
    }
    return best
  }

  #tryFree(node: Node, segment: string, end: number): Found | null {
    if (node.free === null) return null
    this.#values.push(segment)
    const found = this.#walk(node.free, end)
    this.#values.pop()
    return found
  }

  #tryRest(node: Node, at: number): Found | null {
    if (node.rests.length === 0) return null
    const path = this.#path
    const value = path.slice(at + 1, path.endsWith('/') ? -1 : undefined)
    for (const { constraint, leaf } of node.rests) {
      if (constraint !== null && !constraint.test(plain(value))) continue
      this.#values.push(value)
      const found = this.#pick(leaf)
      this.#values.pop()
      if (found !== null) return found
    }
    return null
  }

  #pick(leaf: Leaf): Found | null {
    const wanted = leaf.get(this.#method) ?? (this.#method === 'HEAD' ? implied(leaf) : undefined)
    const args = wanted?.read(this.#values)
    if (wanted !== undefined && args !== undefined) return { variant: wanted, args }
    for (const [method, variant] of leaf) {
      if (variant !== wanted && variant.read(this.#values) !== undefined) this.#refused.add(method)
    }
    return null
  }
}

function implied(leaf: Leaf): Variant | undefined {
  const variant = leaf.get('GET')
  return variant?.isHeadless === true ? undefined : variant
}

function isBefore(one: Variant, other: Variant): boolean {
  return one.rank === other.rank ? one.order < other.order : one.rank < other.rank
}

function put(leaf: Leaf, variant: Variant): void {
  for (const method of variant.methods) if (!leaf.has(method)) leaf.set(method, variant)
}

function restLeaf(node: Node, segment: PatternSegment & { kind: 'rest' }): Leaf {
  const key = keyOf(segment)
  let edge = node.rests.find((candidate) => candidate.key === key)
  if (edge === undefined) {
    edge = { key, constraint: segment.placeholder.constraint, leaf: new Map() }
    node.rests.push(edge)
  }
  return edge.leaf
}

function childOf(node: Node, segment: PatternSegment & { kind: 'literal' | 'placeholder' }): Node {
  if (segment.kind === 'literal') {
    const child = node.literals.get(segment.text) ?? new Node()
    node.literals.set(segment.text, child)
    return child
  }
  const key = keyOf(segment)
  if (key === '{}') return (node.free ??= new Node())
  let edge = node.constrained.find((candidate) => candidate.key === key)
  if (edge === undefined) {
    edge = { key, segment, node: new Node() }
    node.constrained.push(edge)
  }
  return edge.node
}

function capture(pattern: PlaceholderSegment, segment: string, values: string[]): boolean {
  const { placeholders, texts } = pattern
  const first = texts[0] ?? ''
  if (!segment.startsWith(first)) return false
  let at = first.length
  for (const [index, { constraint }] of placeholders.entries()) {
    const text = texts[index + 1] ?? ''
    const isLast = index === placeholders.length - 1
    const end = isLast ? segment.length - text.length : segment.indexOf(text, at + 1)
    if (end <= at || (isLast && !segment.endsWith(text))) return false
    const value = segment.slice(at, end)
    if (constraint !== null && !constraint.test(plain(value))) return false
    values.push(value)
    at = end + text.length
  }
  return true
}
