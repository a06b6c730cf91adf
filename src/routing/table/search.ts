import { methodNotAllowed, type Refusal, type Route } from '../route.ts'
import { plain } from '../url-path.ts'
import type { LiteralReader } from './literal-map.ts'
import { comparePrecedence } from './precedence.ts'
import type { ConstrainedEdge, NodeEntry, SegmentNode } from './segment-node.ts'
import type { FoundValues, Variant } from './variant.ts'

const SLASH = 47
const DOT = 46
// In a path as sent, characters outside of these are encoded or were to be.
const LOWEST = 38
const SPAN = 126 - LOWEST

/**
 * Looks paths up in trees of segments. One search is used again for each lookup of a router, so that finding a route
 * allocates nothing but the route; the path itself is handed from step to step, for a reference to a new string costs
 * a write barrier in an old object.
 *
 * From the left, segment by segment, literals are tried before constrained placeholders, these before free ones, and
 * these before the rest. A node is visited at most once in a lookup.
 */
export class Search implements FoundValues, LiteralReader {
  method = ''
  locale: string | null = null
  limit = 0
  readonly isStrict: boolean
  /** Whether a strict lookup met a value that must be decoded or looked at first. */
  needsDecoding = false
  /** Whether a parameter type reads a value: it may ask the router, which must not begin another lookup here. */
  isReading = false
  /** How far the path was read, in the place where the lookup came furthest. */
  scanned = 0
  end = 0
  mayDiffer = false
  known = 0
  readonly starts: number[] = []
  readonly ends: number[] = []
  /** How many values stand on the current way. */
  depth = 0
  /** Whether a path without placeholders decided, so that the answer is the same for every request. */
  isStatic = false
  /** The refusal of the paths that are known for other methods, or null. */
  refusal: Refusal | null = null
  #matched: Variant | null = null

  /** Strictly, paths come as they were sent; else they are decoded, as {@link UrlPath} has them. */
  constructor(isStrict: boolean) {
    this.isStrict = isStrict
  }

  begin(method: string, path: string): void {
    const { length } = path
    // A reference that stays the same need not be written.
    if (this.method !== method) this.method = method
    this.limit = length > 0 && path.charCodeAt(length - 1) === SLASH ? length - 1 : length
    this.needsDecoding = false
    this.scanned = 0
    this.mayDiffer = false
    this.known = 0
    this.isStatic = false
    this.refusal = null
  }

  /** The best route for a path behind its entry point, which ends at a slash or with the path; refusals are noted. */
  findRoute(levels: readonly SegmentNode[], path: string, at: number): Route | null {
    for (let index = 0; index < levels.length; index++) {
      const root = levels[index]
      this.depth = 0
      const found = root === undefined ? null : this.#find(root, path, at)
      if (found !== null) return found
    }
    if (this.method !== 'HEAD' || this.refusal?.allowed.includes('GET') !== true) return null
    // The route that declares HEAD in place of a GET route did not take the values of the path, so that one has to.
    this.method = 'GET'
    const found = this.findRoute(levels, path, at)
    this.method = 'HEAD'
    return found
  }

  /** Whether there may be an escape in the rest of a path, or what may not stand there. */
  isEscaped(path: string, from: number): boolean {
    const { limit } = this
    for (let at = from; at < limit; at++) {
      const code = path.charCodeAt(at)
      if ((code - LOWEST) >>> 0 > SPAN) return true
    }
    this.scanned = limit
    return false
  }

