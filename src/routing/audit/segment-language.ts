import type { ParameterKind, UrlParameter } from '../parameter.ts'
import { keyOf, type PatternSegment } from '../table/pattern.ts'
import { LinearExpression } from '../table/linear-expression.ts'
import { isIncluded, type Language, samples } from './language.ts'

/** The texts that one segment of a path takes. */
export interface SegmentLanguage {
  /** The one text of a literal segment, else null. */
  readonly literal: string | null
  readonly language: Language
  /** What a value is read as, of a segment that is one placeholder; else null. */
  readonly kind: ParameterKind | null
  /** Whether the language says everything: no text of it is refused. */
  readonly isExact: boolean
  /** Equal keys take equal texts. */
  readonly key: string
}

const ANYTHING = '[^]+'
const TYPES: Readonly<Record<ParameterKind, string>> = {
  string: ANYTHING,
  int: '0|-?[1-9][0-9]{0,15}',
  float: '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?',
  bool: 'true|false|1|0',
}
const PLEASANT = ['example', '42', 'green-tea', '2026', 'true', 'a', '1', 'en', 'abc', 'x1', '1.5']
const expressions = new Map<string, LinearExpression>()

/**
 * @param segment A segment of a pattern that is no rest.
 * @param parameters Parameters of the action.
 * @returns The texts it takes.
 */
export function languageOf(
  segment: Exclude<PatternSegment, { kind: 'rest' }>,
  parameters: readonly UrlParameter[],
): SegmentLanguage {
  if (segment.kind === 'literal') {
    const { text } = segment
    return { literal: text, language: [], kind: null, isExact: true, key: `=${text}` }
  }
  const kinds = segment.placeholders.map(
    ({ name }) => parameters.find((parameter) => parameter.name === name)?.kind ?? 'string',
  )
  const key = `${keyOf(segment)} ${kinds.join()}`
  const [kind = 'string'] = kinds
  if (segment.placeholders.length === 1 && segment.texts.every((text) => text === '')) {
    const constraint = segment.placeholders[0]?.constraint ?? null
    const language = [...(constraint === null ? [] : [constraint]), compile(TYPES[kind])]
    return { literal: null, language, kind, isExact: kind === 'string' || kind === 'bool', key }
  }
  let source = quote(segment.texts[0] ?? '')
  for (const [index, { constraint }] of segment.placeholders.entries()) {
    const inner = constraint?.source ?? TYPES[kinds[index] ?? 'string']
    source += `(?:${unanchored(inner)})`
    source += quote(segment.texts[index + 1] ?? '')
  }
  return { literal: null, language: [tryCompile(source)], kind: null, isExact: false, key }
}

/**
 * @param kind What a conventional argument is read as.
 * @returns The texts it takes.
 */
export function languageOfKind(kind: ParameterKind): SegmentLanguage {
  const isExact = kind === 'string' || kind === 'bool'
  return { literal: null, language: [compile(TYPES[kind])], kind, isExact, key: `{} ${kind}` }
}

/**
 * @param all Segments.
 * @returns Texts that all of them may take; the caller makes sure.
 */
export function commonTexts(all: readonly SegmentLanguage[]): readonly string[] {
  const literals = [...new Set(all.flatMap(({ literal }) => literal ?? []))]
  const language = [...new Set(all.flatMap((segment) => segment.language))]
  const fits = (text: string): boolean => language.every((expression) => expression.test(text))
  if (literals.length > 0) return literals.length === 1 ? literals.filter(fits) : []
  const pleasant = PLEASANT.filter(fits)
  return pleasant.length > 3 ? pleasant : [...pleasant, ...samples(language, 6)]
}

/**
 * @param inner A segment.
 * @param outer Another one.
 * @returns Whether the other takes every text that the one takes.
 */
export function takesAll(inner: SegmentLanguage, outer: SegmentLanguage): boolean {
  if (inner.key === outer.key) return true
  if (outer.literal !== null) return inner.literal === outer.literal
  // What a type refuses beside its form, such as a number that is too large, the same type refuses of both.
  const isSafe = outer.isExact || (outer.kind !== null && outer.kind === inner.kind)
  if (!isSafe) return false
  if (inner.literal === null) return isIncluded(inner.language, outer.language)
  const { literal } = inner
  return outer.language.every((expression) => expression.test(literal))
}

function compile(source: string): LinearExpression {
  let expression = expressions.get(source)
  if (expression === undefined) {
    expression = new LinearExpression(source)
    expressions.set(source, expression)
  }
  return expression
}

// Together the constraints of a segment may be too large for one expression; then anything may be in it.
function tryCompile(source: string): LinearExpression {
  try {
    return compile(source)
  } catch {
    return compile(ANYTHING)
  }
}

// At the ends of a constraint anchors say nothing, and inside of a larger expression they cannot stand. Where a class
// begins with a caret too, carets are left: at worst the expression is refused, and then anything may be there.
function unanchored(constraint: string): string {
  const anchors = constraint.includes('[^') ? /(?<!\\)\$$/g : /(?<!\\)\^|(?<!\\)\$$/g
  return constraint.replaceAll(anchors, '')
}

function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
