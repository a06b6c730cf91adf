import { sentence } from '../../core/internal.ts'

/** A regular expression as a tree. */
export type ExpressionNode =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'sequence'; readonly items: readonly ExpressionNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly ExpressionNode[] }
  | { readonly kind: 'repeat'; readonly item: ExpressionNode; readonly least: number; readonly most: number }

const GROUP = /\((?:\?:|\?<[A-Za-z_$][\w$]*>|(?!\?))/y
const CLASS = /\[(?:[^\]\\]|\\.)*\]/uy
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)/uy
const QUANTIFIER = /(?:([*+?])|\{(\d+(?:,\d*)?)\})\??/y
const COUNTS = new Map(Object.entries({ '*': '0,', '+': '1,', '?': '0,1' }))
const START = /\^/y
const END = /\$(?=\||$)/y
const UNSUPPORTED = /^\\[1-9kbB]/

/**
 * Reads the part of the regular expression syntax that can be run in linear time: literals, classes, escapes, groups,
 * alternatives and quantifiers. `^` may begin and `$` may end an outermost alternative; they say nothing, for a whole
 * value is matched.
 *
 * @throws {SyntaxError} If it is malformed, or holds look-around, back-references or word boundaries.
 */
export function parseExpression(source: string): ExpressionNode {
  if (source === '') throw new SyntaxError(sentence`the expression is empty`)
  // The platform knows best what is malformed; below only what it allows is read.
  compileNative(source)
  return new Reader(source).choice(0)
}

/** Compiles an expression by the platform, which takes some spellings only without the flag `u`. */
export function compileNative(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return new RegExp(source)
  }
}

class Reader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  choice(depth: number): ExpressionNode {
    const branches = [this.#sequence(depth)]
    while (this.#source[this.#at] === '|') {
      this.#at++
      branches.push(this.#sequence(depth))
    }
    return { kind: 'choice', branches }
  }

  #sequence(depth: number): ExpressionNode {
    const items: ExpressionNode[] = []
    if (depth === 0) this.#take(START)
    for (;;) {
      const next = this.#source[this.#at]
      if (next === undefined || next === '|' || (next === ')' && depth > 0)) break
      if (depth === 0 && this.#take(END) !== null) break
      items.push(this.#quantified(depth))
    }
    return { kind: 'sequence', items }
  }

  #quantified(depth: number): ExpressionNode {
    let item = this.#item(depth)
    for (let sign = this.#take(QUANTIFIER); sign !== null; sign = this.#take(QUANTIFIER)) {
      const [, short = '', counts = COUNTS.get(short) ?? ''] = sign
      const [least, most = least] = counts.split(',')
      item = { kind: 'repeat', item, least: Number(least), most: most === '' ? Infinity : Number(most) }
    }
    return item
  }

  #item(depth: number): ExpressionNode {
    if (depth > 50) throw new SyntaxError(sentence`groups are nested too deep`)
    if (this.#take(GROUP) !== null) {
      const inner = this.choice(depth + 1)
      this.#at++
      return inner
    }
    const found = this.#take(CLASS) ?? this.#take(ESCAPE)
    if (found !== null) {
      const [source] = found
      if (UNSUPPORTED.test(source)) throw new SyntaxError(sentence`"${source}" is not supported`)
      return { kind: 'atom', source }
    }
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0)
    if ('(^$'.includes(character))
      throw new SyntaxError(sentence`"${this.#source.slice(this.#at, this.#at + 3)}" is not supported`)
    this.#at += character.length
    return { kind: 'atom', source: character === '.' ? character : character.replace(/[\]{}/-]/, '\\$&') }
  }

  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found !== null) this.#at += found[0].length
    return found
  }
}
