import { callSite, declarationError, isPromiseLike, shown } from '../core/internal.ts'
import { ContainerException } from './container.ts'
import { type Constructor, describe } from './token.ts'

/** The composition root: what is injected where a class is asked for. */
export class Definitions {
  readonly #values = new Map<unknown, unknown>()
  readonly #refusalOf: (type: unknown, instance: unknown) => string | null
  #locked = false

  /**
   * @param refusalOf Tells why a value cannot stand for a class, and what to give; null: it can. Default: all can.
   */
  constructor(refusalOf: (type: unknown, instance: unknown) => string | null = () => null) {
    this.#refusalOf = refusalOf
  }

  /**
   * Registers the instance that is injected where the class is asked for; a second call for a class replaces.
   *
   * @param type Class that is asked for; it may be abstract.
   * @param instance The instance.
   * @returns This, for chaining.
   * @throws {ContainerException} If the application has booted.
   * @throws {TypeError} If the class is no class, or the instance is no object: undefined, a string, a promise; or it is the
   * class itself, or lacks a method that the framework calls of it.
   */
  set<T>(type: Constructor<T>, instance: NoInfer<T>): this {
    if (this.#locked) throw tooLate(type)
    if (typeof type !== 'function' || typeof type.prototype !== 'object')
      throw declarationError(`Cannot register a value under ${shown(type)}: give a class`)
    const given: unknown = instance
    if (isPromiseLike(given) && !(given instanceof type))
      throw declarationError(`Cannot register ${shown(given)} for ${describe(type)}: await it before`)
    // A value that stands for itself, such as a string, is an instance of its wrapper.
    const isNothing = given === undefined || given === null
    if (isNothing || (Object(given) !== given && !(Object(given) instanceof type)))
      throw declarationError(`Cannot register ${shown(given)} for ${describe(type)}: give an instance`)
    if (given === type || isExtended(given, type))
      throw declarationError(
        `Cannot register ${shown(given)} for ${describe(type)}: it is a class; give an instance, new ${describe(given)}(…)`,
      )
    const reason = this.#refusalOf(type, given)
    if (reason !== null)
      throw declarationError(`Cannot register ${shown(given)} for ${describe(type)}: ${reason}`)
    this.#values.set(type, instance)
    return this
  }

  /**
   * @returns What was registered so far.
   * @internal
   */
  values(): ReadonlyMap<unknown, unknown> {
    return this.#values
  }

  /** Refuses every later `set()`. @internal */
  lock(): void {
    this.#locked = true
  }
}

function tooLate(type: unknown): ContainerException {
  const place = callSite()
  const message = `Cannot set ${describe(type)}: the application has booted`
  return new ContainerException(place === undefined ? message : `${message} (${place})`)
}

function isExtended(given: unknown, type: Constructor): boolean {
  return typeof given === 'function' && Object.prototype.isPrototypeOf.call(type, given)
}
