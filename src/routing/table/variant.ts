import { sentence } from '../../core/internal.ts'
import { RoutingException } from '../routing-exception.ts'
import { NO_ARGUMENTS, Route, type RouteTarget } from '../route.ts'
import { parameterFault, type UrlParameter } from '../declaration/parameter.ts'
import { STRING } from '../declaration/built-in-types.ts'
import { plain } from '../url-path.ts'
import type { Pattern } from './pattern.ts'

const NO_VARIANTS: readonly Variant[] = []
// Nearly all paths name their placeholders in the order of the parameters, so they share these lists.
const IN_ORDER: readonly (readonly number[])[] = [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]

/** A route, for which the first of its paths stands. */
export type CompiledRoute = Pick<Variant, 'target' | 'methods' | 'locale' | 'order' | 'label' | 'variants'>

type VariantParts = Pick<Variant, 'pattern' | 'methods' | 'locale' | 'order' | 'source'>

/** Where a lookup found the values of a path. */
export interface FoundValues {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** The locale that a route without one of its own gets. */
  readonly locale: string | null
  /** Whether the path is as it was sent, with nothing in the values that stands for something else. */
  readonly isStrict: boolean
}

/** One path of a route: its target, and how the values of the path become arguments. */
export class Variant {
  readonly target: RouteTarget
  readonly pattern: Pattern
  readonly methods: readonly string[]
  /** The locale whose path this is; null: it serves all. */
  readonly locale: string | null
  /** Place of the route among the declarations of the table. */
  readonly order: number
  /** Where the route is declared; known only while a fault in its table is looked for. */
  readonly source: string | undefined
  /** Whether a value may not fit its type. */
  readonly isTyped: boolean
  /** Whether another route of the same path declares HEAD, so that this one leaves it alone. */
  isHeadless = false
  /** The other paths of the route, when this is the first. */
  others: readonly Variant[] = NO_VARIANTS
  /** For each placeholder the index of its parameter. */
  readonly #places: readonly number[]
  /** Whether the values are the arguments as they stand. */
  readonly #isPlain: boolean
  #constant: Route | null = null

  /** @throws {RoutingException} `invalid-parameter` if placeholders and parameters do not go together. */
  constructor(target: RouteTarget, parts: VariantParts) {
    this.target = target
    this.pattern = parts.pattern
    this.methods = parts.methods
    this.locale = parts.locale
    this.order = parts.order
    this.source = parts.source
    const { parameters, schema } = target.action
    const places = this.#bind()
    const isInOrder = places.every((place, index) => place === index)
    const isPadded = schema !== null && parameters.length > places.length
    this.#places = isInOrder ? (IN_ORDER[places.length] ?? places) : places
    this.isTyped = places.some((place) => parameters[place]?.type !== STRING)
    const hasRest = places.some((place) => parameters[place]?.role === 'rest')
    this.#isPlain = isInOrder && !isPadded && !hasRest && !this.isTyped
  }

  /** The paths of the route that begins with this one. */
  get variants(): readonly Variant[] {
    return this.others.length === 0 ? [this] : [this, ...this.others]
  }

  get rank(): string {
    return this.pattern.rank
  }

  /** `GET /product/{slug} (module.ts:12)`, as messages name it. */
  get label(): string {
    const place = this.source === undefined ? '' : ` (${this.source})`
    return `${this.methods.join('|')} ${this.pattern.source === '' ? '(entry point)' : this.pattern.source}${place}`
  }

  /** The same with the name of the route, the action and the module. */
  get title(): string {
    const { name, action, module } = this.target
    return `${name === null ? '' : `"${name}", `}${this.label}, of ${action.label} in module "${module}"`
  }

  /** The arguments for values in the order of the path, as {@link UrlPath} holds them; undefined: one does not fit its type. */
  read(values: readonly string[]): readonly unknown[] | undefined {
    if (values.length === 0 && this.target.action.schema === null) return NO_ARGUMENTS
    const { parameters } = this.target.action
    let args: unknown[] = []
    let parameter: UrlParameter | undefined
    try {
      for (const [index, value] of values.entries()) {
        const place = this.#places[index] ?? 0
        while (args.length < place) args.push(undefined)
        parameter = parameters[place]
        if (parameter?.role === 'rest') {
          const items = readRest(parameter, value)
          if (items === undefined) return undefined
          args = place === 0 ? items : args.concat(items)
        } else {
          const parsed = parameter?.parse(plain(value))
          if (parsed === undefined) return undefined
          args[place] = parsed
        }
      }
    } catch (error) {
      throw parameterFault(parameter, this.title, error)
    }
    return this.target.action.padded(args)
  }

  /** The route of a match; null: a value does not fit its type. */
  route(found: FoundValues, path: string): Route | null {
    const locale = this.locale ?? found.locale
    const count = this.#places.length
    if (count === 0) return this.#constantRoute(locale)
    if (!this.#isPlain) return this.#readRoute(found, path, locale)
    const args = count === 1 ? [valueAt(found, path, 0)] : valuesOf(found, path, count)
    return new Route(this.target, args, locale)
  }

  // A route without values is the same for every request, so there is one of it.
  #constantRoute(locale: string | null): Route {
    if (this.#constant === null || this.#constant.locale !== locale) {
      this.#constant = new Route(this.target, Object.freeze(this.read([]) ?? NO_ARGUMENTS), locale)
      Object.freeze(this.#constant)
    }
    return this.#constant
  }

  #readRoute(found: FoundValues, path: string, locale: string | null): Route | null {
    const args = this.read(this.#places.map((_, index) => path.slice(found.starts[index], found.ends[index])))
    return args === undefined ? null : new Route(this.target, args, locale)
  }

  #bind(): readonly number[] {
    const { action } = this.target
    const { parameters } = action
    const places = this.pattern.placeholders.map(({ name }) => {
      const place = parameters.findIndex((parameter) => parameter.name === name)
      if (place !== -1) return place
      throw this.#refuse(
        sentence`{${name}} is not a parameter of ${action.label}; name it in its static actions`,
      )
    })
    const missing = parameters.find(({ role }, place) => role === 'required' && !places.includes(place))
    if (missing === undefined) return places
    const { name } = missing
    throw this.#refuse(sentence`${action.label} requires "${name}"; add {${name}} or make it optional()`)
  }

  #refuse(reason: string): RoutingException {
    return new RoutingException('invalid-parameter', sentence`Cannot route ${this.label}: ${reason}`)
  }
}

// There may be thousands of segments, and to make a list so long costs more than to fill it: each value replaces its text.
function readRest(parameter: UrlParameter, value: string): unknown[] | undefined {
  const items: unknown[] = value.split('/')
  for (let at = 0; at < items.length; at++) {
    const item = parameter.parse(plain(String(items[at])))
    if (item === undefined) return undefined
    items[at] = item
  }
  return items
}

function valueAt(found: FoundValues, path: string, index: number): string {
  const value = path.slice(found.starts[index], found.ends[index])
  return found.isStrict ? value : plain(value)
}

// A list that is made with its items takes no more room than it needs.
function valuesOf(found: FoundValues, path: string, count: number): readonly string[] {
  if (count === 2) return [valueAt(found, path, 0), valueAt(found, path, 1)]
  if (count === 3) return [valueAt(found, path, 0), valueAt(found, path, 1), valueAt(found, path, 2)]
  return Array.from({ length: count }, (_, index) => valueAt(found, path, index))
}
