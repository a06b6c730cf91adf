import type { TagContract, Token } from 'edge.js/types'
import { TemplateException } from './template-exception.ts'

// A tag inside of text: `<p>@if(x)`, `item@if(n > 1)s`, `<td>@!include('part')`. An e-mail address has no parenthesis.
const OPENING = /(?<!@)@(!?)(\w+)\s{0,2}\(/g
// The first letters of a word may belong to a name: `bob@stack(work)`. These tags have no other meaning.
const UNMISTAKABLE: ReadonlySet<string> = new Set(['if', 'elseif', 'each', 'unless'])
const CLOSING = /(?<![\w@.])@end(?:if|each|unless|component|slot)(?![\w.@-])/
// "@end users" is text; an `@end` behind text that ends the line or an element was meant to end a block.
const END = /(?<![^\s])@end(?=\s*(?:<|$))/
const LONE_END = /^\s*@end~?\s*$/

/** What is needed to find the tags that edge.js takes for text. */
export interface ReadTemplate {
  readonly file: string
  readonly text: string
  readonly tokens: readonly Token[]
  /** The tags of edge.js. */
  readonly tags: Readonly<Record<string, TagContract>>
}

interface Place {
  readonly line: number
  readonly column: number
  readonly tag: string
}

/**
 * Finds a tag that shares its line with text. edge.js reads tags on lines of their own only, and would send the tag to
 * the user, or drop what follows an `@else`.
 *
 * @param template The template.
 * @returns The fault; undefined if there is none.
 */
export function inlineTagFault(template: ReadTemplate): TemplateException | undefined {
  const lines = template.text.split(/\r?\n/)
  const place = inlineTag(template.tokens, { lines, tags: template.tags, isInBlock: false })
  if (place === undefined) return undefined
  const { tag, line, column } = place
  return new TemplateException(
    `Cannot read ${tag} beside other text: a tag stands alone on its line; ` +
      `write {{ '@' }} if you mean the character`,
    { file: template.file, line, column },
  )
}

interface Surroundings {
  readonly lines: readonly string[]
  readonly tags: Readonly<Record<string, TagContract>>
  readonly isInBlock: boolean
}

function inlineTag(tokens: readonly Token[], around: Surroundings): Place | undefined {
  for (const token of tokens) {
    const place = placeIn(token, around)
    if (place !== undefined) return place
  }
  return undefined
}

function placeIn(token: Token, around: Surroundings): Place | undefined {
  if (token.type === 'raw') {
    const found = tagIn(token.value, around)
    if (found === undefined) return undefined
    const start = Math.max(0, (around.lines[token.line - 1] ?? '').indexOf(token.value))
    return { tag: found[0].trim(), line: token.line, column: start + found.index + 1 }
  }
  // An escaped tag is shown, and so is what is in it.
  if (!('children' in token) || token.type.startsWith('e')) return undefined
  const { line, col } = token.loc.start
  const source = around.lines[line - 1] ?? ''
  const behind = source.slice(col).trim()
  if (token.properties.name === 'else' && behind !== '' && behind !== '~')
    return { tag: '@else', line, column: source.indexOf('@else') + 1 }
  return inlineTag(token.children, { ...around, isInBlock: true })
}

function tagIn(text: string, { tags, isInBlock }: Surroundings): RegExpExecArray | undefined {
  for (const match of text.matchAll(OPENING)) {
    const [, , name = ''] = match
    const isInWord = /\w/.test(text[match.index - 1] ?? '')
    if (tags[name]?.seekable === true && (!isInWord || UNMISTAKABLE.has(name))) return match
  }
  const closing = CLOSING.exec(text) ?? (isInBlock ? END.exec(text) : LONE_END.exec(text))
  return closing ?? undefined
}
