import { STRING } from '../declaration/string-type.ts'
import type { UrlParameter } from '../declaration/parameter.ts'
import type { ParameterType } from '../declaration/parameter-type.ts'
import { type PlaceholderSegment, placeholdersOf } from '../table/pattern.ts'
import type { Placeholder } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'
import { isSegment, isSegmentText } from '../url-path.ts'
import { textsOf } from './fill.ts'
import type { Taken } from './taken-by-others.ts'
import type { TakenTexts } from './taken-texts.ts'
import type { GivenParams } from './url-params.ts'

const DOT = 46
// What `encodeURIComponent` leaves as it is.
const SAFE = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w.!~*'()-]/.test(String.fromCharCode(code))),
)

/** Writes the value of a placeholder. */
export interface ValueWriter {
  /** The value, encoded; null when it does not fit, is taken, or nothing is certain. */
  readonly write: (params: GivenParams) => string | null
}

interface ValueParts {
  readonly parameter: UrlParameter
  readonly taken: TakenTexts | null
  /** What it is when nothing is given. */
  readonly usual: unknown
}

/** A writer for each placeholder of a path whose segments have one at most; null when one of them needs a match. */
export function valueWriters(variant: Variant, taken: Taken): readonly ValueWriter[] | null {
  const { pattern, target } = variant
  const writers: ValueWriter[] = []
  for (const [index, segment] of pattern.segments.entries()) {
    const [placeholder] = placeholdersOf(segment)
    if (segment.kind === 'literal' || placeholder === undefined) continue
    const { name } = placeholder
    const parameter = target.action.parameter(name)
    const usual = Object.hasOwn(target.defaults, name) ? target.defaults[name] : undefined
    if (parameter === undefined) return null
    const parts = { parameter, taken: taken.get(index) ?? null, usual }
    if (segment.kind === 'rest') writers.push(new RestWriter(placeholder, parts))
    else writers.push(new SegmentWriter(segment, parts))
  }
  return writers
}

/** Writes the one placeholder of a segment. */
export class SegmentWriter implements ValueWriter {
  readonly name: string
  readonly #segment: PlaceholderSegment
  readonly #type: ParameterType
  readonly #taken: TakenTexts | null
  readonly #usual: unknown

  constructor(segment: PlaceholderSegment, { parameter, taken, usual }: ValueParts) {
    this.name = parameter.name
    this.#segment = segment
    this.#type = parameter.type
    this.#taken = taken
    this.#usual = usual
  }

  write(params: GivenParams): string | null {
    const { name } = this
    return this.writeValue((Object.hasOwn(params, name) ? params[name] : undefined) ?? this.#usual)
  }

  /** A value, encoded; null as above. */
  writeValue(value: unknown): string | null {
    const text = typeof value === 'string' && this.#type === STRING ? value : formatted(this.#type, value)
    if (text === undefined || text === '') return null
    const { placeholders, texts, isWhole } = this.#segment
    if (placeholders[0]?.constraint?.test(text) === false) return null
    const segment = isWhole ? text : `${texts[0]}${text}${texts[1]}`
    if (segment.charCodeAt(0) === DOT && !isSegment(segment)) return null
    return this.#taken?.has(segment) === true ? null : encoded(text)
  }
}

/** Writes a placeholder that takes the rest of the path. */
class RestWriter implements ValueWriter {
  readonly name: string
  readonly #placeholder: Placeholder
  readonly #parts: ValueParts

  constructor(placeholder: Placeholder, parts: ValueParts) {
    this.name = placeholder.name
    this.#placeholder = placeholder
    this.#parts = parts
  }

  write(params: GivenParams): string | null {
    const { name } = this
    const { taken, usual } = this.#parts
    const texts = this.#texts((Object.hasOwn(params, name) ? params[name] : undefined) ?? usual)
    if (texts === undefined || texts.slice(0, 1).some((text) => taken?.has(text) === true)) return null
    if (this.#placeholder.constraint?.test(texts.join('/')) === false) return null
    let path = ''
    for (const text of texts) {
      const segment = isSegment(text) ? encoded(text) : null
      if (segment === null) return null
      path += path === '' ? segment : `/${segment}`
    }
    return path
  }

  #texts(value: unknown): readonly string[] | undefined {
    if (value === null || value === undefined) return undefined
    try {
      return textsOf(value, this.#parts.parameter, true)
    } catch {
      return undefined
    }
  }
}

// What is thrown is thrown again where it is said whose type it is.
function formatted(type: ParameterType, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  try {
    return type.format(value)
  } catch {
    return undefined
  }
}

function encoded(text: string): string | null {
  for (let at = 0; at < text.length; at++) {
    if (SAFE[text.charCodeAt(at)] !== 1) return isSegmentText(text) ? encodeURIComponent(text) : null
  }
  return text
}