  #find(from: SegmentNode, path: string, begin: number): Route | null {
    let node = from
    let at = begin
    while (at < this.limit) {
      const start = at + 1
      const { depth } = this
      if (node.isRest) return this.#findRest(node, path, start)
      if (node.isLiteral) {
        const literal = node.slots === null ? null : node.advance(this, path, at)
        if (literal === null) return this.#giveUp(at)
        node = literal
        at = this.end
        continue
      }
      let end = 0
      if (node.slots !== null) {
        this.known = 0
        const literal = node.advance(this, path, at)
        if (literal === null) end = this.known
        const found = literal === null ? null : this.#find(literal, path, this.end)
        if (found !== null) return found
      }
      // What no literal was may have been read to its end, and be no dot segment.
      if (end < start + 3) end = this.#readValue(path, start)
      if (end === 0) return null
      this.depth = depth + 1
      this.starts[depth] = start
      this.ends[depth] = end
      // With nothing else to try behind it, a free placeholder is only a step.
      if (node.isForked || node.free === null) return this.#findForked(node, path, depth)
      node = node.free
      at = end
    }
    return this.#pick(node, path)
  }

  // Gives the end of the value that begins at a place, or 0 when it must be decoded or looked at first.
  #readValue(path: string, start: number): number {
    const { limit } = this
    let end = start
    for (; end < limit; end++) {
      const code = path.charCodeAt(end)
      if (code === SLASH) break
      if ((code - LOWEST) >>> 0 > SPAN && this.isStrict) {
        this.needsDecoding = true
        return 0
      }
    }
    const isDots = path.charCodeAt(start) === DOT && end - start < 3
    if (end > start && !(isDots && this.isStrict)) return end
    this.needsDecoding = true
    return 0
  }

  #giveUp(at: number): null {
    const known = this.known > at ? this.known : at
    if (known > this.scanned) this.scanned = known
    return null
  }

  // Tries the placeholders of a node for the segment that stands at a depth.
  #findForked(node: SegmentNode, path: string, depth: number): Route | null {
    const start = this.starts[depth] ?? 0
    const end = this.ends[depth] ?? 0
    let best: Route | null = null
    let bestVariant: Variant | null = null
    for (const edge of node.constrained) {
      this.depth = depth
      if (!this.#capture(edge, path, { start, end })) continue
      const found = this.#find(edge.node, path, end)
      if (found === null || this.#isBehind(bestVariant)) continue
      best = found
      bestVariant = this.#matched
    }
    // Those around compare with what is given back, not with what was tried last.
    this.#matched = bestVariant
    if (best === null && node.free !== null) {
      this.depth = depth + 1
      this.starts[depth] = start
      this.ends[depth] = end
      best = this.#find(node.free, path, end)
    }
    this.depth = depth
    return best ?? this.#findRest(node, path, start)
  }

  // Edges of equal rank: which one is better is decided by what follows, then by the order of declaration.
  #isBehind(best: Variant | null): boolean {
    const matched = this.#matched
    return best !== null && (matched === null || comparePrecedence(matched, best) >= 0)
  }

  #findRest(node: SegmentNode, path: string, start: number): Route | null {
    if (node.rests.length === 0) return null
    const { depth, limit } = this
    let end = start - 1
    while (this.isStrict && end < limit) {
      end = this.#readValue(path, end + 1)
      if (end === 0) return null
    }
    this.starts[depth] = start
    this.ends[depth] = limit
    this.depth = depth + 1
    let best: Route | null = null
    let bestVariant: Variant | null = null
    for (const { constraint, node: leaf } of node.rests) {
      if (constraint !== null && !constraint.test(plain(path.slice(start, limit)))) continue
      const found = this.#pick(leaf, path)
      if (found === null || this.#isBehind(bestVariant)) continue
      best = found
      bestVariant = this.#matched
    }
    this.#matched = bestVariant
    this.depth = depth
    return best
  }

  #pick(node: SegmentNode, path: string): Route | null {
    const { method } = this
    let wanted: Variant | null = null
    for (let entry = node.entries; entry !== null; entry = entry.next) {
      if (entry.method === method) {
        wanted = entry.variant
        break
      }
      if (method === 'HEAD' && entry.method === 'GET' && !entry.variant.isHeadless) wanted = entry.variant
    }
    const route = wanted === null ? null : this.#read(wanted, path)
    if (route === null) this.#refuse(node, path, wanted)
    else this.#matched = wanted
    if (route !== null || this.depth === 0) this.isStatic = this.depth === 0 && node.entries !== null
    return route
  }

  #read(variant: Variant, path: string): Route | null {
    if (!variant.isTyped) return variant.route(this, path)
    this.isReading = true
    try {
      return variant.route(this, path)
    } finally {
      this.isReading = false
    }
  }

  #refuse(node: SegmentNode, path: string, wanted: Variant | null): void {
    this.scanned = this.limit
    if (node.entries === null) return
    if (!node.isTyped && this.refusal === null) {
      this.refusal = node.refusal
      return
    }
    const methods: string[] = []
    for (let entry: NodeEntry | null = node.entries; entry !== null; entry = entry.next) {
      const { variant } = entry
      if (variant !== wanted && (!variant.isTyped || this.#read(variant, path) !== null))
        methods.push(entry.method)
    }
    if (methods.length > 0) this.refusal = methodNotAllowed([...methods, ...(this.refusal?.allowed ?? [])])
  }

  // Reads the values of a segment with text or constraints, and leaves their places. A segment divides where the text between two
  // placeholders first occurs behind at least one character; no type or constraint moves that place.
  #capture(edge: ConstrainedEdge, path: string, span: { start: number; end: number }): boolean {
    const { placeholders, texts } = edge.segment
    const before = texts[0] ?? ''
    if (!path.startsWith(before, span.start)) return false
    let at = span.start + before.length
    for (const [index, { constraint }] of placeholders.entries()) {
      const behind = texts[index + 1] ?? ''
      const isLast = index === placeholders.length - 1
      const end = isLast ? span.end - behind.length : path.indexOf(behind, at + 1)
      // A text that is found behind the segment is not part of it, and no constraint may read that far.
      if (end <= at || end > span.end || (isLast && !path.startsWith(behind, end))) return false
      this.starts[this.depth] = at
      this.ends[this.depth] = end
      this.depth++
      if (constraint !== null && !constraint.test(plain(path.slice(at, end)))) return false
      at = end + behind.length
    }
    return true
  }
}
