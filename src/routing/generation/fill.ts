import { parameterFault, type UrlParameter } from '../declaration/parameter.ts'
import type { GivenParams } from './url-params.ts'
import { refuseUrl } from './url-refusal.ts'
import { ENCODED_SLASH, isSegmentText } from '../url-path.ts'
import { plainText } from '../declaration/built-in-types.ts'
import { type PatternSegment, type Placeholder, placeholdersOf } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'

/** Values of placeholders in the order of the path, as a match of the path gives them. */
export type PathValues = readonly string[]

/** A path with its placeholders filled. */
export interface FilledPath {
  /** Its segments, decoded. */
  readonly segments: readonly string[]
  readonly values: PathValues
  /** The parameters that the path does not use. */
  readonly rest: GivenParams
}

/**
 * Fills the placeholders of a path.
 *
 * @param variant The path and its route.
 * @param params Values by name.
 * @param name What the URL is for, for the message.
 * @returns The filled path.
 * @throws {RoutingException} `missing-parameter` if a value is neither given nor a default, `invalid-parameter` if
 * one does not fit.
 */
export function fillPath(variant: Variant, params: GivenParams, name: string): FilledPath {
  const values: string[] = []
  const segments = variant.pattern.segments.flatMap((segment) => {
    const own = placeholdersOf(segment).map((placeholder) => valueOf(variant, placeholder, { params, name }))
    values.push(...own.map((list) => list.map(marked).join('/')))
    const filled = write(segment, own)
    const bad = filled.find((text) => !isSegmentText(text))
    if (bad === undefined) return filled
    throw refuseUrl('invalid-parameter', name, `"${bad}" cannot be a segment of a path`)
  })
  const used = new Set(variant.pattern.placeholders.map((placeholder) => placeholder.name))
  const rest = Object.fromEntries(Object.entries(params).filter(([key]) => !used.has(key)))
  return { segments, values, rest }
}

interface Given {
  readonly params: GivenParams
  readonly name: string
}

// The value of a placeholder as segments: one, or for the rest of a path as many as it takes.
function valueOf(variant: Variant, placeholder: Placeholder, { params, name }: Given): readonly string[] {
  const { target } = variant
  const own = Object.hasOwn(params, placeholder.name) ? params[placeholder.name] : undefined
  const value =
    own ?? (Object.hasOwn(target.defaults, placeholder.name) ? target.defaults[placeholder.name] : undefined)
  if (value === null || value === undefined)
    throw refuseUrl('missing-parameter', name, `give a value for "${placeholder.name}"`)
  const texts = textsOfValue(variant, placeholder, value)
  if (texts !== undefined) return texts
  const reason = `the value of "${placeholder.name}" does not fit ${ruleOf(placeholder)}`
  throw refuseUrl('invalid-parameter', name, reason)
}

/**
 * @param variant The path and its route.
 * @param value A value that `default()` gives.
 * @param name The placeholder that it fills.
 * @returns Why it can fill none, or null.
 */
export function refusalOfDefault(variant: Variant, name: string, value: unknown): string | null {
  for (const segment of variant.pattern.segments) {
    const placeholder = placeholdersOf(segment).find((each) => each.name === name)
    if (placeholder === undefined) continue
    const texts = textsOfValue(variant, placeholder, value)
    if (texts === undefined) return `it does not fit ${ruleOf(placeholder)}`
    const isPart = segment.kind === 'placeholder' && !segment.isWhole
    if (!isPart && !texts.every(isSegmentText)) return 'it cannot be a segment of a path'
  }
  return null
}

// The value as segments; undefined when it does not fit its type or its constraint.
function textsOfValue(
  variant: Variant,
  placeholder: Placeholder,
  value: unknown,
): readonly string[] | undefined {
  const { target } = variant
  const parameter = target.action.parameter(placeholder.name)
  let texts: readonly string[] | undefined
  try {
    texts = parameter === undefined ? undefined : textsOf(value, parameter, placeholder.isRest)
  } catch (error) {
    throw parameterFault(parameter, variant.title, error)
  }
  return texts === undefined || placeholder.constraint?.test(texts.join('/')) === false ? undefined : texts
}

function ruleOf({ constraint }: Placeholder): string {
  return constraint === null ? 'its type' : `its type and the constraint ${constraint.source}`
}

function textsOf(value: unknown, parameter: UrlParameter, isRest: boolean): readonly string[] | undefined {
  if (!isRest) {
    const text = parameter.type.format(value)
    return text === undefined ? undefined : [text]
  }
  if (parameter.role !== 'rest') {
    const text = parameter.type.format(value)
    return text?.split('/')
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : (plainText(value)?.split('/') ?? [])
  const texts = items.flatMap((item: unknown) => parameter.type.format(item) ?? [])
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
