import { callSite, declarationError, isPromiseLike, sentence, shown } from '../core/internal.ts'
import { ContainerException } from './container.ts'
import { type Constructor, describe } from './token.ts'

/** The composition root: defines the instances that are injected for classes. */
export class Definitions {
  readonly #values = new Map<unknown, unknown>()
  readonly #refusalOf: (type: unknown, instance: unknown) => string | null
  #locked = false

  /**
   * @param refusalOf Says why a value must not be registered for a class, and what to pass; null if it may. Default: all may.
   */
  constructor(refusalOf: (type: unknown, instance: unknown) => string | null = () => null) {
    this.#refusalOf = refusalOf
  }

  /**
   * Registers the instance to inject for a class; a second call for the same class replaces the first.
   *
   * @param type The class; it may be abstract.
   * @param instance The instance.
   * @returns This, for chaining.
   * @throws {ContainerException} If the application has booted.
   * @throws {TypeError} If the type is not a class; if the instance is not an object (undefined, a string, a promise), is
   * the class itself, or lacks a method that the framework calls.
   */
  set<T>(type: Constructor<T>, instance: NoInfer<T>): this {
    if (this.#locked) throw tooLate(type)
    if (typeof type !== 'function' || typeof type.prototype !== 'object')
      throw declarationError(sentence`Cannot register a value under ${shown(type)}: pass a class`)
    const given: unknown = instance
    if (isPromiseLike(given) && !(given instanceof type))
      throw declarationError(sentence`Cannot register ${shown(given)} for ${describe(type)}: await it first`)
    // A primitive such as a string counts as an instance of its wrapper class.
    const isNothing = given === undefined || given === null
    if (isNothing || (Object(given) !== given && !(Object(given) instanceof type)))
      throw declarationError(
        sentence`Cannot register ${shown(given)} for ${describe(type)}: pass an instance`,
      )
    if (given === type || isExtended(given, type))
      throw declarationError(
        sentence`Cannot register ${shown(given)} for ${describe(type)}: it is a class; pass an instance, new ${describe(given)}(…)`,
      )
    const reason = this.#refusalOf(type, given)
    if (reason !== null)
      throw declarationError(sentence`Cannot register ${shown(given)} for ${describe(type)}: ${reason}`)
    this.#values.set(type, instance)
    return this
  }

  /**
   * @returns The values registered so far.
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
  const message = sentence`Cannot set ${describe(type)}: the application has booted`
  return new ContainerException(place === undefined ? message : `${message} (${place})`)
}

function isExtended(given: unknown, type: Constructor): boolean {
  return typeof given === 'function' && Object.prototype.isPrototypeOf.call(type, given)
}
