import { decamelize, sentence, toAsciiLowerCase } from '../../core/internal.ts'
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

/** Actions that share a segment. Segments are in lower case. */
interface NamedActions {
  readonly segment: string
  readonly verbs: Verbs
}

interface Controller {
  readonly type: ControllerClass
  readonly segment: string
  /** Actions by their segment, also without its hyphens: `typed-int` and `typedint`. */
  readonly named: ReadonlyMap<string, NamedActions>
  /** What gets the segments when the second names no action. */
  readonly fallback: Verbs
}

interface Place {
  readonly method: string
  readonly controller: Controller
  /** The actions that the URL names; undefined: it names the controller alone. */
  readonly named: NamedActions | undefined
  /** The segments behind these names. */
  readonly segments: readonly string[]
}

/** Reads and spells conventional URLs. */
export type ConventionalUrls = Pick<Convention, 'find' | 'spell' | 'pattern' | 'respell'>

/** Maps `controller/action/params` to the actions of a module that no table of it owns. */
export class Convention {
  /** By their segment, also without its hyphens. */
  readonly #bySegment = new Map<string, Controller>()
  /** What answers at the entry point; no controller that is only spelled like it does. */
  readonly #index: Controller | undefined
  readonly #byClass = new Map<ControllerClass, Controller>()
  readonly #owns: (action: Action) => boolean

  /**
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
      const other = this.#bySegment.get(controller.segment)
      if (other !== undefined) {
        const message = sentence`Cannot list ${other.type.name} and ${type.name}, which a URL spells alike, "${controller.segment}": rename one of them`
        throw new RoutingException('invalid-action', message)
      }
      this.#bySegment.set(controller.segment, controller)
      this.#byClass.set(type, controller)
    }
    this.#index = this.#bySegment.get(INDEX)
    addAliases(this.#bySegment)
  }

  /** What decoded segments behind the entry point of the module reach, the methods that they answer instead, or null. */
  find(method: string, segments: readonly string[]): ConventionMatch | ReadonlySet<string> | null {
    const [first, second] = segments
    const controller = first === undefined ? this.#index : this.#bySegment.get(toAsciiLowerCase(first))
    if (controller === undefined) return null
    const named = second === undefined ? undefined : controller.named.get(toAsciiLowerCase(second))
    const rest = segments.slice(named === undefined ? 1 : 2)
    return this.#answer({ method, controller, named, segments: rest })
  }

  /** The segments before so many arguments of an action; null when the module does not list its controller. */
  spell(action: Action, args: number): readonly string[] | null {
    const controller = this.#byClass.get(action.controller)
    return controller === undefined ? null : spelling(controller, action, args)
  }

  /** The segments of the URLs of an action, with its parameters as placeholders; null when the module does not list it. */
  pattern(action: Action): readonly string[] | null {
    const { parameters } = action
    const spelled = this.spell(action, parameters.length)
    return spelled === null ? null : [...spelled, ...parameters.map(placeholderOf)]
  }

  /** Decoded segments, the first two as the convention writes them where it knows them, whatever else the URL comes to. */
  respell(segments: readonly string[]): readonly string[] {
    const [first, second, ...rest] = segments
    const controller = first === undefined ? undefined : this.#bySegment.get(toAsciiLowerCase(first))
    if (controller === undefined) return segments
    if (second === undefined) return [controller.segment]
    return [controller.segment, controller.named.get(toAsciiLowerCase(second))?.segment ?? second, ...rest]
  }

  #answer(place: Place): ConventionMatch | ReadonlySet<string> | null {
    const { method, controller, named, segments } = place
    const verbs = named?.verbs ?? controller.fallback
    const action = verbs.get(method) ?? (method === 'HEAD' ? verbs.get('GET') : undefined)
    if (action !== undefined) {
      // A URL whose action a table owns is nobody's, not even that of another verb.
      if (this.#owns(action)) return null
      const args = action.read(segments)
      const isSpelled = named === undefined && segments.length > 0
      const spelled = isSpelled ? [controller.segment] : spelling(controller, action, segments.length)
      if (args !== undefined) return { action, args, canonical: [...spelled, ...segments] }
    }
    const allowed = new Set<string>()
    for (const [verb, other] of verbs)
      if (!this.#owns(other) && other.read(segments) !== undefined) allowed.add(verb)
    if (!allowed.has('GET')) return allowed.size === 0 ? null : allowed
    // What declares HEAD did not take the segments, so what answers GET has to.
    return method === 'HEAD' ? this.#answer({ ...place, method: 'GET' }) : allowed.add('HEAD')
  }
}

function readController(type: ControllerClass, catalog: ActionCatalog): Controller {
  const actions = catalog.of(type)
  const invoke = actions.get(INVOKE)
  const others = actions.values().filter((action) => action !== invoke)
  const named = new Map<string, NamedActions>()
  for (const [segment, group] of Map.groupBy(others, (action) => action.segment))
    named.set(segment, { segment, verbs: new Map(group.map((action) => [action.verb ?? 'GET', action])) })
  const fallback = new Map(named.get(INDEX)?.verbs)
  if (invoke !== undefined) {
    fallback.delete('HEAD')
    fallback.set('GET', invoke)
  }
  addAliases(named)
  return { type, segment: controllerSegment(type), named, fallback }
}

// A URL may leave hyphens out, where that spells nothing else.
function addAliases<T>(bySegment: Map<string, T>): void {
  for (const [segment, named] of bySegment) {
    const alias = segment.replaceAll('-', '')
    if (!bySegment.has(alias)) bySegment.set(alias, named)
  }
}

function placeholderOf({ name, role }: Action['parameters'][number]): string {
  if (role === 'rest') return `{...${name}}`
  return role === 'optional' ? `{${name}?}` : `{${name}}`
}

function controllerSegment({ name }: ControllerClass): string {
  return decamelize(name.replace(/(?<=.)Controller$/s, ''))
}

// The index of a controller has the controller's own URL while it takes no arguments, and the index controller that of
// the module. An invokable controller takes that place from its index.
function spelling(controller: Controller, action: Action, args: number): readonly string[] {
  const isFallback = controller.fallback.get(action.verb ?? 'GET') === action
  if (isFallback && args === 0) return controller.segment === INDEX ? [] : [controller.segment]
  return action.method === INVOKE ? [controller.segment] : [controller.segment, action.segment]
}
