import { keyOf, type PatternSegment } from './pattern.ts'
import { type ConstrainedEdge, SegmentNode } from './segment-node.ts'
import type { Variant } from './variant.ts'

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

function childOf(node: SegmentNode, segment: PatternSegment): SegmentNode {
  if (segment.kind === 'literal') return node.literal(segment.text)
  const key = keyOf(segment)
  if (segment.kind === 'rest') return restOf(node, key, segment)
  if (key === '{}') return node.placeholder()
  const found = node.constrained.find((candidate) => candidate.key === key)
  if (found !== undefined) return found.node
  const edge: ConstrainedEdge = { key, segment, node: new SegmentNode() }
  node.addConstrained(edge)
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
  node.addRest(edge)
  return edge.node
}
