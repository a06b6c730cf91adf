import { sentence } from '../../core/internal.ts'
import { RoutingException } from '../routing-exception.ts'
import { isSegmentText, RESERVED } from '../url-path.ts'
import { expressionOf } from '../expression/late-expressions.ts'
import type { LinearExpression } from '../expression/linear-expression.ts'

/** A segment with one or more placeholders: `{id}`, `feed.{format}`, `{from}-{to}`. */
export interface PlaceholderSegment {
  readonly kind: 'placeholder'
  readonly placeholders: readonly Placeholder[]
  /** The literal texts before, between and behind them; one more than there are placeholders. */
  readonly texts: readonly string[]
  /** Whether it is one placeholder without text. */
  readonly isWhole: boolean
}

export interface Placeholder {
  readonly name: string
  /** What the value must match as a whole; null: anything. */
  readonly constraint: LinearExpression | null
  /** Whether it takes all segments that are left. */
  readonly isRest: boolean
}

/** One part of a pattern between slashes; a rest ends it and takes all segments that are left, at least one. */
export type PatternSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | PlaceholderSegment
  | { readonly kind: 'rest'; readonly placeholder: Placeholder }

type Where = Readonly<Record<string, string>>
type Constraints = ReadonlyMap<string, LinearExpression>

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const UNCONSTRAINED: Constraints = new Map()
const ANYTHING = new Set(['.*', '.+'])
// What a placeholder takes anyway, in the spellings that people write it in.
const ONE_SEGMENT = /^\^?\[\^\\?\/\]\+\$?$/

/**
 * A path with placeholders, as a route declares it: `''` or a text that begins with `/`. Between slashes stand literal
 * text and `{name}`; two placeholders of one segment have literal text between them, and each but the last takes the
 * shortest text that ends where that text begins. The last placeholder takes the rest of the path when it is a
 * segment of its own and its constraint is `.*` or `.+` or contains a `/`. The constraint `[^/]+` is left out, for it
 * says nothing.
 */
export class Pattern {
  /** The path as declared, group prefixes included. */
  readonly source: string
  readonly segments: readonly PatternSegment[]
  /** Whether it was declared with a slash at its end. */
  readonly hasSlash: boolean

  /** Shares segments with the other paths that know them, as long as `where` constrains nothing. */
  constructor(source: string, where: Where | null, known?: Map<string, PatternSegment>) {
    this.source = source
    if (source !== '' && !source.startsWith('/')) throw this.#refuse(sentence`it must start with "/"`)
    this.hasSlash = source.endsWith('/')
    const inner = source.slice(1, this.hasSlash ? -1 : undefined)
    const parts = source.length < 2 ? [] : inner.split('/')
    const constraints = where === null ? UNCONSTRAINED : compileConstraints(source, where)
    const shared = constraints.size === 0 ? known : undefined
    this.segments = parts.map((part, index) => {
      const segment = shared?.get(part) ?? this.#segment(part, constraints, index === parts.length - 1)
      shared?.set(part, segment)
      return segment
    })
    if (where !== null || this.segments.some(({ kind }) => kind !== 'literal')) this.#assertNames(where)
  }

  get placeholders(): readonly Placeholder[] {
    return this.segments.flatMap(placeholdersOf)
  }

  /** The path with placeholder names erased and constraints kept: equal keys mean equivalent paths. */
  get key(): string {
    return this.segments.map(keyOf).join('/')
  }

  /** How specific each segment is, left to right: the smaller text is tried first. */
  get rank(): string {
    return this.segments.map(rankOf).join('')
  }

  #segment(part: string, constraints: Constraints, isLast: boolean): PatternSegment {
    const pieces = part.split(/\{([^{}]*)\}/)
    const texts = pieces.filter((_, index) => index % 2 === 0)
    const names = pieces.filter((_, index) => index % 2 === 1)
    this.#assertTexts(texts, part)
    const [only] = names
    if (only === undefined) return { kind: 'literal', text: part }
    if (texts.slice(1, -1).includes(''))
      throw this.#refuse(sentence`two placeholders touch each other in "${part}"`)
    const isWhole = texts.every((text) => text === '')
    const constraint = constraints.get(only) ?? null
    if (isLast && isWhole && constraint !== null) {
      const isFree = ANYTHING.has(constraint.source)
      const placeholder = { name: only, constraint: isFree ? null : constraint, isRest: true }
      if (isFree || constraint.source.includes('/')) return { kind: 'rest', placeholder }
    }
    const placeholders = names.map((name): Placeholder => {
      return { name, constraint: constraints.get(name) ?? null, isRest: false }
    })
    return { kind: 'placeholder', placeholders, texts, isWhole }
  }

  #assertTexts(texts: readonly string[], part: string): void {
    // Beside a value dots are text like any other; a control character never is.
    const example = texts.join('x')
    const [bad] = RESERVED.exec(example) ?? []
    if (bad !== undefined) {
      const mend =
        bad === '%'
          ? sentence`write the character itself; it is encoded for you`
          : sentence`it cannot be part of a path`
      throw this.#refuse(`"${bad}": ${mend}`)
    }
    if (!isSegmentText(example)) throw this.#refuse(sentence`"${part}" cannot be a segment`)
  }

  #assertNames(where: Where | null): void {
    const names = new Set<string>()
    for (const { name } of this.placeholders) {
      if (!NAME.test(name))
        throw this.#refuse(sentence`"{${name}}": a placeholder is named with letters, digits and "_"`)
      if (names.has(name)) throw this.#refuse(sentence`two placeholders are named "${name}"`)
      names.add(name)
    }
    for (const name of Object.keys(where ?? {})) {
      if (!names.has(name))
        throw this.#refuse(sentence`where() constrains "${name}", which the path does not contain`)
    }
  }

  #refuse(reason: string): RoutingException {
    return new RoutingException('invalid-pattern', sentence`Cannot read the path "${this.source}": ${reason}`)
  }
}

function compileConstraints(path: string, where: Where): Constraints {
  const constraints = new Map<string, LinearExpression>()
  for (const [name, source] of Object.entries(where)) {
    if (ONE_SEGMENT.test(source)) continue
    try {
      constraints.set(name, expressionOf(source))
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const message = sentence`Cannot read the constraint "${source}" of "${name}" in "${path}": ${reason}`
      throw new RoutingException('invalid-pattern', message, { cause })
    }
  }
  return constraints
}

export function placeholdersOf(segment: PatternSegment): readonly Placeholder[] {
  if (segment.kind === 'literal') return []
  return segment.kind === 'rest' ? [segment.placeholder] : segment.placeholders
}

/** A segment with names erased and constraints kept; these are quoted, for they may hold braces. */
export function keyOf(segment: PatternSegment): string {
  if (segment.kind === 'literal') return segment.text
  const places = placeholdersOf(segment).map(({ constraint }) =>
    constraint === null ? '{}' : `{${JSON.stringify(constraint.source)}}`,
  )
  if (segment.kind === 'rest') return `${places.join('')}{...}`
  return segment.texts.map((text, index) => text + (places[index] ?? '')).join('')
}

// A constrained placeholder is as specific as one beside text.
function rankOf(segment: PatternSegment): 0 | 1 | 2 | 3 {
  if (segment.kind === 'literal') return 0
  if (segment.kind === 'rest') return 3
  return segment.isWhole && segment.placeholders[0]?.constraint === null ? 2 : 1
}
