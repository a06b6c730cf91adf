import { nearest } from '../core/internal.ts'

/** A tag that does not exist, in the text of a template. */
export interface UnknownTag {
  /** As it is written, such as `@foreach`. */
  readonly tag: string
  /** Where it begins in the text. */
  readonly index: number
  /** The name of the tag that was probably meant. */
  readonly meant: string | undefined
}

/** A piece of text and what is needed to judge it. */
export interface TagText {
  readonly text: string
  /** The line that the text is a part of, and where it begins there. */
  readonly source: string
  readonly start: number
  /** Names of the tags that exist, components included. */
  readonly names: () => readonly string[]
}

// Not behind "@", which escapes a tag, nor in an address: bob@for.example, https://social.example/@for(1).
const TAG = /(?<![\w@./-])@(!?)([A-Za-z_][\w.]*)(\s{0,2}\()?/g
// At-rules of CSS that a parenthesis may follow.
const AT_RULES: ReadonlySet<string> = new Set(
  'media supports container scope layer import page document property apply'.split(' '),
)
// What tags are called in other languages of templates. Some have no counterpart.
const FOREIGN: Readonly<Record<string, string | undefined>> = {
  for: 'each',
  foreach: 'each',
  forelse: 'each',
  while: 'each',
  elsif: 'elseif',
  elif: 'elseif',
  isset: 'if',
  empty: 'if',
  switch: 'if',
  case: 'elseif',
  extends: 'component',
  layout: 'component',
  section: 'slot',
  block: 'slot',
  yield: 'slot',
  partial: 'include',
  render: 'include',
  push: 'pushTo',
  set: 'let',
  php: 'eval',
  csrf: undefined,
  auth: undefined,
  guest: undefined,
  verbatim: undefined,
}

/**
 * Finds a tag that does not exist. edge.js would send it to the user. What looks like an address, a name of somebody or an
 * at-rule of CSS is text: an unknown name counts with `!` or a parenthesis at the beginning of a line, and elsewhere if it is
 * nearly the name of a tag or one of another language of templates.
 *
 * @param given The text.
 * @returns The first such tag; undefined if there is none.
 */
export function unknownTagIn(given: TagText): UnknownTag | undefined {
  for (const match of given.text.matchAll(TAG)) {
    const [, bang = '', name = '', parenthesis] = match
    // For edge.js, "@endif" is "@end".
    if (AT_RULES.has(name) || given.names().includes(name.replace(/^end(?=.)/, ''))) continue
    const column = given.start + match.index
    const isFirst = given.source.slice(0, column).trim() === ''
    const isAlone = isFirst && /^~?$/.test(given.source.slice(column + match[0].length).trim())
    if (parenthesis === undefined && !isAlone) continue
    const meant = meantBy(name, parenthesis === undefined ? 1 : 2, given.names())
    const isWritten = isFirst && (bang === '!' || parenthesis === '(')
    if (isWritten || meant !== undefined || (isAlone && isForeign(name)))
      return { tag: `@${bang}${name}`, index: match.index, meant }
  }
  return undefined
}

function meantBy(name: string, most: number, names: readonly string[]): string | undefined {
  const word = name.toLowerCase()
  if (Object.hasOwn(FOREIGN, word)) return FOREIGN[word]
  if (isForeign(word)) return 'end'
  return nearest(name, names, most)
}

function isForeign(name: string): boolean {
  return Object.hasOwn(FOREIGN, name) || (name.startsWith('end') && Object.hasOwn(FOREIGN, name.slice(3)))
}
