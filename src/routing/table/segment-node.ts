import { methodNotAllowed, type Refusal } from '../route.ts'
import type { LinearExpression } from '../expression/linear-expression.ts'
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

/** What a node needs of the look-up that reads it. */
export interface SegmentReader {
  /** Where the path ends. */
  readonly limit: number
  /** Where the segment ends that was read last. */
  end: number
  /** Whether that segment, which no literal was, may hold a capital or a foreign letter. */
  mayDiffer: boolean
  /** Where such a segment ends when nothing in it is to be decoded or refused, else as it was. */
  known: number
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

const SLASH = 47
const BITS = 7
const CARRY = 32 - BITS
const ASCII = 127
// In a path as sent, characters below are encoded or were to be.
const LOWEST = 38
// In small letters and digits, and not in capitals.
const SMALL = 32
// How many characters two words of 32 bits hold.
const EXACT = 9
const NO_EDGES: readonly never[] = []

/**
 * A place between two segments, and the ways on from there. The ways through literal segments are an open hash table
 * of our own: while the end of a segment is looked for, its characters are shifted into two numbers, seven bits each, so
 * that these hold the last nine of them, and are both the hash and, for nearly every literal, the comparison. No substring is cut, no string
 * is hashed and none is read twice.
 */
export class SegmentNode<E = never> {
  /** The literal segment that leads here. */
  readonly text: string
  /** The last characters of it, packed. */
  readonly tail: number
  /** The characters before them. */
  readonly head: number
  /** How many characters stand before those that the two numbers hold. */
  readonly unpacked: number
  /** The ways on through literal segments; a power of two of slots, at most half of them taken. */
  slots: (SegmentNode<E> | null)[] | null = null
  /** One bit for each character that a literal begins with, by its last five bits. */
  firsts = 0
  #size = 0
  /** The ways on through constrained placeholders. */
  constrained: readonly ConstrainedEdge[] = NO_EDGES
  /** The way on through a placeholder that takes anything. */
  free: SegmentNode<E> | null = null
  /** The ways that take all that is left. */
  rests: readonly RestEdge[] = NO_EDGES
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

  /**
   * @param text The literal segment that leads here. Default: none.
   */
  constructor(text = '') {
    let head = 0
    let tail = 0
    let isPlain = true
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      isPlain &&= code <= ASCII
      head = (head << BITS) | (tail >>> CARRY)
      tail = (tail << BITS) | code
    }
    this.text = text
    this.head = head
    this.tail = tail
    this.unpacked = isPlain ? Math.max(0, text.length - EXACT) : text.length
  }

  /**
   * @param text A literal segment.
   * @returns The node that it leads to, made when there is none.
   */
  literal(text: string): SegmentNode<E> {
    const node = new SegmentNode<E>(text)
    if (this.slots === null) {
      this.slots = [null, null]
      this.#settle()
    }
    this.firsts |= 1 << (text.charCodeAt(0) & 31)
    const found = find(this.slots, node)
    if (found !== null) return found
    this.#size++
    if (this.#size * 2 > this.slots.length) this.slots = grown(this.slots)
    place(this.slots, node)
    return node
  }

  /**
   * @returns The node behind a placeholder that takes anything, made when there is none.
   */
  placeholder(): SegmentNode<E> {
    this.free ??= new SegmentNode()
    this.#settle()
    return this.free
  }

  /**
   * @param edge A way on through a constrained placeholder.
   */
  addConstrained(edge: ConstrainedEdge): void {
    this.constrained = [...this.constrained, edge]
    this.#settle()
  }

  /**
   * @param edge A way that takes all that is left.
   */
  addRest(edge: RestEdge): void {
    this.rests = [...this.rests, edge]
    this.#settle()
  }

  #settle(): void {
    const { slots, constrained, free, rests } = this
    this.isForked = constrained.length + rests.length > 0
    this.isLiteral = free === null && !this.isForked
    this.isRest = slots === null && free === null && constrained.length === 0
  }

