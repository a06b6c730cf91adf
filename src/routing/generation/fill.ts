import { sentence, shown } from '../../core/internal.ts'
import { plainText } from '../declaration/built-in-types.ts'
import { parameterFault, type UrlParameter } from '../declaration/parameter.ts'
import { refuseUrl } from '../routing-exception.ts'
import { type PatternSegment, type Placeholder, placeholdersOf } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'
import { ENCODED_SLASH, isSegmentText } from '../url-path.ts'
import type { GivenParams } from './url-params.ts'

/** A path with its placeholders filled: decoded segments. */
export interface FilledPath {
  readonly segments: readonly string[]
  /** Values of placeholders in the order of the path, as a match of the path gives them. */
  readonly values: readonly string[]
}

/** Fills the placeholders of a path with values that are given or defaults, and refuses what does not fit. */
export function fillPath(variant: Variant, params: GivenParams, what: string): FilledPath {
  const values: string[] = []
  const segments = variant.pattern.segments.flatMap((segment) => {
    const placeholders = placeholdersOf(segment)
    const own = placeholders.map((placeholder) => valueOf(variant, placeholder, { params, what }))
    values.push(...own.map((list) => list.map(marked).join('/')))
    const filled = write(segment, own)
    const bad = filled.find((text) => !isSegmentText(text))
    if (bad === undefined) return filled
    const names = placeholders.map(({ name }) => `"${name}"`).join(' and ')
    throw refuseUrl(
      'invalid-parameter',
      what,
      sentence`${shown(bad)} for ${names} cannot be a segment of a path`,
    )
  })
  return { segments, values }
}

// The value of a placeholder as segments: one, or for the rest of a path as many as it takes.
function valueOf(
  variant: Variant,
  placeholder: Placeholder,
  { params, what }: { readonly params: GivenParams; readonly what: string },
): readonly string[] {
  const { name } = placeholder
  const { defaults } = variant.target
  const given = Object.hasOwn(params, name) ? params[name] : undefined
  const value = given ?? (Object.hasOwn(defaults, name) ? defaults[name] : undefined)
  if (value === null || value === undefined)
    throw refuseUrl('missing-parameter', what, sentence`pass a value for "${name}"`)
  const texts = textsOfValue(variant, placeholder, value)
  if (texts !== undefined) return texts
  const reason = sentence`${shown(value)} for "${name}" does not fit ${ruleOf(placeholder)}`
  throw refuseUrl('invalid-parameter', what, reason)
}

/** Why a value of `default()` can fill no placeholder of that name, or null. */
export function refusalOfDefault(variant: Variant, name: string, value: unknown): string | null {
  for (const segment of variant.pattern.segments) {
    const placeholder = placeholdersOf(segment).find((each) => each.name === name)
    if (placeholder === undefined) continue
    const texts = textsOfValue(variant, placeholder, value)
    if (texts === undefined) return sentence`it does not fit ${ruleOf(placeholder)}`
    const isPart = segment.kind === 'placeholder' && !segment.isWhole
    if (!isPart && !texts.every(isSegmentText)) return sentence`it cannot be a segment of a path`
  }
  return null
}

// The value as segments; undefined when it does not fit its type or its constraint.
function textsOfValue(
  variant: Variant,
  { name, constraint, isRest }: Placeholder,
  value: unknown,
): readonly string[] | undefined {
  const parameter = variant.target.action.parameter(name)
  let texts: readonly string[] | undefined
  try {
    texts = parameter === undefined ? undefined : textsOf(value, parameter, isRest)
  } catch (error) {
    throw parameterFault(parameter, variant.title, error)
  }
  return texts === undefined || constraint?.test(texts.join('/')) === false ? undefined : texts
}

function ruleOf({ constraint }: Placeholder): string {
  return constraint === null ? 'its type' : sentence`its type and the constraint ${constraint.source}`
}

/** The texts of the segments that a value fills, one but for the rest of a path; undefined when it does not fit the type. */
export function textsOf(
  value: unknown,
  { type, role }: UrlParameter,
  isRest: boolean,
): readonly string[] | undefined {
  if (!isRest || role !== 'rest') {
    const text = type.format(value)
    if (text === undefined) return undefined
    return isRest ? text.split('/') : [text]
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : (plainText(value)?.split('/') ?? [])
  const texts = items.flatMap((item: unknown) => type.format(item) ?? [])
  return texts.length === items.length && texts.length > 0 ? texts : undefined
}

function write(segment: PatternSegment, values: readonly (readonly string[])[]): readonly string[] {
  if (segment.kind === 'literal') return [segment.text]
  if (segment.kind === 'rest') return values[0] ?? []
  let text = segment.texts[0] ?? ''
  for (const [index, value] of values.entries()) text += (value[0] ?? '') + (segment.texts[index + 1] ?? '')
  return [text]
}

function marked(text: string): string {
  return text.replaceAll('/', ENCODED_SLASH)
}
