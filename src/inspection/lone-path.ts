import type { Route } from '../routing/index.ts'
import { ENCODED_SLASH, Search, SegmentNode, type Variant } from '../routing/internal.ts'

/** One path of a route, matched as if its table had no other. */
export class LonePath {
  readonly #root: SegmentNode = new SegmentNode()

  constructor(variant: Variant) {
    this.#root.add(variant)
  }

  /** The route that the path gives for decoded segments, or null. */
  match(method: string, texts: readonly string[]): Route | null {
    const path = texts.map((text) => `/${text.replaceAll('/', ENCODED_SLASH)}`).join('')
    const search = new Search(false)
    search.begin(method, path)
    return search.findRoute([this.#root], path, 0)
  }
}
