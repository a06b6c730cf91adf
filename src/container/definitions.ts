import { ContainerException } from './container.ts'
import { type Constructor, describe } from './token.ts'

/** The composition root: what is injected where a class is asked for. */
export class Definitions {
  readonly #values = new Map<unknown, unknown>()
  #locked = false

  /**
   * Registers the instance that is injected where the class is asked for; a second call for a class replaces.
   *
   * @param type Class that is asked for; it may be abstract.
   * @param instance The instance.
   * @returns This, for chaining.
   * @throws {ContainerException} If the application has booted.
   * @throws {TypeError} If the class is no class or the instance is undefined.
   */
  set<T>(type: Constructor<T>, instance: NoInfer<T>): this {
    if (this.#locked) throw new ContainerException(`Cannot set ${describe(type)}: the application has booted`)
    if (typeof type !== 'function')
      throw new TypeError('Cannot register a value under something that is no class')
    if (instance === undefined) throw new TypeError(`Cannot register undefined for ${describe(type)}`)
    this.#values.set(type, instance)
    return this
  }

  /**
   * @returns What was registered so far.
   */
  values(): ReadonlyMap<unknown, unknown> {
    return this.#values
  }

  /** Refuses every later `set()`. */
  lock(): void {
    this.#locked = true
  }
}
