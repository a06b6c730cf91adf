import { RoutingException } from '../routing-exception.ts'
import { NO_ARGUMENTS, Route, type RouteTarget } from '../route.ts'
import { parameterFault, type UrlParameter } from '../declaration/parameter.ts'
import { STRING } from '../declaration/built-in-types.ts'
import { plain } from '../url-path.ts'
import type { Pattern } from './pattern.ts'

/** One route with the paths it has: the first of them stands for it. */
export interface CompiledRoute {
  readonly target: RouteTarget
  readonly methods: readonly string[]
  /** Place among the declarations of the table. */
  readonly order: number
  /** `GET /product/{slug}`, as messages name it. */
  readonly label: string
  /** Its paths, at least one. */
  readonly variants: readonly Variant[]
}

const NO_VARIANTS: readonly Variant[] = []

/** What a variant is made of. */
export type VariantParts = Pick<Variant, 'pattern' | 'methods' | 'locale' | 'order' | 'source'>

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
export class Variant implements CompiledRoute {
  readonly target: RouteTarget
  readonly pattern: Pattern
  readonly methods: readonly string[]
  /** The locale whose path this is, or null when one path serves all. */
  readonly locale: string | null
  readonly order: number
  /** Where the route is declared; known only while a fault in its table is looked for. */
  readonly source: string | undefined
  /** Whether a value may not fit its type. */
  readonly isTyped: boolean
  /** Whether another route of the same path declares HEAD, so that this one leaves it alone. */
  isHeadless = false
  /** For each placeholder the index of its parameter; one list for all paths whose placeholders stand in order. */
  readonly #places: readonly number[]
  /** Whether the values are the arguments as they stand. */
  readonly #isPlain: boolean
  #constant: Route | null = null
  #others: readonly Variant[] = NO_VARIANTS

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
    let isTyped = false
    let isPlain = schema === null || parameters.length === places.length
    for (const [index, place] of places.entries()) {
      const parameter = parameters[place]
      isTyped ||= parameter?.type !== STRING
      isPlain &&= place === index && parameter?.role !== 'rest'
    }
    this.#places = inOrder(places)
    this.isTyped = isTyped
    this.#isPlain = isPlain && !isTyped
  }

  /** The paths of the route that begins with this one. */
  get variants(): readonly Variant[] {
    return this.#others.length === 0 ? [this] : [this, ...this.#others]
  }

  /**
   * @param others The other paths of the route that begins with this one.
   */
  lead(others: readonly Variant[]): void {
    this.#others = others
  }

  /** How specific the path is: the smaller text is tried first. */
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

  /**
   * @param values The values of the placeholders, in the order of the path, as {@link UrlPath} holds them.
   * @returns The arguments of the action, or undefined when one does not fit its type.
   * @throws {RoutingException} `invalid-parameter` if the type of a parameter gives a promise.
   */
  read(values: readonly string[]): readonly unknown[] | undefined {
    if (values.length === 0 && this.target.action.schema === null) return NO_ARGUMENTS
    const { parameters } = this.target.action
    const args: unknown[] = []
    let variadic: unknown[] = []
    let parameter: UrlParameter | undefined
    try {
      for (const [index, value] of values.entries()) {
        const place = this.#places[index] ?? 0
        parameter = parameters[place]
        if (parameter?.role === 'rest') {
          const items = readRest(parameter, value)
          if (items === undefined) return undefined
          variadic = items
          continue
        }
        const parsed = parameter?.parse(plain(value))
        if (parsed === undefined) return undefined
        while (args.length < place) args.push(undefined)
        args[place] = parsed
      }
    } catch (error) {
      throw parameterFault(parameter, this.title, error)
    }
    if (variadic.length > 0) {
      if (parameters.length === 1) return variadic
      while (args.length < parameters.length - 1) args.push(undefined)
      return args.concat(variadic)
    }
    return this.target.action.padded(args)
  }

  /**
   * Makes the route of a match.
   *
   * @param found Where the values stand in the path.
   * @param path The path.
   * @returns The route, or null when a value does not fit its type.
   */
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
    const places: number[] = []
    for (const { name } of this.pattern.placeholders) {
      const place = parameters.findIndex((parameter) => parameter.name === name)
      if (place === -1)
        throw this.#refuse(`{${name}} is not a parameter of ${action.label}; name it in its static actions`)
      places.push(place)
    }
    for (const [place, { name, role }] of parameters.entries()) {
      if (role !== 'required' || places.includes(place)) continue
      throw this.#refuse(`${action.label} requires "${name}"; add {${name}} or make it optional()`)
    }
    return places
  }

  #refuse(reason: string): RoutingException {
    return new RoutingException('invalid-parameter', `Cannot route ${this.label}: ${reason}`)
  }
}

// There may be thousands of segments, and a list so long costs more to make than to fill: so each value takes the place of
// its text.
function readRest(parameter: UrlParameter, value: string): unknown[] | undefined {
  const items: unknown[] = value.split('/')
  for (let at = 0; at < items.length; at++) {
    const item = parameter.parse(plain(String(items[at])))
    if (item === undefined) return undefined
    items[at] = item
  }
  return items
}

const IN_ORDER: readonly (readonly number[])[] = [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]

function inOrder(places: readonly number[]): readonly number[] {
  return places.every((place, index) => place === index) ? (IN_ORDER[places.length] ?? places) : places
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
