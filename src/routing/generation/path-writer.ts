import { STRING } from '../declaration/built-in-types.ts'
import type { UrlParameter } from '../declaration/parameter.ts'
import type { ParameterType } from '../declaration/parameter-type.ts'
import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import type { Spelling } from '../spelling.ts'
import type { PatternSegment, PlaceholderSegment } from '../table/pattern.ts'
import type { Variant } from '../table/variant.ts'
import { isSegment, isSegmentText, MAX_PATH_LENGTH } from '../url-path.ts'
import { type Taken, takenByOthers } from './taken-by-others.ts'
import type { TakenTexts } from './taken-texts.ts'
import type { GivenParams } from './url-params.ts'

// Stands for a value while the path is spelled; what is encoded never holds it.
const MARK = '\0'
const DOT = 46
// What `encodeURIComponent` leaves as it is.
const SAFE = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w.!~*'()-]/.test(String.fromCharCode(code))),
)

const NO_VALUES: readonly ValueWriter[] = []

/** Nothing for a query. */
export const NO_PARAMS: GivenParams = Object.freeze({})

/** What a writer needs of the application. */
interface WriterScope {
  readonly entries: EntryPoints
  readonly spelling: Spelling
}

/**
 * Writes the URLs of a path behind an entry point, as long as it is certain where they lead. A path without placeholders is
 * kept once it was matched. Of another one, what its values must not be is found out beforehand.
 */
export class PathWriter {
  readonly variant: Variant
  readonly point: EntryPoint
  readonly #values: readonly ValueWriter[]
  /** The path before, between and behind its values; null: each URL must be matched. */
  #pieces: readonly string[] | null

  constructor(variant: Variant, point: EntryPoint, { entries, spelling }: WriterScope) {
    this.variant = variant
    this.point = point
    const { segments, hasSlash } = variant.pattern
    const taken = segments.some(isFilled) ? takenByOthers(variant, point, entries) : null
    this.#values = taken === null ? NO_VALUES : valueWriters(variant, taken)
    const isProven = this.#values.length > 0
    this.#pieces = isProven ? spelling.pattern(point, segments.map(marked), hasSlash).split(MARK) : null
  }

  /** The path with these values; null: fill it, and match it before it is handed out. */
  write(params: GivenParams): string | null {
    const pieces = this.#pieces
    const values = this.#values
    if (pieces === null) return null
    let path = pieces[0] ?? ''
    for (let index = 0; index < values.length; index++) {
      const text = values[index]?.write(params) ?? null
      if (text === null) return null
      path += text + (pieces[index + 1] ?? '')
    }
    return path.length > MAX_PATH_LENGTH ? null : path
  }

  /** The path was matched. Without placeholders it stays the same. */
  keep(path: string): void {
    if (!this.variant.pattern.segments.some(isFilled)) this.#pieces = [path]
  }

  /** The parameters that the path does not take, which make the query. */
  rest(params: GivenParams): GivenParams {
    if (this.#takesAll(params)) return NO_PARAMS
    const { placeholders } = this.variant.pattern
    const isFree = ([key]: [string, unknown]): boolean => placeholders.every(({ name }) => name !== key)
    return Object.fromEntries(Object.entries(params).filter(isFree))
  }

  // It is true only if it is certain.
  #takesAll(params: GivenParams): boolean {
    for (const key in params) if (!this.#values.some(({ name }) => name === key)) return false
    return true
  }
}

function isFilled({ kind }: PatternSegment): boolean {
  return kind !== 'literal'
}

function marked(segment: PatternSegment): string {
  if (segment.kind === 'literal') return encodeURIComponent(segment.text)
  return segment.kind === 'rest' ? MARK : segment.texts.map(encodeURIComponent).join(MARK)
}

// None when one of them cannot be written without a match.
function valueWriters(variant: Variant, taken: Taken): readonly ValueWriter[] {
  const { pattern, target } = variant
  const writers: ValueWriter[] = []
  for (const [index, segment] of pattern.segments.entries()) {
    if (segment.kind !== 'placeholder') continue
    const parameter = target.action.parameter(segment.placeholders[0]?.name ?? '')
    if (parameter === undefined || parameter.role === 'rest') return NO_VALUES
    const { name } = parameter
    const value = Object.hasOwn(target.defaults, name) ? target.defaults[name] : undefined
    writers.push(new ValueWriter(segment, { parameter, taken: taken.get(index) ?? null, value }))
  }
  // A copy has no room to grow.
  return writers.slice()
}

interface ValueParts {
  readonly parameter: UrlParameter
  readonly taken: TakenTexts | null
  /** What it is when nothing is given. */
  readonly value: unknown
}

/** Writes the value of the one placeholder of a segment. */
class ValueWriter {
  readonly name: string
  readonly #segment: PlaceholderSegment
  readonly #type: ParameterType
  readonly #taken: TakenTexts | null
  readonly #usual: unknown

  constructor(segment: PlaceholderSegment, { parameter, taken, value }: ValueParts) {
    this.name = parameter.name
    this.#segment = segment
    this.#type = parameter.type
    this.#taken = taken
    this.#usual = value
  }

  /** The value, encoded; null when it does not fit, is taken, or nothing is certain. */
  write(params: GivenParams): string | null {
    const { name } = this
    const value = (Object.hasOwn(params, name) ? params[name] : undefined) ?? this.#usual
    const text = typeof value === 'string' && this.#type === STRING ? value : formatted(this.#type, value)
    if (text === undefined || text === '') return null
    const { placeholders, texts, isWhole } = this.#segment
    if (placeholders[0]?.constraint?.test(text) === false) return null
    const segment = isWhole ? text : `${texts[0]}${text}${texts[1]}`
    if (segment.charCodeAt(0) === DOT && !isSegment(segment)) return null
    return this.#taken?.has(segment) === true ? null : encoded(text)
  }
}

function formatted(type: ParameterType, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  try {
    return type.format(value)
  } catch {
    // It is tried again, and whose type it is that throws is said there.
    return undefined
  }
}

function encoded(text: string): string | null {
  for (let at = 0; at < text.length; at++) {
    if (SAFE[text.charCodeAt(at)] !== 1) return isSegmentText(text) ? encodeURIComponent(text) : null
  }
  return text
}
