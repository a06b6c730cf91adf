import { nearest, sentence, shown, toAsciiLowerCase } from '../../core/internal.ts'
import type { Action } from '../declaration/action.ts'
import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import type { Resolution } from '../resolution/resolution.ts'
import { parameterFault } from '../declaration/parameter.ts'
import { NO_ARGUMENTS, type Route } from '../route.ts'
import type { RoutedModule, UrlOwner } from '../routed-module.ts'
import { refuseUrl, RoutingException } from '../routing-exception.ts'
import type { Spelling } from '../spelling.ts'
import type { Variant } from '../table/variant.ts'
import { isSegmentText, plain } from '../url-path.ts'
import { ActionWriter } from './action-writer.ts'
import { fillPath } from './fill.ts'
import { LocalizedWriters } from './known-writers.ts'
import { PathWriter } from './path-writer.ts'
import { writeQuery } from './query.ts'
import type { GivenParams } from './url-params.ts'

/** What generation needs of the application. */
export interface GenerationScope {
  readonly modules: readonly RoutedModule[]
  readonly entries: EntryPoints
  readonly spelling: Spelling
  readonly resolution: Resolution
}

/** Generates URLs, each of which reaches its own route without a redirect. */
export class Generation {
  readonly #scope: GenerationScope
  readonly #byQualifier = new Map<string, RoutedModule>()
  readonly #writers = new LocalizedWriters()

  /** @throws {RoutingException} `duplicate-name` if two modules qualify their routes alike. */
  constructor(scope: GenerationScope) {
    this.#scope = scope
    for (const module of scope.modules) {
      const { segment } = module.declaration
      const other = this.#byQualifier.get(segment)
      if (other !== undefined) {
        const message = sentence`Cannot name routes "${segment}:…" by two modules: ${other.label} and ${module.label}; rename one of them`
        throw new RoutingException('duplicate-name', message)
      }
      this.#byQualifier.set(segment, module)
    }
  }

  /** The URL of a named route; see `Router.url()`. */
  url(name: string, params: GivenParams, locale: string | undefined): string {
    if (typeof name !== 'string')
      throw new TypeError(
        sentence`Cannot generate a URL for ${shown(name)}: pass the name of a route, such as "shop:product"`,
      )
    if (typeof params !== 'object' || params === null)
      throw new TypeError(
        sentence`Cannot generate a URL for "${name}" with ${shown(params)} as values: pass an object`,
      )
    const writer = this.#writers.find(locale).routes.get(name) ?? this.#learn(name, locale)
    const path = writer.write(params) ?? this.#matched(writer, params, `"${name}"`)
    return path + writeQuery(writer, params, name)
  }

  #learn(name: string, locale: string | undefined): PathWriter {
    const what = `"${name}"`
    const colon = name.indexOf(':')
    const module = colon === -1 ? this.#scope.entries.root : this.#byQualifier.get(name.slice(0, colon))
    const named = module?.named(name.slice(colon + 1))
    if (named === undefined) throw refuseUrl('unknown-route', what, this.#reasonOf(name, module))
    const point = this.#point(named.owner, what, locale)
    const variant = this.#variant(named.route.variants, what, locale ?? point.locale)
    const writer = this.#writers.share(variant, point, () => new PathWriter(variant, point, this.#scope))
    this.#writers.find(locale).routes.set(name, writer)
    return writer
  }