  /**
   * Reads the next segment of a path and goes on through the literal that it is.
   *
   * @param reader Says where the path ends, and is told where the segment does.
   * @param path The path.
   * @param at Where the slash before the segment stands.
   * @returns The node behind the literal, or null.
   */
  advance(reader: SegmentReader, path: string, at: number): SegmentNode<E> | null {
    const { slots } = this
    const { limit } = reader
    const start = at + 1
    let tail = path.charCodeAt(start)
    // A character stands for itself or, in another spelling, for the one with the same last five bits.
    if (slots === null || ((this.firsts >>> tail) & 1) === 0) {
      reader.mayDiffer = tail > ASCII
      return null
    }
    let head = 0
    // Negative below the lowest character, more than seven bits above the highest.
    let marks = (tail + 1) | (tail - LOWEST)
    let small = tail & SMALL
    let end = start + 1
    for (; end < limit; end++) {
      const code = path.charCodeAt(end)
      if (code === SLASH) break
      marks |= (code + 1) | (code - LOWEST)
      small &= code
      head = (head << BITS) | (tail >>> CARRY)
      tail = (tail << BITS) | code
    }
    reader.end = end
    const isPlain = marks >>> 0 <= ASCII
    const mask = slots.length - 1
    for (let slot = slotOf(head, tail) & mask; ; slot = (slot + 1) & mask) {
      const node = slots[slot] ?? null
      if (node === null) {
        if (isPlain) reader.known = end
        reader.mayDiffer = small === 0 || !isPlain
        return null
      }
      if (node.tail !== tail || node.head !== head || node.text.length !== end - start) continue
      // The numbers say everything of the last characters, if these are plain; what stands before is compared.
      const unknown = isPlain ? node.unpacked : node.text.length
      if (unknown === 0 || isSame(node.text, path, { start, length: unknown })) return node
    }
  }

  /**
   * @param method The HTTP method.
   * @param variant A variant that ends here; of one method the first one stays.
   */
  end(method: string, variant: Variant): void {
    for (let entry = this.entries; entry !== null; entry = entry.next) if (entry.method === method) return
    this.entries = new NodeEntry(method, variant, this.entries)
    this.isTyped ||= variant.isTyped
  }

  /** The refusal of other methods, for a place whose arguments always fit. */
  get refusal(): Refusal {
    return (this.#refusal ??= methodNotAllowed(this.#methods()))
  }

  *#methods(): Iterable<string> {
    for (let entry = this.entries; entry !== null; entry = entry.next) yield entry.method
  }
}

function slotOf(head: number, tail: number): number {
  const mixed = Math.imul(tail ^ (head << 3) ^ (head >>> 11), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function isSame(
  literal: string,
  path: string,
  span: { readonly start: number; readonly length: number },
): boolean {
  for (let index = 0; index < span.length; index++) {
    if (literal.charCodeAt(index) !== path.charCodeAt(span.start + index)) return false
  }
  return true
}

function find<E>(slots: readonly (SegmentNode<E> | null)[], wanted: SegmentNode<E>): SegmentNode<E> | null {
  const mask = slots.length - 1
  for (let slot = slotOf(wanted.head, wanted.tail) & mask; ; slot = (slot + 1) & mask) {
    const node = slots[slot] ?? null
    if (node === null || node.text === wanted.text) return node
  }
}

function grown<E>(old: readonly (SegmentNode<E> | null)[]): (SegmentNode<E> | null)[] {
  const slots: (SegmentNode<E> | null)[] = Array.from({ length: old.length * 2 }, () => null)
  for (const node of old) if (node !== null) place(slots, node)
  return slots
}

function place<E>(slots: (SegmentNode<E> | null)[], node: SegmentNode<E>): void {
  const mask = slots.length - 1
  let slot = slotOf(node.head, node.tail) & mask
  while (slots[slot] !== null) slot = (slot + 1) & mask
  slots[slot] = node
}
