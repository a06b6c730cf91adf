/**
 * Why `where()` cannot be used for denial of service: constraints never run on the platform's regular expressions, which
 * backtrack and may take exponential time. They are compiled to an automaton that reads each character of a value once, so
 * the time of a match grows with the length of the value alone, whatever expression a route declares.
 *
 * @module
 */
import { sentence } from '../../core/internal.ts'
import { compileNative, type ExpressionNode, parseExpression } from './expression-syntax.ts'

// Characters that an expression may hold once its counted repetitions are written out.
const MAX_POSITIONS = 512
const MAX_STEPS = 20_000
const MAX_REMEMBERED = 512
const ASCII = 128
const WORD = 32

/** A part of an expression: where a match of it may begin and end, and whether it may be empty. */
interface Part {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isNullable: boolean
}

const EMPTY: Part = { first: [], last: [], isNullable: true }

/**
 * A regular expression that is matched against a whole string in time linear in its length: an automaton with one position
 * for each character of the expression, all of whose paths are followed at once, one bit for each.
 *
 * @see Glushkov, The Abstract Theory of Automata, Russian Mathematical Surveys 16:5 (1961).
 */
export class LinearExpression {
  /** The expression as written. */
  readonly source: string
  readonly #words: number
  /** The positions that may come first; then, for each position, those that may follow it. */
  readonly #follow: Int32Array
  readonly #last: Int32Array
  readonly #isNullable: boolean
  readonly #atoms: readonly RegExp[]
  /** For each character met so far, the positions that take it. */
  readonly #ascii: (Int32Array | undefined)[] = Array.from({ length: ASCII })
  readonly #others = new Map<number, Int32Array>()

