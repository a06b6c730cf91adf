/**
 * Types as `parameterType({ typescript })` takes them, for the file of `sallyport routes --types`:
 *
 * ```
 * type      = part { ( "|" | "&" ) part }
 * part      = [ "readonly" ] single { "[" "]" }               readonly: before a list
 * single    = keyword | literal | reference | "(" type ")" | "[" [ type { "," type } ] "]" | object
 * reference = [ "import" "(" string ")" "." ] name { "." name } [ "<" type { "," type } ">" ]
 * object    = "{" [ member { ( ";" | "," ) member } [ ";" | "," ] ] "}"
 * member    = [ "readonly" ] name [ "?" ] ":" type
 * literal   = string | [ "-" ] number | [ "-" ] number "n" | "true" | "false"
 * ```
 *
 * Strings are in single or double quotes, without backslash. What is more than that has a name of its own in the application.
 *
 * @module
 */

const MAX_CHARACTERS = 1000
const TOKEN =
  / *(?:(?<string>'[^'\\]*'|"[^"\\]*")|(?<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+|n)?(?![\w$.]))|(?<word>[A-Za-z_$][\w$]*)|(?<mark>[|&()[\]{}<>.,;:?]))/y
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
 * Whether a text is a type that may stand in the file of `sallyport routes --types`: what it is written into stays as it is.
 *
 * @param text How TypeScript writes a type.
 * @returns Whether it is one, as this file has it.
 */
export function isTypeText(text: string): boolean {
  // What cannot be seen would be in a literal only, where the reader of the file is misled by it.
  if (text.length > MAX_CHARACTERS || /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return false
  const tokens = tokensOf(text.trimEnd())
  if (tokens === null) return false
  const reader = new TypeReader(tokens)
  return reader.readType() && reader.isAtEnd
}

interface Token {
  readonly kind: 'string' | 'number' | 'word' | 'mark'
  readonly text: string
}

function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = []
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const groups = TOKEN.exec(text)?.groups
    // A match that fails begins anew, so it is over.
    if (groups === undefined) return null
    for (const kind of ['string', 'number', 'word', 'mark'] as const) {
      const found = groups[kind]
      if (found !== undefined) tokens.push({ kind, text: found })
    }
  }
  return tokens
}

/** Reads tokens; each method tells whether what it is named for was there. */
class TypeReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  readType(): boolean {
    do if (!this.#readPart()) return false
    while (this.#take('|') || this.#take('&'))
    return true
  }

  #readPart(): boolean {
    const isReadonly = this.#take('readonly')
    let isList = this.#next()?.text === '['
    if (!this.#readSingle()) return false
    for (; this.#take('['); isList = true) if (!this.#take(']')) return false
    return isList || !isReadonly
  }

  #readSingle(): boolean {
    if (this.#take('(')) return this.readType() && this.#take(')')
    if (this.#take('[')) return this.#take(']') || (this.#readList() && this.#take(']'))
    if (this.#take('{')) return this.#readMembers()
    const { kind, text } = this.#next() ?? {}
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
      const isModified = this.#tokens[this.#at + 1]?.kind === 'word'
      if (isModified && !this.#take('readonly')) return false
      const name = this.#next()?.text ?? ''
      if (names.has(name) || !this.#takeKind('word')) return false
      names.add(name)
      this.#take('?')
      if (!this.#take(':') || !this.readType()) return false
      if (!this.#take(';') && !this.#take(',') && this.#next()?.text !== '}') return false
    }
    return true
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #take(text: string): boolean {
    const next = this.#next()
    if (next?.text !== text) return false
    this.#at++
    return true
  }

  #takeKind(kind: Token['kind']): boolean {
    if (this.#next()?.kind !== kind) return false
    this.#at++
    return true
  }

  #takeName(): boolean {
    const { kind, text = '' } = this.#next() ?? {}
    if (kind !== 'word' || KEYWORDS.has(text) || RESERVED.has(text)) return false
    this.#at++
    return true
  }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
