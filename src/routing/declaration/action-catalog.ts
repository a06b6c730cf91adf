import { sentence, shown } from '../../core/internal.ts'
import { Action, INVOKE } from './action.ts'
import type { ActionTable, ControllerClass } from './controller-class.ts'
import { readActionLimits, type RouteLimits } from './route-limits.ts'
import { RoutingException } from '../routing-exception.ts'

const TABLE = 'actions'

const NO_LIMITS: RouteLimits = Object.freeze({})

/** The actions of all controllers of an application, each read once. */
export class ActionCatalog {
  readonly #read = new Map<ControllerClass, ReadonlyMap<string, Action>>()
  readonly #limits = new Map<Action, RouteLimits>()
  readonly #helpers: readonly object[]

  /**
   * @param helpers Prototypes whose methods serve controllers and are never actions. Default: none.
   */
  constructor(helpers: readonly object[] = []) {
    this.#helpers = helpers
  }

  /**
   * Its actions by method name: its action table merged over those of its ancestors and mixins.
   *
   * @throws {RoutingException} `invalid-action` if it cannot be built, there is no table, or an entry names no method that may
   * be one, `invalid-parameter` if a signature is wrong, `verb-conflict` if two methods answer the same request.
   */
  of(controller: ControllerClass): ReadonlyMap<string, Action> {
    const known = this.#read.get(controller)
    if (known !== undefined) return known
    assertController(controller)
    const actions = new Map<string, Action>()
    for (const [method, signature] of mergedTable(controller)) {
      assertMethod(controller, method, this.#helpers)
      if (!Array.isArray(signature)) {
        const mend = sentence`it must be a list of parameters, such as [param.string('slug')]`
        throw refuse(controller, sentence`the entry of ${method} is ${shown(signature)}; ${mend}`)
      }
      actions.set(method, new Action(controller, method, signature))
    }
    assertDistinct(controller, actions)
    if (controller.length > 0) throw notBuildable(controller)
    for (const [action, limits] of readActionLimits(controller, actions)) this.#limits.set(action, limits)
    this.#read.set(controller, actions)
    return actions
  }

  /** The limits of an action, as its controller names them; what its files may have is its largest body. */
  limits(action: Action): RouteLimits {
    const named = this.#limits.get(action)
    return action.upload === null
      ? (named ?? NO_LIMITS)
      : { bodyBytes: action.upload.rules.bodyBytes, ...named }
  }
}

/** Whether something is a class, or a function that can be one: it has a prototype. */
export function isConstructor(given: unknown): given is new () => object {
  return typeof given === 'function' && typeof given.prototype === 'object' && given.prototype !== null
}

function notBuildable({ name }: ControllerClass): RoutingException {
  const reason = sentence`its constructor has arguments without defaults, and each request builds one`
  const message = sentence`Cannot use ${name} as a controller: ${reason}; give them defaults with inject()`
  return new RoutingException('invalid-action', message)
}

function assertController(controller: ControllerClass): void {
  if (!isConstructor(controller)) throw refuseController(controller, sentence`it must be a class`)
  const { name } = controller
  if (name === '') {
    const message = sentence`Cannot use a class without a name as a controller: name the class`
    throw new RoutingException('invalid-action', message)
  }
  if (!name.isWellFormed())
    throw refuseController(
      controller,
      sentence`its name contains a lone surrogate, which a URL cannot contain; rename it`,
    )
}

function refuseController(controller: unknown, reason: string): RoutingException {
  return new RoutingException(
    'invalid-action',
    sentence`Cannot use ${shown(controller)} as a controller: ${reason}`,
  )
}

function mergedTable(controller: ControllerClass): Map<string, unknown> {
  const lineage: object[] = []
  for (let type: unknown = controller; typeof type === 'function'; type = Object.getPrototypeOf(type)) {
    if (Object.hasOwn(type, TABLE)) lineage.unshift(type)
    else assertNotMisspelt(controller, type)
  }
  // Its methods would answer nothing, and nobody would say why. A table without entries is deliberate.
  if (lineage.length === 0) {
    const mend = sentence`declare its actions in "static readonly ${TABLE} = { … }"; without "static" they are not read`
    throw refuse(controller, sentence`it has no static ${TABLE}; ${mend}`)
  }
  const merged = new Map<string, unknown>()
  for (const type of lineage) {
    const table: unknown = Reflect.get(type, TABLE)
    if (!isPlain(table)) {
      const mend = sentence`it must be a plain object, such as { index: [] }`
      throw refuse(controller, sentence`static ${TABLE} is ${tableShown(table)}; ${mend}`)
    }
    for (const [method, signature] of Object.entries(table)) {
      if (signature !== undefined) merged.set(method, signature)
      else if (!merged.delete(method)) {
        const mend = sentence`only an inherited action can be withdrawn like that; use a list of parameters, such as []`
        throw refuse(controller, sentence`the entry of ${method} is undefined; ${mend}`)
      }
    }
  }
  return merged
}

// Entries of a table that nobody reads would be missing: an action, or worse, what withdraws an inherited one.
function assertNotMisspelt(controller: ControllerClass, type: object): void {
  const near = Object.getOwnPropertyNames(type).find((name) => isNear(name) && isTableLike(type, name))
  if (near !== undefined)
    throw refuse(
      controller,
      sentence`they are in "static ${near}", which is not read; rename it to "static ${TABLE}"`,
    )
}

function isNear(name: string): boolean {
  const lower = name.toLowerCase()
  const letters = (text: string): string => text.split('').sort().join('')
  return letters(lower) === letters(TABLE) || isOneShorter(lower, TABLE) || isOneShorter(TABLE, lower)
}

function isOneShorter(short: string, long: string): boolean {
  return long.split('').some((_, index) => long.slice(0, index) + long.slice(index + 1) === short)
}

function isTableLike(type: object, name: string): boolean {
  const table: unknown = Reflect.get(type, name)
  return isPlain(table) && Object.values(table).every((entry) => entry === undefined || Array.isArray(entry))
}

function assertMethod(controller: ControllerClass, method: string, helpers: readonly object[]): void {
  if (method === 'constructor' || (method.startsWith('__') && method !== INVOKE)) {
    throw refuse(controller, sentence`"${method}" can never be an action`)
  }
  if (!method.isWellFormed())
    throw refuse(
      controller,
      sentence`${shown(method)} contains a lone surrogate, which a URL cannot contain; rename it`,
    )
  const holder = holderOf(controller.prototype, method)
  if (holder === undefined) {
    if (!Object.hasOwn(controller, method)) throw refuse(controller, sentence`it has no method "${method}"`)
    throw refuse(controller, sentence`"${method}" is static; an action must be an instance method`)
  }
  const member: unknown = Object.getOwnPropertyDescriptor(holder, method)?.value
  if (typeof member !== 'function') throw refuse(controller, sentence`"${method}" is not a method`)
  // Whoever sends a URL would choose where a helper redirects to, or what it answers.
  const isHelper = helpers.some((helper) => helper === holder || Reflect.get(helper, method) === member)
  if (!isHelper && !isOfPlatform(holder)) return
  const inherited = sentence`"${method}" is inherited from ${ownerOf(holder)} and open to every URL`
  const mend = sentence`remove it from the static ${TABLE}, and write a method that calls it`
  throw refuse(controller, `${inherited}; ${mend}`)
}

function ownerOf({ constructor }: object): string {
  return typeof constructor === 'function' && constructor.name !== ''
    ? constructor.name
    : 'a class without a name'
}

function isOfPlatform({ constructor }: object): boolean {
  if (typeof constructor !== 'function') return false
  const { name } = constructor
  return Object.hasOwn(globalThis, name) && Reflect.get(globalThis, name) === constructor
}

// Members of Object.prototype are nobody's actions, so the search ends before it.
function holderOf(type: unknown, name: string): object | undefined {
  if (typeof type !== 'object' || type === null || type === Object.prototype) return undefined
  return Object.hasOwn(type, name) ? type : holderOf(Object.getPrototypeOf(type), name)
}

function tableShown(table: unknown): string {
  const given = shown(table)
  return given === 'an object' ? sentence`${given} with a prototype, whose entries are not read` : given
}

// The entries of a promise or a map would be none.
function isPlain(table: unknown): table is ActionTable {
  if (typeof table !== 'object' || table === null) return false
  const prototype: unknown = Object.getPrototypeOf(table)
  return prototype === Object.prototype || prototype === null
}

function assertDistinct(controller: ControllerClass, actions: ReadonlyMap<string, Action>): void {
  const taken = new Map<string, Action>()
  for (const action of actions.values()) {
    const key = `${action.verb ?? 'GET'} ${action.segment}`
    const other = taken.get(key)
    taken.set(key, action)
    if (other === undefined) continue
    const both = `${other.label} and ${action.label}`
    if (other.verb === action.verb)
      throw refuse(
        controller,
        sentence`${both} are spelled alike in a URL, "${action.segment}"; rename one of them`,
      )
    const message = sentence`Cannot tell ${both} apart: both answer GET; keep one of them`
    throw new RoutingException('verb-conflict', message)
  }
}

function refuse(controller: ControllerClass, reason: string): RoutingException {
  return new RoutingException(
    'invalid-action',
    sentence`Cannot use the actions of ${controller.name}: ${reason}`,
  )
}