  #matched(writer: PathWriter, params: GivenParams, what: string): string {
    const { variant, point } = writer
    const { segments, values } = fillPath(variant, params, what)
    const path = this.#scope.spelling.path(point, segments, variant.pattern.hasSlash)
    this.#assertReaches(path, { variant, values, what })
    writer.keep(path)
    return path
  }

  /** The conventional URL of an action; see `Router.urlFor()`. */
  urlFor(action: Action, args: readonly unknown[], locale: string | undefined): string {
    const known = this.#writers.find(locale).action(action, args.length)
    return known?.write(args) ?? this.#matchedUrlFor(action, args, locale)
  }

  #matchedUrlFor(action: Action, args: readonly unknown[], locale: string | undefined): string {
    const module = this.#scope.modules.find(({ declaration }) =>
      declaration.controllers.includes(action.controller),
    )
    // A table owns an action whether or not a module lists its controller: to list it would open its other actions.
    const isReached = module !== undefined && module.convention !== null && !module.owns(action)
    if (!isReached) this.#assertUnrouted(module, action)
    if (module === undefined)
      throw refuseUrl('unknown-route', action.label, sentence`no module lists ${action.controller.name}`)
    if (module.convention === null)
      throw refuseUrl('unknown-route', action.label, sentence`${module.label} has no convention routing`)
    const texts = argumentTexts(action, args, module)
    const base = module.convention.spell(action, texts.length) ?? []
    const point = this.#point(module, action.label, locale)
    const path = this.#scope.spelling.path(point, [...base, ...texts], false)
    const reached = this.#scope.resolution.verify(action.verb ?? 'GET', path)
    if (reached?.target.action === action) {
      const found = { point, base, count: texts.length, path }
      const make = (): ActionWriter => new ActionWriter(action, found, this.#scope)
      this.#writers.find(locale).addAction(action, found.count, make)
      return path
    }
    const what = `${action.label} of ${module.label}`
    throw refuseUrl('invalid-parameter', what, `"${path}" reaches ${this.#describe(reached)}`)
  }

  // The module that lists the controller is asked first, then every other one in order.
  #assertUnrouted(listing: RoutedModule | undefined, action: Action): void {
    for (const module of new Set([listing ?? [], this.#scope.modules].flat())) {
      const routes = module.routes().filter(({ target }) => target.action === action)
      const [first] = routes
      if (first === undefined) continue
      const names = routes.flatMap(({ target }) =>
        target.name === null ? [] : [`"${module.declaration.segment}:${target.name}"`],
      )
      const mend =
        names.length > 0 ? `use url(${names.join(' or ')})` : sentence`name ${first.label} and use url()`
      const message = sentence`Cannot generate a conventional URL for ${action.label} of ${module.label}: its table owns it; ${mend}`
      throw new RoutingException('explicit-action', message)
    }
  }

  #point(owner: UrlOwner, what: string, locale: string | undefined): EntryPoint {
    const points = this.#scope.entries.pointsOf(owner)
    const [first] = points
    const wanted = first?.locale === null ? null : this.#locale(locale)
    const point = points.find((each) => each.locale === wanted)
    if (point !== undefined) return point
    const reason = sentence`${first?.module.label} answers in ${points.map((each) => each.locale).join(', ')}`
    throw refuseUrl('locale-variant-missing', `${what} in "${locale ?? wanted}"`, reason)
  }

  #locale(locale: string | undefined): string | undefined | null {
    if (locale !== undefined && typeof locale !== 'string')
      throw new TypeError(sentence`Cannot generate a URL in the locale ${shown(locale)}: pass a language tag`)
    const { spelling } = this.#scope
    return locale === undefined ? spelling.defaultLocale : spelling.findLocale(locale)
  }

  #variant(variants: readonly Variant[], what: string, locale: string | null): Variant {
    const wanted = locale ?? this.#scope.spelling.defaultLocale
    const variant = variants.find(({ locale: own }) => {
      return own === null || wanted === null || toAsciiLowerCase(own) === toAsciiLowerCase(wanted)
    })
    if (variant !== undefined) return variant
    const has = variants.map(({ locale: own }) => own).join(', ')
    throw refuseUrl(
      'locale-variant-missing',
      `${what} in "${wanted}"`,
      sentence`the route has a path for ${has}`,
    )
  }

  // A name is the qualifier of its module and what the route is called there, also inside of that module.
  #reasonOf(name: string, module: RoutedModule | null | undefined): string {
    const local = name.slice(name.indexOf(':') + 1)
    const meant = [...this.#byQualifier].flatMap(([qualifier, each]) =>
      namesOf(each).includes(local) ? [`"${qualifier}:${local}"`] : [],
    )
    const similar = meant.length > 0 ? undefined : nearest(name, this.#names())
    if (similar !== undefined) meant.push(`"${similar}"`)
    const hint = meant.length === 0 ? '' : sentence`; did you mean ${meant.join(' or ')}?`
    if (module === undefined)
      return sentence`there is no such module, only ${[...this.#byQualifier.keys()].join(', ')}${hint}`
    if (module === null) return sentence`no module owns the root; write "module:name"${hint}`
    const known = namesOf(module)
    return `${module.label} names ${known.length === 0 ? 'no routes' : known.join(', ')}${hint}`
  }

  // Everything that a name may be, those of the module at the root also without it.
  #names(): string[] {
    const { root } = this.#scope.entries
    return [...this.#byQualifier].flatMap(([qualifier, module]) =>
      namesOf(module).flatMap((local) => [...(module === root ? [local] : []), `${qualifier}:${local}`]),
    )
  }

  // Names the route that wins the URL, and its declaration where a table has it.
  #describe(route: Route | null): string {
    if (route === null) return sentence`nothing without a redirect`
    const { target } = route
    const module = this.#scope.modules.find(({ name }) => name === target.module)
    const declared = module?.routes().find((each) => each.target === target)
    const action = `${target.action.label} of module "${target.module}"`
    if (declared === undefined) return sentence`${action}, by convention`
    const name = target.name === null ? '' : ` "${module?.declaration.segment ?? ''}:${target.name}"`
    return sentence`${action}, by its route${name} ${declared.label}`
  }

  // A value may make a URL that another route, mount or locale owns; such a URL is refused rather than handed out.
  #assertReaches(path: string, filled: { variant: Variant; values: readonly string[]; what: string }): void {
    const { variant, values, what } = filled
    const method = variant.methods[0] ?? 'GET'
    const reached = this.#scope.resolution.verify(method, path)
    const args = variant.read(values) ?? NO_ARGUMENTS
    if (reached?.target === variant.target && isSame(variant.target.action, reached.args, args)) return
    const given = variant.pattern.placeholders.map(
      ({ name }, at) => `${shown(plain(values[at] ?? ''))} for "${name}"`,
    )
    const whole = given.length === 0 ? what : `${what} with ${given.join(' and ')}`
    throw refuseUrl('invalid-parameter', whole, `"${path}" reaches ${this.#describe(reached)}`)
  }
}

