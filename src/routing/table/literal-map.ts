/** What a node needs of the lookup that reads it. */
export interface LiteralReader {
  /** Where the path ends, a trailing slash left out. */
  readonly limit: number
  /** Where the segment ends that was read last. */
  end: number
  /** Whether that segment, which no literal was, may hold a capital or a foreign letter. */
  mayDiffer: boolean
  /** Where such a segment ends when nothing in it must be decoded or refused, else as it was. */
  known: number
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

/**
 * A literal segment, and an open hash table of the literals that may follow it. They are found while the end of a segment is
 * looked for: its characters are shifted into two numbers, seven bits each. These hold the last nine characters, and are both
 * the hash and, for nearly every literal, the whole comparison. No substring is cut, no string is hashed and no character is
 * read twice.
 */
export class LiteralNode<N extends LiteralNode<N>> {
  /** The segment that leads here; empty at the root and behind a placeholder. */
  readonly text: string
  /** Its last characters, packed. */
  readonly tail: number
  /** The characters before them. */
  readonly head: number
  /** How many characters stand before those that the two numbers hold. */
  readonly unpacked: number
  /** The literals that may follow; a power of two of slots, at most half of them taken. */
  slots: (N | null)[] | null = null
  /** One bit for each character that a literal begins with, by its last five bits. */
  firsts = 0
  #size = 0

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

  /** Adds a literal that may follow, and gives the node that stands for it: this one, or one that was added before. */
  follow(node: N): N {
    this.slots ??= [null, null]
    this.firsts |= 1 << (node.text.charCodeAt(0) & 31)
    const found = this.slots[slotOf(node, this.slots)] ?? null
    if (found !== null) return found
    this.#size++
    if (this.#size * 2 > this.slots.length) this.slots = grown(this.slots)
    this.slots[slotOf(node, this.slots)] = node
    return node
  }

  /** The literals that may follow. */
  literals(): readonly N[] {
    return (this.slots ?? []).filter((node) => node !== null)
  }

  /** The literal of a text that may follow, or null. */
  literal(text: string): N | null {
    return this.slots === null ? null : (this.slots[slotOf(new LiteralNode<N>(text), this.slots)] ?? null)
  }

  /** Reads the segment behind a slash and gives the node of the literal that it is, or null. */
  advance(reader: LiteralReader, path: string, at: number): N | null {
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
    for (let slot = hashOf(head, tail) & mask; ; slot = (slot + 1) & mask) {
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
}

function hashOf(head: number, tail: number): number {
  const mixed = Math.imul(tail ^ (head << 3) ^ (head >>> 11), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function isSame(literal: string, path: string, span: { start: number; length: number }): boolean {
  for (let index = 0; index < span.length; index++) {
    if (literal.charCodeAt(index) !== path.charCodeAt(span.start + index)) return false
  }
  return true
}

// Where a literal stands in a table, or would stand.
function slotOf<N extends LiteralNode<N>>(
  { head, tail, text }: LiteralNode<N>,
  slots: readonly (N | null)[],
): number {
  const mask = slots.length - 1
  let slot = hashOf(head, tail) & mask
  while ((slots[slot]?.text ?? text) !== text) slot = (slot + 1) & mask
  return slot
}

function grown<N extends LiteralNode<N>>(old: readonly (N | null)[]): (N | null)[] {
  const slots: (N | null)[] = Array.from({ length: old.length * 2 }, () => null)
  for (const node of old) if (node !== null) slots[slotOf(node, slots)] = node
  return slots
}
