import { methodNotAllowed, type Route } from '../route.ts'
import { plain } from '../url-path.ts'
import { keyOf, type PatternSegment } from './pattern.ts'
import type { Probe } from './probe.ts'
import { type ConstrainedEdge, type NodeEntry, SegmentNode } from './segment-node.ts'
import type { Variant } from './variant.ts'

const SLASH = 47
const DOT = 46
// In a path as sent, characters outside of these are encoded or were to be; see Probe.isOdd.
const LOWEST = 38
const HIGHEST = 126

/**
 * Enters a variant into a tree of segments.
 *
 * @param root The root of the tree.
 * @param variant The variant; of equal paths and methods the first one stays.
 */
export function addVariant(root: SegmentNode, variant: Variant): void {
  let node = root
  for (const segment of variant.pattern.segments) node = childOf(node, segment)
  for (const method of variant.methods) node.end(method, variant)
}

/**
 * Finds the best route for a path: segment by segment, from the left, literals are tried before constrained
 * placeholders, these before free ones, and these before the rest. A node is visited at most once in a look-up.
 *
 * @param root A node of the tree.
 * @param probe The look-up; refusals are noted in it.
 * @param from Where the part of the path behind the node begins: at a slash or at the end.
 * @returns The route, or null.
 */
export function findIn(root: SegmentNode, probe: Probe, from: number): Route | null {
  const { text, limit } = probe
  let node = root
  let at = from
  while (at < limit) {
    const start = at + 1
    const literal = node.advance(probe, at)
    const { odd, end } = probe
    if (node.isLiteral) {
      if (literal === null) return giveUp(probe, end, odd)
      node = literal
      at = end
      continue
    }
    const { depth } = probe
    const found = literal === null ? null : findIn(literal, probe, end)
    if (found !== null) return found
    if (end === start || (probe.isStrict && (odd < 0 || isDots(text, start, end))))
      return giveUp(probe, end, -1)
    probe.depth = depth + 1
    probe.starts[depth] = start
    probe.ends[depth] = end
    // With nothing else to try behind it, a free placeholder is only a step.
    if (node.free === null || node.isForked) return findOpen(node, probe, depth)
    node = node.free
    at = end
  }
  return pick(node, probe)
}

function giveUp(probe: Probe, at: number, odd: number): null {
  if (odd < 0) probe.isOdd = true
  if (at > probe.scanned) probe.scanned = at
  return null
}

function isDots(text: string, start: number, end: number): boolean {
  return (
    text.charCodeAt(start) === DOT &&
    (end - start === 1 || (end - start === 2 && text.charCodeAt(start + 1) === DOT))
  )
}

// Tries the placeholders of a node for the segment that stands at a depth of the probe.
function findOpen(node: SegmentNode, probe: Probe, depth: number): Route | null {
  const start = probe.starts[depth] ?? 0
  const end = probe.ends[depth] ?? 0
  let best: Route | null = null
  let bestVariant: Variant | null = null
  for (const edge of node.constrained) {
    probe.depth = depth
    if (!capture(edge, probe, { start, end })) continue
    const found = findIn(edge.node, probe, end)
    if (found === null || (bestVariant !== null && !isBefore(probe.matched, bestVariant))) continue
    best = found
    bestVariant = probe.matched
  }
  if (best === null && node.free !== null) {
    probe.depth = depth + 1
    probe.starts[depth] = start
    probe.ends[depth] = end
    best = findIn(node.free, probe, end)
  }
  probe.depth = depth
  return best ?? findRest(node, probe, start)
}

function findRest(node: SegmentNode, probe: Probe, start: number): Route | null {
  if (node.rests.length === 0) return null
  if (probe.isStrict && isOddFrom(probe, start)) {
    probe.isOdd = true
    return null
  }
  const { depth } = probe
  probe.starts[depth] = start
  probe.ends[depth] = probe.limit
  probe.depth = depth + 1
  for (const rest of node.rests) {
    const fits = rest.constraint === null || rest.constraint.test(plain(probe.value(depth)))
    const found = fits ? pick(rest.node, probe) : null
    if (found !== null) return found
  }
  probe.depth = depth
  return null
}

