import { decamelize, toAsciiLowerCase } from '../../core/internal.ts'
import { type Action, INVOKE } from '../declaration/action.ts'
import type { ActionCatalog } from '../declaration/action-catalog.ts'
import type { ControllerClass } from '../declaration/controller-class.ts'
import { RoutingException } from '../routing-exception.ts'

const INDEX = 'index'

/** A conventional URL that was found: the action, its arguments and the one spelling of its segments. */
export interface ConventionMatch {
  readonly action: Action
  readonly args: readonly unknown[]
  readonly canonical: readonly string[]
}

/** The actions that share a URL, by the HTTP method they are declared for. */
type Verbs = ReadonlyMap<string, Action>

interface Controller {
  readonly segment: string
  /** Actions by their segment in lower case. */
  readonly named: ReadonlyMap<string, Verbs>
  /** The same by method name in lower case: `typedint`. */
  readonly aliases: ReadonlyMap<string, string>
  /** What gets the segments when the second names no action. */
  readonly fallback: Verbs
  readonly isInvokable: boolean
}

interface Place {
  readonly method: string
  readonly controller: Controller
  /** Whether the URL names the action, and not the controller alone. */
  readonly isNamed: boolean
  /** The segments behind these names. */
  readonly segments: readonly string[]
}

/** Maps `controller/action/params` to the actions of a module that no table of it owns. */
export class Convention {
  readonly #controllers = new Map<string, Controller>()
  readonly #aliases = new Map<string, string>()
  readonly #segments = new Map<ControllerClass, string>()
  readonly #owns: (action: Action) => boolean

  /**
   * @param controllers The controllers of the module.
   * @param catalog The actions of all controllers.
   * @param owns Whether a table of the module owns an action.
   * @throws {RoutingException} If a controller is wrong, or two are spelled alike in a URL.
   */
  constructor(
    controllers: readonly ControllerClass[],
    catalog: ActionCatalog,
    owns: (action: Action) => boolean,
  ) {
    this.#owns = owns
    for (const type of new Set(controllers)) {
      const controller = readController(type, catalog)
      const key = toAsciiLowerCase(controller.segment)
      if (this.#controllers.has(key)) {
        const other = [...this.#segments].find(([, segment]) => toAsciiLowerCase(segment) === key)?.[0]
        const message = `Cannot list ${other?.name} and ${type.name}, which a URL spells alike, "${controller.segment}": rename one of them`
        throw new RoutingException('invalid-action', message)
      }
      this.#controllers.set(key, controller)
      this.#segments.set(type, controller.segment)
    }
    for (const [key, { segment }] of this.#controllers) {
      const alias = toAsciiLowerCase(segment.replaceAll('-', ''))
      if (!this.#aliases.has(alias)) this.#aliases.set(alias, key)
    }
  }

  /**
   * @param method The HTTP method.
   * @param segments Decoded segments behind the entry point of the module.
   * @returns What was found, the methods that the URL answers instead, or null.
   */
  find(method: string, segments: readonly string[]): ConventionMatch | ReadonlySet<string> | null {
    const [first = INDEX, second] = segments
    const controller = this.#controller(first)
    if (controller === undefined) return null
    const name = second === undefined ? undefined : actionName(controller, second)
    if (name === undefined) {
      return this.#answer(controller.fallback, {
        method,
        controller,
        isNamed: false,
        segments: segments.slice(1),
      })
    }
    const verbs = controller.named.get(name)
    if (verbs === undefined) return null
    return this.#answer(verbs, { method, controller, isNamed: true, segments: segments.slice(2) })
  }

  /**
   * The conventional spelling of an action.
   *
   * @param action An action of a controller of the module.
   * @param args How many arguments it is given.
   * @returns The segments before the arguments, or null when the module does not list the controller.
   */
  spell(action: Action, args: number): readonly string[] | null {
    const segment = this.#segments.get(action.controller)
    const controller = segment === undefined ? undefined : this.#controllers.get(toAsciiLowerCase(segment))
    if (controller === undefined) return null
    return spelling(controller, action, args)
  }

