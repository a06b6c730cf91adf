import type { ParameterType } from '../../routing/index.ts'
import { type Action, keyOf, LinearExpression, type PatternSegment, STRING } from '../../routing/internal.ts'
import { type Language, samples } from './language.ts'

/** The texts that one segment of a path takes. */
export interface SegmentLanguage {
  /** The one text of a literal segment, else null. */
  readonly literal: string | null
  /** What its texts match, all of it; empty for a literal one. */
  readonly language: Language
  /** What a value is read as, of a segment that is one placeholder; else null. */
  readonly type: ParameterType | null
  /** Texts that its types name as examples. */
  readonly examples: readonly string[]
  /** What the values are read as, from left to right. */
  readonly types: readonly ParameterType[]
  /** Equal keys and equal types take equal texts. */
  readonly key: string
}

const PLEASANT = ['example', '42', 'green-tea', '2026', 'true', 'a', '1', 'en', 'abc', 'x1', '1.5']
const ANYTHING = new LinearExpression(STRING.pattern)
// Types are few, and each of them is met often.
const ofTypes = new WeakMap<ParameterType, LinearExpression>([[STRING, ANYTHING]])

/** The texts that a segment takes; the action says what its placeholders are read as. */
export function languageOf(
  segment: Exclude<PatternSegment, { kind: 'rest' }>,
  action: Action,
): SegmentLanguage {
  if (segment.kind === 'literal') return literalLanguage(segment.text)
  const { texts, placeholders, isWhole } = segment
  const types = placeholders.map(({ name }) => action.parameter(name)?.type ?? STRING)
  if (isWhole) return languageOfType(types[0] ?? STRING, placeholders[0]?.constraint)
  const hasExamples = types.every(({ examples }) => examples.length > 0)
  const filled = texts.map((text, index) => text + (types[index]?.examples[0] ?? '')).join('')
  const typed = types.map(({ pattern }) => pattern)
  const constrained = typed.map((pattern, index) => placeholders[index]?.constraint?.source ?? pattern)
  // A value fits its type and its constraint; what only one of them takes is not a value.
  const isNarrowed = placeholders.some(
    ({ constraint }, index) => constraint !== null && types[index] !== STRING,
  )
  const language = [compile(texts, constrained), ...(isNarrowed ? [compile(texts, typed)] : [])]
  const examples = hasExamples ? [filled] : []
  return {
    literal: null,
    language,
    type: null,
    examples,
    types,
    key: `${keyOf(segment)} ${types.map(({ name }) => name).join()}`,
  }
}

/** The texts that one value of a type takes. */
export function languageOfType(type: ParameterType, constraint?: LinearExpression | null): SegmentLanguage {
  const { examples, name } = type
  const expression = ofTypes.get(type) ?? new LinearExpression(type.pattern)
  ofTypes.set(type, expression)
  const language = constraint ? [constraint, expression] : [expression]
  const key = `{${constraint ? JSON.stringify(constraint.source) : ''}} ${name}`
  return { literal: null, language, type, examples, types: [type], key }
}

/** The one text that a literal segment takes. */
export function literalLanguage(text: string): SegmentLanguage {
  return { literal: text, language: [], type: null, examples: [], types: [], key: `=${text}` }
}

/** Texts that all of some segments may take; the caller makes sure. */
export function commonTexts(all: readonly SegmentLanguage[]): readonly string[] {
  const literals = [...new Set(all.flatMap(({ literal }) => literal ?? []))]
  const language = [...new Set(all.flatMap((segment) => segment.language))]
  const fits = (text: string): boolean => language.every((expression) => expression.test(text))
  if (literals.length > 0) return literals.length === 1 ? literals.filter(fits) : []
  const pleasant = [...new Set([...all.flatMap(({ examples }) => examples), ...PLEASANT])].filter(fits)
  return pleasant.length > 3 ? pleasant : [...pleasant, ...samples(language, 6)]
}

/**
 * Whether the outer segment takes every text of the inner one, as far as that is seen at once: it takes anything, has the
 * same rules, or the inner one is one text.
 */
export function takesAll(inner: SegmentLanguage, outer: SegmentLanguage): boolean {
  const isSame =
    inner.types.length === outer.types.length && inner.types.every((type, at) => type === outer.types[at])
  if (inner.key === outer.key && isSame) return true
  if (outer.literal !== null) return inner.literal === outer.literal
  // What a type refuses beside its form, such as a number that is too large, the same type refuses of both.
  if (outer.type === null || !(outer.type.isExact || outer.type === inner.type)) return false
  return outer.language.every((rule) => {
    if (inner.literal !== null) return rule.test(inner.literal)
    return rule === ANYTHING || inner.language.some(({ source }) => source === rule.source)
  })
}

// Together the constraints of a segment may be too large for one expression; then anything may be in it.
function compile(texts: readonly string[], values: readonly string[]): LinearExpression {
  const between = texts.slice(1).map((text, index) => `(?:${unanchored(values[index] ?? '')})${quote(text)}`)
  try {
    return new LinearExpression(quote(texts[0] ?? '') + between.join(''))
  } catch {
    return ANYTHING
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
