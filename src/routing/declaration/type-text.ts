/**
 * Types as `parameterType({ typescript })` takes them, for the file of `sallyport routes --types`:
 *
 * ```
 * type      = [ "|" | "&" ] part { ( "|" | "&" ) part }
 * part      = [ "readonly" ] single { "[" "]" }               readonly: before a list
 * single    = keyword | literal | reference | "(" type ")" | "[" [ type { "," type } ] "]" | object
 * reference = [ "import" "(" string ")" "." ] name { "." name } [ "<" type { "," type } ">" ]
 * object    = "{" [ member { ( ";" | "," ) member } [ ";" | "," ] ] "}"
 * member    = [ "readonly" ] ( name | string ) [ "?" ] ":" type
 * literal   = string | [ "-" ] number | [ "-" ] number "n" | "true" | "false"
 * ```
 *
 * Strings are in single or double quotes, without backslash. Blanks, tabs and line breaks may stand between any two of these;
 * types are at most 100 deep in each other, lists at most 10, and the text has at most 10,000 characters. What is more than
 * that has a name of its own in the application.
 *
 * @module
 */

import { shown } from '../../core/internal.ts'

const MAX_CHARACTERS = 10_000
// The compiler reads nested types by recursion, as this file does.
const MAX_DEPTH = 100
const MAX_LISTS = 10
const TOKEN =
  /[ \t\r\n]*(?:(?<string>'[^'\\\t\r\n]*'|"[^"\\\t\r\n]*")|(?<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+|n)?(?![\w$.]))|(?<word>[A-Za-z_$][\w$]*)|(?<mark>[|&()[\]{}<>.,;:?]))/y
// What cannot be seen would be in a literal only, where the reader of the file is misled by it.
const UNSEEN = /[^\P{Cc}\t\r\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const KEYWORDS = words(
  'any bigint boolean false never null number object string symbol true undefined unknown void',
)
// What begins something else where a type may stand, or is no name in a module.
const RESERVED = words(`
  arguments await break case catch class const continue debugger default delete do else enum eval export extends finally
  for function if implements import in infer instanceof interface keyof let new package private protected public readonly
  return static super switch this throw try typeof unique var while with yield
`)

/**
 * Checks a type for the file of `sallyport routes --types`, so that nothing but a type is written into it.
 *
 * @param text How TypeScript writes a type.
 * @returns Why the file cannot hold it, to be put behind the text; null when it can.
 */
export function faultOfTypeText(text: string): string | null {
  if (text.length > MAX_CHARACTERS)
    return `, which has ${text.length} characters, where at most ${MAX_CHARACTERS} are taken`
  const unseen = UNSEEN.exec(text)
  if (unseen !== null) return at(text, unseen.index)
  const written = text.trimEnd()
  const { tokens, stop } = tokensOf(written)
  const reader = new TypeReader(tokens)
  const isRead = reader.readType() && reader.isAtEnd
  if (isRead && stop === written.length) return null
  const place = at(written, reader.next?.start ?? stop)
  return reader.isTooDeep ? `, which is nested too deep${place}` : place
}

/**
 * @param text A type.
 * @returns The type in one line, without blanks around it.
 */
export function typeInOneLine(text: string): string {
  // No string has a line break or a tab.
  return text.trim().replaceAll(/[\t\r\n][ \t\r\n]*/g, ' ')
}

function at(text: string, index: number): string {
  const rest = /^[\w$]+|^[^]/u.exec(text.slice(index))?.[0].slice(0, 20)
  return rest === undefined ? ', at its end' : `, at character ${index + 1}, ${shown(rest)}`
}

interface Token {
  readonly kind: 'string' | 'number' | 'word' | 'mark'
  readonly text: string
  readonly start: number
}

/** The tokens of a text up to its end, or up to where none begins. */
function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly stop: number } {
  const tokens: Token[] = []
  for (let stop = 0; stop < text.length; stop = TOKEN.lastIndex) {
    TOKEN.lastIndex = stop
    const groups = TOKEN.exec(text)?.groups
    if (groups === undefined)
      return { tokens, stop: stop + (/[^ \t\r\n]/.exec(text.slice(stop))?.index ?? 0) }
    for (const kind of ['string', 'number', 'word', 'mark'] as const) {
      const found = groups[kind]
      if (found !== undefined) tokens.push({ kind, text: found, start: TOKEN.lastIndex - found.length })
    }
  }
  return { tokens, stop: text.length }
}

/** Reads tokens; each method returns whether what it is named for was there. */
class TypeReader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  #isTooDeep = false

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  /** Whether what was not there is one level or list more. */
  get isTooDeep(): boolean {
    return this.#isTooDeep
  }

  /** The token that was not taken. */
  get next(): Token | undefined {
    return this.#tokens[this.#at]
  }

  readType(): boolean {
    if (this.#isBeyond(++this.#depth, MAX_DEPTH)) return false
    if (!this.#take('|')) this.#take('&')
    do if (!this.#readPart()) return false
    while (this.#take('|') || this.#take('&'))
    this.#depth--
    return true
  }

  #readPart(): boolean {
    const isReadonly = this.#take('readonly')
    const start = this.#at
    const isTuple = this.next?.text === '['
    if (!this.#readSingle()) return false
    let lists = 0
    for (; this.#take('['); lists++)
      if (this.#isBeyond(lists + 1, MAX_LISTS) || !this.#take(']')) return false
    if (isTuple || lists > 0 || !isReadonly) return true
    this.#at = start
    return false
  }

  #isBeyond(count: number, most: number): boolean {
    this.#isTooDeep = count > most
    return this.#isTooDeep
  }

  #readSingle(): boolean {
    if (this.#take('(')) return this.readType() && this.#take(')')
    if (this.#take('[')) return this.#take(']') || (this.#readList() && this.#take(']'))
    if (this.#take('{')) return this.#readMembers()
    const { kind, text } = this.next ?? {}
    if (kind === 'word' && !KEYWORDS.has(text ?? '')) return this.#readReference()
    if (kind === undefined || kind === 'mark') return false
    this.#at++
    return true
  }

  #readReference(): boolean {
    if (this.#take('import')) {
      const isPath = this.#take('(') && this.#takeKind('string') && this.#take(')')
      if (!isPath || !this.#take('.')) return false
    }
    do if (!this.#takeName()) return false
    while (this.#take('.'))
    return !this.#take('<') || (this.#readList() && this.#take('>'))
  }

  #readList(): boolean {
    do if (!this.readType()) return false
    while (this.#take(','))
    return true
  }

  #readMembers(): boolean {
    const names = new Set<string>()
    while (!this.#take('}')) {
      const behind = this.#tokens[this.#at + 1]?.kind
      if ((behind === 'word' || behind === 'string') && !this.#take('readonly')) return false
      const { kind, text = '' } = this.next ?? {}
      const name = kind === 'string' ? text.slice(1, -1) : text
      if (names.has(name) || !(this.#takeKind('word') || this.#takeKind('string'))) return false
      names.add(name)
      this.#take('?')
      if (!this.#take(':') || !this.readType()) return false
      if (!this.#take(';') && !this.#take(',') && this.next?.text !== '}') return false
    }
    return true
  }

  #take(text: string): boolean {
    const next = this.next
    if (next?.text !== text) return false
    this.#at++
    return true
  }

  #takeKind(kind: Token['kind']): boolean {
    if (this.next?.kind !== kind) return false
    this.#at++
    return true
  }

  #takeName(): boolean {
    const { kind, text = '' } = this.next ?? {}
    if (kind !== 'word' || KEYWORDS.has(text) || RESERVED.has(text)) return false
    this.#at++
    return true
  }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
