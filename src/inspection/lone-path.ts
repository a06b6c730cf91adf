import type { Route } from '../routing/index.ts'
import { ENCODED_SLASH, Search, SegmentNode, type Variant } from '../routing/internal.ts'

/** One path of a route, matched as if its table had no other. */
export class LonePath {
  readonly #levels: readonly SegmentNode[]

  constructor(variant: Variant) {
    const root: SegmentNode = new SegmentNode()
    root.add(variant)
    this.#levels = [root]
  }

  /**
   * @param method The HTTP method.
   * @param texts Decoded segments.
   * @returns The route that the path gives for them, or null.
   */
  match(method: string, texts: readonly string[]): Route | null {
    const path = texts.map((text) => `/${text.replaceAll('/', ENCODED_SLASH)}`).join('')
    const search = new Search(false)
    search.begin(method, path)
    return search.findRoute(this.#levels, path, 0)
  }
}
