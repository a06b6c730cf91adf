import type { Token } from 'edge.js/types'
import type { TemplateExpression } from './view-engine.ts'

/**
 * Finds the expressions of a template.
 *
 * @param tokens Its tokens.
 * @returns The expressions of braces and tags, in order.
 */
export function expressionsOf(tokens: readonly Token[]): readonly TemplateExpression[] {
  return tokens.flatMap((token) => {
    // Text, comments, and braces that are shown instead of evaluated.
    if (!('properties' in token) || token.type.startsWith('e')) {
      return 'properties' in token && 'children' in token ? expressionsOf(token.children) : []
    }
    const { line, col } = token.loc.start
    const own = { code: token.properties.jsArg, line, column: col + 1 }
    return 'children' in token ? [own, ...expressionsOf(token.children)] : [own]
  })
}