  /** @throws {SyntaxError} If the expression cannot be read, or is too large. */
  constructor(source: string) {
    const positions = new Positions()
    const whole = positions.add(parseExpression(source))
    this.source = source
    this.#atoms = positions.atoms
    this.#words = Math.max(1, Math.ceil(positions.atoms.length / WORD))
    const rows = [whole.first, ...positions.follow].map((row) => pack(row, this.#words))
    this.#follow = Int32Array.from(rows.flatMap((row) => [...row]))
    this.#last = pack(whole.last, this.#words)
    this.#isNullable = whole.isNullable
    // The types of parameters hold it, which every match hands out.
    Object.freeze(this)
  }

  /** Whether a whole text matches. */
  test(text: string): boolean {
    if (text === '') return this.#isNullable
    return this.#words === 1 ? this.#testSmall(text) : this.#testLarge(text)
  }

  /** Where a code point leads from a state, null at the beginning, or undefined when no match goes on so. */
  advance(state: Int32Array | null, character: number): Int32Array | undefined {
    const open = this.#follow.slice(0, this.#words)
    if (state !== null) this.#goOn(state, open)
    return this.#take(open, character) ? open : undefined
  }

  /** Whether a text matches that led to a state, null for the empty text. */
  accepts(state: Int32Array | null): boolean {
    if (state === null) return this.#isNullable
    return state.some((bits, word) => (bits & (this.#last[word] ?? 0)) !== 0)
  }

  // The same as below where one number holds all positions, as it does for nearly every constraint.
  #testSmall(text: string): boolean {
    const follow = this.#follow
    let reachable = follow[0] ?? 0
    let active = 0
    for (let at = 0; at < text.length; at++) {
      const character = text.codePointAt(at) ?? 0
      if (character > 0xffff) at++
      active = reachable & (this.#takersOf(character)[0] ?? 0)
      if (active === 0) return false
      reachable = 0
      for (let open = active; open !== 0; open &= open - 1)
        reachable |= follow[WORD - Math.clz32(open & -open)] ?? 0
    }
    return (active & (this.#last[0] ?? 0)) !== 0
  }

  #testLarge(text: string): boolean {
    let open = this.#follow.slice(0, this.#words)
    let taken = new Int32Array(this.#words)
    for (let at = 0; at < text.length; at++) {
      const character = text.codePointAt(at) ?? 0
      if (character > 0xffff) at++
      if (!this.#take(open, character)) return false
      const next = taken
      taken = open
      open = next
      this.#goOn(taken, open)
    }
    return this.accepts(taken)
  }

  // Leaves of the positions that are open those that take a character.
  #take(open: Int32Array, character: number): boolean {
    const takers = this.#takersOf(character)
    let any = 0
    for (let word = 0; word < this.#words; word++) any |= open[word] = (open[word] ?? 0) & (takers[word] ?? 0)
    return any !== 0
  }

  // Opens the positions that may follow those that took a character.
  #goOn(taken: Int32Array, open: Int32Array): void {
    const words = this.#words
    open.fill(0)
    for (let word = 0; word < words; word++) {
      for (let left = taken[word] ?? 0; left !== 0; left &= left - 1) {
        const from = (word * WORD + WORD - Math.clz32(left & -left)) * words
        for (let other = 0; other < words; other++)
          open[other] = (open[other] ?? 0) | (this.#follow[from + other] ?? 0)
      }
    }
  }

  #takersOf(character: number): Int32Array {
    const known = character < ASCII ? this.#ascii[character] : this.#others.get(character)
    return known ?? this.#learn(character)
  }

  #learn(character: number): Int32Array {
    const text = String.fromCodePoint(character)
    const positions = [...this.#atoms.keys()].filter((position) => this.#atoms[position]?.test(text) === true)
    const takers = pack(positions, this.#words)
    if (character < ASCII) this.#ascii[character] = takers
    else if (this.#others.size < MAX_REMEMBERED) this.#others.set(character, takers)
    return takers
  }
}

/** Numbers the characters of an expression and notes which may follow which. */
class Positions {
  readonly atoms: RegExp[] = []
  readonly follow: Set<number>[] = []
  #steps = 0

  add(node: ExpressionNode): Part {
    if (++this.#steps > MAX_STEPS) throw new SyntaxError(sentence`the expression is too large`)
    if (node.kind === 'atom') return this.#atom(node.source)
    if (node.kind === 'choice') return unite(node.branches.map((branch) => this.add(branch)))
    if (node.kind === 'repeat') return this.#repeat(node)
    return node.items.reduce<Part>((before, item) => this.#join(before, this.add(item)), EMPTY)
  }

  #atom(source: string): Part {
    if (this.atoms.length >= MAX_POSITIONS) throw new SyntaxError(sentence`the expression is too large`)
    const position = this.atoms.push(compileNative(`^${source}$`)) - 1
    this.follow.push(new Set())
    return { first: [position], last: [position], isNullable: false }
  }

  // x{2,4} is xx(x(x)?)?, x{2,} is xx+.
  #repeat({ item, least, most }: ExpressionNode & { kind: 'repeat' }): Part {
    let tail: Part = EMPTY
    if (most === Infinity) {
      tail = this.add(item)
      this.#connect(tail.last, tail.first)
      if (least === 0) tail = { ...tail, isNullable: true }
    } else {
      for (let count = least; count < most; count++)
        tail = { ...this.#join(this.add(item), tail), isNullable: true }
    }
    const copies = most === Infinity ? least - 1 : least
    for (let count = 0; count < copies; count++) tail = this.#join(this.add(item), tail)
    return tail
  }

  #join(before: Part, after: Part): Part {
    this.#connect(before.last, after.first)
    return {
      first: before.isNullable ? [...before.first, ...after.first] : before.first,
      last: after.isNullable ? [...before.last, ...after.last] : after.last,
      isNullable: before.isNullable && after.isNullable,
    }
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const position of from) for (const next of to) this.follow[position]?.add(next)
  }
}

function unite(parts: readonly Part[]): Part {
  return {
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    isNullable: parts.some(({ isNullable }) => isNullable),
  }
}

function pack(positions: Iterable<number>, words: number): Int32Array {
  const bits = new Int32Array(words)
  for (const position of positions) {
    const word = Math.floor(position / WORD)
    bits[word] = (bits[word] ?? 0) | (1 << (position % WORD))
  }
  return bits
}
