import { methodNotAllowed, type Refusal } from '../route.ts'
import type { LinearExpression } from './linear-expression.ts'
import type { PlaceholderSegment } from './pattern.ts'
import type { Variant } from './variant.ts'

/** A way on through a placeholder that is constrained or has text beside it. */
export interface ConstrainedEdge {
  readonly key: string
  readonly segment: PlaceholderSegment
  readonly node: SegmentNode
}

/** The end of a way that takes all that is left. */
export interface RestEdge {
  readonly key: string
  readonly constraint: LinearExpression | null
  readonly node: SegmentNode
}

/** A variant that ends at a node, for one method. */
export class NodeEntry {
  readonly method: string
  readonly variant: Variant
  readonly next: NodeEntry | null

  /**
   * @param method The HTTP method.
   * @param variant The variant.
   * @param next The entries declared before.
   */
  constructor(method: string, variant: Variant, next: NodeEntry | null) {
    this.method = method
    this.variant = variant
    this.next = next
  }
}

/** What a mount or a claim leads to when its URL is spelled canonically. */
export interface Entrance {
  /** The trees of its table, one for each priority; null: the look-up is to be made the long way. */
  readonly levels: readonly SegmentNode[] | null
  /** The locale that its routes get. */
  readonly locale: string | null
  /** Whether nothing else is asked when the table does not know a path. */
  readonly isFinal: boolean
  /** Whether the next segment might be another spelling of a mount or a locale. */
  readonly isOpen: boolean
}

const SLASH = 47
const PRIME = 0x01000193
const NO_EDGES: readonly never[] = []

/**
 * A place between two segments, and the ways on from there. The ways through literal segments are an open hash table
 * of our own, because the hash of a segment is made while its end is looked for: no substring is cut and no string is
 * hashed a second time.
 */
export class SegmentNode {
  /** The literal segment that leads here. */
  readonly text: string
  /** The hash of it. */
  readonly hash: number
  /** The ways on through literal segments; a power of two of slots, at most half of them taken. */
  slots: (SegmentNode | null)[] | null = null
  #size = 0
  /** The ways on through constrained placeholders. */
  constrained: readonly ConstrainedEdge[] = NO_EDGES
  /** The way on through a placeholder that takes anything. */
  free: SegmentNode | null = null
  /** The ways that take all that is left. */
  rests: readonly RestEdge[] = NO_EDGES
  /** Whether there are no ways on but literal ones. */
  isLiteral = true
  /** The mount or claim that ends here. */
  entrance: Entrance | null = null
  /** What ends here, the last declared first. */
  entries: NodeEntry | null = null
  #refusal: Refusal | null = null

  /**
   * @param text The literal segment that leads here. Default: none.
   */
  constructor(text = '') {
    this.text = text
    this.hash = hashOf(text)
  }

  /**
   * @param text A literal segment.
   * @returns The node that it leads to, made when there is none.
   */
  literal(text: string): SegmentNode {
    const found = this.slots === null ? null : this.#find(text)
    if (found !== null) return found
    const node = new SegmentNode(text)
    this.#size++
    if (this.slots === null) this.slots = [null, null]
    else if (this.#size * 2 > this.slots.length) this.#grow(this.slots)
    place(this.slots, node)
    return node
  }

  /**
   * @param path A path.
   * @param start Where one of its segments begins.
   * @param hash The hash of the segment.
   * @returns The node that it leads to, or null.
   */
  at(path: string, start: number, hash: number): SegmentNode | null {
    const { slots } = this
    if (slots === null) return null
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const node = slots[slot] ?? null
      if (node === null || (node.hash === hash && isAt(node.text, path, start))) return node
    }
  }

  /**
   * @param method The HTTP method.
   * @param variant A variant that ends here; of one method the first one stays.
   */
  end(method: string, variant: Variant): void {
    for (let entry = this.entries; entry !== null; entry = entry.next) if (entry.method === method) return
    this.entries = new NodeEntry(method, variant, this.entries)
  }

  /** The refusal of other methods, for a place whose arguments always fit. */
  get refusal(): Refusal {
    return (this.#refusal ??= methodNotAllowed(this.#methods()))
  }

  *#methods(): Iterable<string> {
    for (let entry = this.entries; entry !== null; entry = entry.next) yield entry.method
  }

  #find(text: string): SegmentNode | null {
    const slots = this.slots ?? []
    const hash = hashOf(text)
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const node = slots[slot] ?? null
      if (node === null || node.text === text) return node
    }
  }

  #grow(old: readonly (SegmentNode | null)[]): void {
    this.slots = Array.from({ length: old.length * 2 }, () => null)
    for (const node of old) if (node !== null) place(this.slots, node)
  }
}

/**
 * One step of the hash of a segment.
 *
 * @param hash The hash of what stands before.
 * @param code The next character code.
 * @returns The hash with it, as a 32-bit number.
 * @see FNV-1a.
 */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME)
}

// The hash says nothing of the length, so a longer text may have it as well: the segment ends where the text does.
function isAt(text: string, path: string, start: number): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== path.charCodeAt(start + index)) return false
  }
  const behind = start + text.length
  return behind >= path.length || path.charCodeAt(behind) === SLASH
}

function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = hashStep(hash, text.charCodeAt(at))
  return hash
}

function place(slots: (SegmentNode | null)[], node: SegmentNode): void {
  let slot = node.hash & (slots.length - 1)
  while (slots[slot] !== null) slot = (slot + 1) & (slots.length - 1)
  slots[slot] = node
}
