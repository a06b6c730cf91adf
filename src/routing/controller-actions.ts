import { shown } from '../core/index.ts'
import { Action, INVOKE } from './action.ts'
import type { ActionTable, ControllerClass } from './controller-class.ts'
import { RoutingException } from './routing-exception.ts'

/**
 * Reads the actions of a controller: its action table merged over those of its ancestors and mixins.
 *
 * @param controller A controller class.
 * @returns The actions by method name.
 * @throws {RoutingException} `invalid-action` if an entry names no method that may be one, `invalid-parameter` if a
 * signature is wrong, `verb-conflict` if two methods answer the same request.
 */
export function readActions(controller: ControllerClass): ReadonlyMap<string, Action> {
  assertController(controller)
  const actions = new Map<string, Action>()
  for (const [method, signature] of mergedTable(controller)) {
    assertMethod(controller, method)
    if (!Array.isArray(signature)) {
      const mend = "give a list of parameters, such as [param.string('slug')]"
      throw refuse(controller, `the entry of ${method} is ${shown(signature)}; ${mend}`)
    }
    actions.set(method, new Action(controller, method, signature))
  }
  assertDistinct(controller, actions)
  return actions
}

/**
 * Whether something can stand as a controller.
 *
 * @param controller Anything.
 * @returns Whether it is a class with a prototype.
 */
export function isController(controller: unknown): controller is ControllerClass {
  return (
    typeof controller === 'function' &&
    typeof controller.prototype === 'object' &&
    controller.prototype !== null
  )
}

function assertController(controller: ControllerClass): void {
  if (!isController(controller)) {
    throw new RoutingException(
      'invalid-action',
      `Cannot use ${shown(controller)} as a controller: give a class`,
    )
  }
  if (controller.name === '') {
    throw new RoutingException(
      'invalid-action',
      'Cannot use a class without a name as a controller: name the class',
    )
  }
}

function mergedTable(controller: ControllerClass): Map<string, unknown> {
  const lineage: object[] = []
  for (let type: unknown = controller; typeof type === 'function'; type = Object.getPrototypeOf(type)) {
    if (Object.hasOwn(type, 'actions')) lineage.unshift(type)
  }
  const merged = new Map<string, unknown>()
  for (const type of lineage) {
    const table: unknown = (type as ControllerClass).actions
    if (!isPlain(table)) {
      throw refuse(controller, `static actions is ${shown(table)}; give an object of method names`)
    }
    for (const [method, signature] of Object.entries(table)) {
      if (signature !== undefined) merged.set(method, signature)
      else if (!merged.delete(method)) {
        const mend = `only an inherited action can be withdrawn by it; give a list of parameters, such as []`
        throw refuse(controller, `the entry of ${method} is undefined; ${mend}`)
      }
    }
  }
  return merged
}

function assertMethod(controller: ControllerClass, method: string): void {
  if (method === 'constructor' || (method.startsWith('__') && method !== INVOKE)) {
    throw refuse(controller, `"${method}" can never be an action`)
  }
  const prototype: unknown = controller.prototype
  const descriptor = findMember(prototype, method)
  if (descriptor === undefined) {
    const isStatic = Object.hasOwn(controller, method)
    throw refuse(controller, `it has no method "${method}"${isStatic ? ', and a static member is none' : ''}`)
  }
  if (typeof descriptor.value !== 'function') throw refuse(controller, `"${method}" is no method`)
}

// Members of Object.prototype are nobody's actions, so the search ends before it.
function findMember(prototype: unknown, name: string): PropertyDescriptor | undefined {
  for (
    let type = prototype;
    isObject(type) && type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  ) {
    const descriptor = Object.getOwnPropertyDescriptor(type, name)
    if (descriptor !== undefined) return descriptor
  }
  return undefined
}

// The entries of a promise or a map would be none.
function isPlain(table: unknown): table is ActionTable {
  if (typeof table !== 'object' || table === null) return false
  const prototype: unknown = Object.getPrototypeOf(table)
  return prototype === Object.prototype || prototype === null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function assertDistinct(controller: ControllerClass, actions: ReadonlyMap<string, Action>): void {
  const taken = new Map<string, Action>()
  for (const action of actions.values()) {
    const key = `${action.verb ?? 'GET'} ${action.segment}`
    const other = taken.get(key)
    taken.set(key, action)
    if (other === undefined) continue
    const both = `${other.label} and ${action.label}`
    if (other.verb !== action.verb) {
      throw new RoutingException(
        'verb-conflict',
        `Cannot tell ${both} apart: both answer GET; keep one of them`,
      )
    }
    throw refuse(controller, `${both} are spelled alike in a URL, "${action.segment}"; rename one of them`)
  }
}

function refuse(controller: ControllerClass, reason: string): RoutingException {
  return new RoutingException('invalid-action', `Cannot use the actions of ${controller.name}: ${reason}`)
}