function isOddFrom({ text, limit }: Probe, start: number): boolean {
  let before = SLASH
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code < LOWEST || code > HIGHEST || (before === SLASH && (code === SLASH || code === DOT))) return true
    before = code
  }
  return before === SLASH
}

function pick(node: SegmentNode, probe: Probe): Route | null {
  const { method } = probe
  let wanted: Variant | null = null
  for (let entry = node.entries; entry !== null; entry = entry.next) {
    if (entry.method === method) {
      wanted = entry.variant
      break
    }
    if (method === 'HEAD' && entry.method === 'GET' && !entry.variant.isHeadless) wanted = entry.variant
  }
  const route = wanted === null ? null : wanted.route(probe)
  if (route === null) refuse(node, wanted, probe)
  else probe.matched = wanted
  return route
}

function refuse(node: SegmentNode, wanted: Variant | null, probe: Probe): void {
  probe.scanned = probe.limit
  if (node.entries === null) return
  if (!node.isTyped && probe.refusal === null) {
    probe.refusal = node.refusal
    return
  }
  const methods: string[] = []
  for (let entry: NodeEntry | null = node.entries; entry !== null; entry = entry.next) {
    if (entry.variant !== wanted && (!entry.variant.isTyped || entry.variant.route(probe) !== null)) {
      methods.push(entry.method)
    }
  }
  if (methods.length > 0) probe.refuse(methodNotAllowed(methods))
}

// Edges of equal rank: which one is better is decided by what follows, then by the order of declaration.
function isBefore(one: Variant | null, other: Variant): boolean {
  if (one === null) return false
  return one.rank === other.rank ? one.order < other.order : one.rank < other.rank
}

function childOf(node: SegmentNode, segment: PatternSegment): SegmentNode {
  if (segment.kind === 'literal') return node.literal(segment.text)
  node.isLiteral = false
  const key = keyOf(segment)
  if (segment.kind === 'rest') return restOf(node, key, segment)
  if (key === '{}') return (node.free ??= new SegmentNode())
  const found = node.constrained.find((candidate) => candidate.key === key)
  if (found !== undefined) return found.node
  const edge: ConstrainedEdge = { key, segment, node: new SegmentNode() }
  node.constrained = [...node.constrained, edge]
  node.isForked = true
  return edge.node
}

function restOf(
  node: SegmentNode,
  key: string,
  segment: PatternSegment & { readonly kind: 'rest' },
): SegmentNode {
  const found = node.rests.find((candidate) => candidate.key === key)
  if (found !== undefined) return found.node
  const edge = { key, constraint: segment.placeholder.constraint, node: new SegmentNode() }
  node.rests = [...node.rests, edge]
  node.isForked = true
  return edge.node
}

// Reads the values of a segment with text or constraints, and leaves their places in the probe.
function capture(
  edge: ConstrainedEdge,
  probe: Probe,
  span: { readonly start: number; readonly end: number },
): boolean {
  const { placeholders, texts } = edge.segment
  const { text } = probe
  let at = span.start + (texts[0] ?? '').length
  if (!text.startsWith(texts[0] ?? '', span.start)) return false
  for (const [index, { constraint }] of placeholders.entries()) {
    const behind = texts[index + 1] ?? ''
    const isLast = index === placeholders.length - 1
    const end = isLast ? span.end - behind.length : text.indexOf(behind, at + 1)
    if (end <= at || end > span.end || (isLast && !text.startsWith(behind, end))) return false
    const { depth } = probe
    probe.starts[depth] = at
    probe.ends[depth] = end
    probe.depth = depth + 1
    if (constraint !== null && !constraint.test(plain(text.slice(at, end)))) return false
    at = end + behind.length
  }
  return true
}