function argumentTexts(action: Action, args: readonly unknown[], module: RoutedModule): readonly string[] {
  const what = `${action.label} of ${module.label}`
  const given = [...args]
  while (given.length > 0 && given.at(-1) === undefined) given.pop()
  if (given.length < action.required || given.length > action.maximum) {
    const count = given.length === 1 ? '1 argument' : `${given.length} arguments`
    throw refuseUrl('invalid-parameter', `${what} with ${count}`, `it takes ${takes(action)}`)
  }
  return given.map((value, index) => {
    const parameter = action.parameters[index] ?? action.parameters.at(-1)
    let text: string | undefined
    try {
      text = parameter?.type.format(value)
    } catch (error) {
      throw parameterFault(parameter, action.label, error)
    }
    if (text !== undefined && isSegmentText(text)) return text
    const reason = sentence`${shown(value)} as argument ${index + 1} does not fit ${parameter?.type.name} "${parameter?.name}"`
    throw refuseUrl('invalid-parameter', what, reason)
  })
}

function takes({ required, maximum }: Action): string {
  if (required === maximum) return required === 0 ? 'none' : String(required)
  return maximum === Infinity ? `${required} or more` : `${required} to ${maximum}`
}

function isSame({ parameters }: Action, one: readonly unknown[], other: readonly unknown[]): boolean {
  return (
    one.length === other.length &&
    one.every((value, index) => {
      const { type } = parameters[index] ?? parameters.at(-1) ?? {}
      return Object.is(value, other[index]) || type?.isSame(value, other[index]) === true
    })
  )
}

// For a message: a table that does not compile names nothing.
function namesOf(module: RoutedModule): readonly string[] {
  try {
    return module.routes().flatMap(({ target }) => target.name ?? [])
  } catch {
    return []
  }
}
