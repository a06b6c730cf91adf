import type { TagContract, Token } from 'edge.js/types'
import { unknownTagIn } from './unknown-tags.ts'
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
  /** None if it cannot be read. */
  readonly tokens: readonly Token[]
  /** The tags of edge.js. */
  readonly tags: Readonly<Record<string, TagContract>>
  /** Names of the tags that components have. */
  readonly components: () => readonly string[]
}

interface Place {
  readonly line: number
  readonly column: number
  /** What cannot be read, and why. */
  readonly fault: string
}

/**
 * Finds a tag that shares its line with text, or that does not exist. edge.js reads the tags that it knows, on lines of their
 * own only: it would send others to the user, or drop what follows an `@else`.
 *
 * @param template The template.
 * @returns The fault; undefined if there is none.
 */
export function inlineTagFault(template: ReadTemplate): TemplateException | undefined {
  const lines = template.text.split(/\r?\n/)
  let known: readonly string[] | undefined
  const names = (): readonly string[] =>
    (known ??= [...Object.keys(template.tags), 'end', ...template.components()])
  const around = { lines, tags: template.tags, names, isInBlock: false }
  const place = template.tokens.length > 0 ? inlineTag(template.tokens, around) : wrongEnd(around)
  if (place === undefined) return undefined
  const { fault, line, column } = place
  return new TemplateException(`Cannot read ${fault}; write {{ '@' }} if you mean the character`, {
    file: template.file,
    line,
    column,
  })
}

interface Surroundings {
  readonly lines: readonly string[]
  readonly tags: Readonly<Record<string, TagContract>>
  readonly names: () => readonly string[]
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
    const { line, value } = token
    const start = Math.max(0, (around.lines[line - 1] ?? '').indexOf(value))
    const unknown = unknownTag(value, line, around)
    if (unknown !== undefined) return unknown.place
    const found = tagIn(value, around)
    if (found === undefined) return undefined
    return { fault: besideText(found[0].trim()), line, column: start + found.index + 1 }
  }
  // An escaped tag is shown, and so is what is in it.
  if (!('children' in token) || token.type.startsWith('e')) return undefined
  const { line, col } = token.loc.start
  const source = around.lines[line - 1] ?? ''
  const behind = source.slice(col).trim()
  if (token.properties.name === 'else' && behind !== '' && behind !== '~')
    return { fault: besideText('@else'), line, column: source.indexOf('@else') + 1 }
  return inlineTag(token.children, { ...around, isInBlock: true })
}

interface UnknownPlace {
  readonly place: Place
  readonly meant: string | undefined
}

function unknownTag(text: string, line: number, { lines, names }: Surroundings): UnknownPlace | undefined {
  const source = lines[line - 1] ?? ''
  const start = Math.max(0, source.indexOf(text))
  const unknown = unknownTagIn({ text, source, start, names })
  if (unknown === undefined) return undefined
  const { tag, meant, index } = unknown
  const hint = meant === undefined ? '' : `; did you mean @${meant}?`
  return { place: { fault: `${tag}: there is no such tag${hint}`, line, column: start + index + 1 }, meant }
}

// A block that ends with "@endforeach" has no end, so that the template cannot be read at all.
function wrongEnd(around: Surroundings): Place | undefined {
  const unknown = around.lines.map((text, index) => unknownTag(text, index + 1, around))
  return unknown.find((each) => each?.meant === 'end')?.place
}

function besideText(tag: string): string {
  return `${tag} beside other text: a tag stands alone on its line`
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