  /**
   * Repairs the spelling of controller and action, whatever else the URL comes to.
   *
   * @param segments Decoded segments behind the entry point of the module.
   * @returns The segments, the first two as the convention writes them where it knows them.
   */
  respell(segments: readonly string[]): readonly string[] {
    const [first, second, ...rest] = segments
    const controller = first === undefined ? undefined : this.#controller(first)
    if (controller === undefined) return segments
    if (second === undefined) return [controller.segment]
    return [controller.segment, actionName(controller, second) ?? second, ...rest]
  }

  #controller(segment: string): Controller | undefined {
    const key = toAsciiLowerCase(segment)
    return this.#controllers.get(key) ?? this.#controllers.get(this.#aliases.get(key) ?? '')
  }

  #answer(verbs: Verbs, place: Place): ConventionMatch | ReadonlySet<string> | null {
    const { method, controller, isNamed, segments } = place
    const action = pick(verbs, method)
    if (action !== undefined) {
      // A URL whose action a table owns is nobody's, not even that of another verb.
      if (this.#owns(action)) return null
      const args = action.read(segments)
      const isSpelled = !isNamed && segments.length > 0
      const spelled = isSpelled ? [controller.segment] : spelling(controller, action, segments.length)
      if (args !== undefined) return { action, args, canonical: [...spelled, ...segments] }
    }
    const allowed = new Set<string>()
    for (const other of new Set(verbs.values())) {
      if (!this.#owns(other) && other.read(segments) !== undefined) allowed.add(other.verb ?? 'GET')
    }
    if (!allowed.has('GET')) return allowed.size === 0 ? null : allowed
    // What declares HEAD did not take the segments, so what answers GET has to.
    return method === 'HEAD' ? this.#answer(verbs, { ...place, method: 'GET' }) : allowed.add('HEAD')
  }
}

function readController(type: ControllerClass, catalog: ActionCatalog): Controller {
  const named = new Map<string, Map<string, Action>>()
  const aliases = new Map<string, string>()
  let invoke: Action | undefined
  for (const action of catalog.of(type).values()) {
    if (action.method === INVOKE) {
      invoke = action
      continue
    }
    const key = toAsciiLowerCase(action.segment)
    const verbs = named.get(key) ?? new Map<string, Action>()
    verbs.set(action.verb ?? 'GET', action)
    named.set(key, verbs)
    const alias = toAsciiLowerCase(action.segment.replaceAll('-', ''))
    if (!aliases.has(alias)) aliases.set(alias, key)
  }
  const index: Verbs = named.get(INDEX) ?? new Map<string, Action>()
  const fallback = invoke === undefined ? index : withInvoke(index, invoke)
  return { segment: controllerSegment(type), named, aliases, fallback, isInvokable: invoke !== undefined }
}

function withInvoke(index: Verbs, invoke: Action): Verbs {
  const verbs = new Map(index)
  verbs.delete('HEAD')
  return verbs.set('GET', invoke)
}

function controllerSegment(type: ControllerClass): string {
  return decamelize(
    type.name.length > 10 && type.name.endsWith('Controller') ? type.name.slice(0, -10) : type.name,
  )
}

function actionName(controller: Controller, segment: string): string | undefined {
  const key = toAsciiLowerCase(segment)
  return controller.named.has(key) ? key : controller.aliases.get(key)
}

function pick(verbs: Verbs, method: string): Action | undefined {
  return verbs.get(method) ?? (method === 'HEAD' ? verbs.get('GET') : undefined)
}

// The index of a controller has the controller's own URL while it takes no arguments, and the index controller that of
// the module. An invokable controller takes that place from its index.
function spelling(controller: Controller, action: Action, args: number): readonly string[] {
  const isFallback = controller.fallback.get(action.verb ?? 'GET') === action
  if (action.method === INVOKE) return args === 0 && controller.segment === INDEX ? [] : [controller.segment]
  if (!isFallback || args > 0) return [controller.segment, action.segment]
  return controller.segment === INDEX ? [] : [controller.segment]
}
