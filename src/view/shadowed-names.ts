import type { Token } from 'edge.js/types'
import { LANGUAGE } from './runtime-names.ts'
import { TemplateException } from './template-exception.ts'

/**
 * Names of which a template of edge.js never sees the data: variables of the code that it is compiled to, what edge.js fills, and
 * words of the language. They would be read as something else without an error.
 */
export const SHADOWED: ReadonlySet<string> = new Set(
  ['state', '$context', '$filename', '$slots', '$caller', '$props', 'this', 'null', 'true', 'false'].concat(
    ...LANGUAGE,
  ),
)

// Variables of the compiled code that a template must not declare: its values, the page, its text and the context of tags.
const WITH_TAG = /^(?:state|template|out|\$(?:context|lineNumber|filename))$/
// What is declared in an expression ends with it, and only the values of the page are read there.
const PARAMETERS = /\(([^()]*)\)\s*=>|([\p{ID_Continue}$]+)\s*=>/gu
const WORD = /[\p{ID_Continue}$]+/gu

/**
 * Finds a variable that a template declares and that its compiled code has too: what follows would read other values, or
 * vanish from the page.
 *
 * @param file The template.
 * @param tokens Its tokens.
 * @returns The fault; undefined if there is none.
 */
export function shadowingFault(file: string, tokens: readonly Token[]): TemplateException | undefined {
  for (const token of tokens) {
    // Text, comments, and what is shown instead of evaluated.
    if (!('properties' in token) || token.type.startsWith('e')) continue
    const { properties } = token
    const name = declaredBy('name' in properties ? properties.name : '', properties.jsArg)
    const { line, col } = token.loc.start
    if (name !== undefined)
      return new TemplateException(
        `Cannot name a variable "${name}": the compiled template has a variable of that name; choose another name`,
        { file, line, column: col + 1 },
      )
    const inside = 'children' in token ? shadowingFault(file, token.children) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

function declaredBy(tag: string, code: string): string | undefined {
  const declared = DECLARING[tag]?.exec(code)?.[0] ?? ''
  const ofTag = (declared.match(WORD) ?? []).find((word) => WITH_TAG.test(word))
  if (ofTag !== undefined) return ofTag
  const parameters = [...code.matchAll(PARAMETERS)].map(([, list, one]) => list ?? one ?? '')
  return parameters.some((list) => list.match(WORD)?.includes('state') === true) ? 'state' : undefined
}

// The part of a tag that names variables: `@each((item, key) in list)`, `@let(name = 5)`, `@slot('main', scope)`.
const DECLARING: Readonly<Record<string, RegExp>> = {
  each: /^.*?(?=\sin\s)/su,
  let: /^[^=]*(?==)/u,
  assign: /^\s*state\s*(?==)/u,
  slot: /(?<=,).*$/su,
}
