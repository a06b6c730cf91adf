import { sentence } from '../core/internal.ts'
import { HttpContext } from '../context/index.ts'
import { Clock } from '../core/index.ts'
import { Locales } from '../i18n/internal.ts'
import { Router } from '../routing/index.ts'
import { SessionStore } from '../session/index.ts'
import { ViewEngine } from '../view/index.ts'

type Class = abstract new (...args: never[]) => object

// The methods that the framework calls; any object with these methods may be registered.
const METHODS: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  [Clock, ['now', 'timestamp', 'milliseconds']],
  [SessionStore, ['read', 'create', 'update', 'rotate', 'destroy']],
  [ViewEngine, ['render']],
])

/**
 * Checks a value that is registered for a class of the framework, so that a mistake is found at boot and not in a request.
 *
 * @param type The class.
 * @param instance The registered value.
 * @returns Why it must not be registered, and what to pass; null if it may.
 */
export function refusalOfService(type: unknown, instance: unknown): string | null {
  if (type === Locales)
    return sentence`the application creates its own; declare them with App.create({ locales }) or locales()`
  if (type === HttpContext) return sentence`each request has its own`
  if (type === Router) return sentence`the application builds its own from its modules`
  if (isIrreplaceable(type))
    return instance instanceof type ? null : sentence`pass an instance, new ${type.name}(…)`
  // The hasher declares its own methods: an application without passwords does not load it.
  const methods = METHODS.get(type) ?? methodsOf(type)
  const missing = methods.filter((name) => typeof read(instance, name) !== 'function')
  if (missing.length === 0) return null
  const counted = `${missing.length === 1 ? 'the method' : 'the methods'} ${missing.map((name) => `${name}()`).join(', ')}`
  return sentence`it lacks ${counted}; pass an instance that has ${missing.length === 1 ? 'it' : 'them'}`
}

// Classes with private state say it themselves: an application without sessions does not load them.
function isIrreplaceable(type: unknown): type is Class {
  return typeof type === 'function' && Object.hasOwn(type, 'isIrreplaceable')
}

function read(instance: unknown, name: string): unknown {
  return typeof instance === 'object' && instance !== null ? Reflect.get(instance, name) : undefined
}

function methodsOf(type: unknown): readonly string[] {
  const named: unknown = typeof type === 'function' ? Reflect.get(type, 'serviceMethods') : undefined
  return Array.isArray(named) ? named.filter((name) => typeof name === 'string') : []
}
