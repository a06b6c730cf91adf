import { inOneLine, isDeferred, sentence, shown } from '../core/internal.ts'
import { SallyportException } from '../core/index.ts'
import { Binding, type Constructor, describe, type Token } from './token.ts'

/** Values of one request, which `inject()` may return to a controller in addition to the shared services. */
export interface RequestScope {
  /** Value of each request token, such as the context. */
  readonly values: { get(token: unknown): object | undefined }
  /** Objects that a resolver bound, by name. */
  readonly bindings: Readonly<Record<string, object>>
}

/** State of `inject()` while something is built. */
interface Injection {
  readonly container: Container
  readonly scope: RequestScope | null
  /** Class that is built. */
  readonly type: Constructor
}

// Set only while a constructor runs. Constructors are synchronous, so concurrent requests never see each other's.
let current: Injection | null = null

/** A dependency that cannot be resolved: a cycle, a missing value, or a request value injected into a shared service. */
export class ContainerException extends SallyportException {
  declare readonly code: 'ERR_CONTAINER'

  /**
   * @param message What could not be built, and what to do.
   * @param options `cause`: the underlying error. Default: none.
   */
  constructor(message: string, options?: ErrorOptions) {
    super('ERR_CONTAINER', inOneLine(message), options)
  }
}

/**
 * Resolves a dependency while something is built: in a field initializer, a constructor or its defaults. A shared service never receives
 * a value of a request.
 *
 * @param token A class, or `binding(name)` in a controller.
 * @returns The registered value, otherwise the shared instance of the class. In a controller also values of the request.
 * @throws {ContainerException} If it is called elsewhere, or the dependency cannot be resolved.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Clock, inject } from 'sallyport'
 * import { FrozenClock } from 'sallyport/testing'
 *
 * class Offers {
 *   readonly #clock = inject(Clock)
 *
 *   isOpen(): boolean {
 *     return this.#clock.now() < new Date('2026-02-01T00:00:00Z')
 *   }
 * }
 *
 * const app = App.default().configure((definitions) =>
 *   definitions.set(Clock, new FrozenClock('2026-01-31')),
 * )
 * await app.boot()
 *
 * assert.equal(app.get(Offers).isOpen(), true)
 * ```
 */
export function inject<T>(token: Token<T>): T {
  if (current === null) {
    throw new ContainerException(
      sentence`Cannot inject ${describe(token)} here: call inject() in a field initializer or a constructor default`,
    )
  }
  const { container, scope } = current
  return container.resolve(token, scope)
}

/** Shared services of one application: registered values, and classes built once on first use. */
export class Container {
  readonly #values = new Map<unknown, unknown>()
  readonly #requestTokens: ReadonlySet<unknown>
  readonly #path: Constructor[] = []
  readonly #buildable = new Set<Constructor>()

  /**
   * @param values Registered values by token.
   * @param requestTokens Tokens whose value belongs to one request.
   */
  constructor(values: ReadonlyMap<unknown, unknown>, requestTokens: Iterable<unknown>) {
    for (const [token, value] of values) this.#values.set(token, value)
    this.#requestTokens = new Set(requestTokens)
  }

  /**
   * @param token A class.
   * @returns Its registered value, otherwise its one shared instance, built on first use.
   * @throws {ContainerException} If the dependency cannot be resolved.
   */
  get<T>(token: Token<T>): T {
    return this.resolve(token, null)
  }

  /**
   * @param token A class.
   * @returns Whether a value is registered for it, or it has been built.
   */
  has(token: Token<unknown>): boolean {
    return this.#values.has(token)
  }

  /**
   * @returns Everything that a value is registered for, or that has been built.
   */
  tokens(): Iterable<unknown> {
    return this.#values.keys()
  }

  /**
   * Adds a value that exists only after the container: a part of the framework that depends on services itself.
   *
   * @param token Its class.
   * @param value The value.
   * @internal
   */
  provide<T extends object>(token: abstract new (...args: never[]) => T, value: T): void {
    this.#values.set(token, value)
  }

  /**
   * Builds an instance for one request.
   *
   * @param type Class of the instance.
   * @param scope Values of the request.
   * @returns A new instance.
   * @throws {ContainerException} If a dependency cannot be resolved.
   */
  build<T extends object>(type: new () => T, scope: RequestScope | null): T {
    if (!this.#buildable.has(type)) this.#assertBuildable(type)
    const outer = current
    current = { container: this, scope, type }
    try {
      return new type()
    } finally {
      current = outer
    }
  }

  /**
   * @param token A class or a binding.
   * @param scope Values of the request; null for shared services.
   * @returns The value of the token.
   * @throws {ContainerException} If the dependency cannot be resolved.
   */
  resolve<T>(token: Token<T>, scope: RequestScope | null): T {
    if (token instanceof Binding) return this.#bound(token, scope) as T
    if (this.#requestTokens.has(token)) return this.#ofRequest(token, scope) as T
    const known = this.#values.get(token)
    if (known !== undefined || this.#values.has(token)) return known as T
    if (typeof token !== 'function') throw noClass(token)
    return this.#share(token as new () => T & object)
  }

  #assertBuildable(type: Constructor): void {
    // Arrow functions and generators cannot be constructed; methods have no prototype.
    if (typeof type.prototype !== 'object' || isDeferred(type)) throw noClass(type)
    if (type.length > 0) {
      throw new ContainerException(
        sentence`Cannot build ${describe(type)}${forAsker(current?.type)}: its constructor has arguments without defaults. Give them defaults with inject(), or register an instance with definitions.set(${describe(type)}, …)`,
      )
    }
    this.#buildable.add(type)
  }

  #share<T extends object>(type: new () => T): T {
    if (this.#path.includes(type)) {
      const names = [...this.#path.slice(this.#path.indexOf(type)), type].map(describe)
      throw new ContainerException(
        sentence`Cannot build ${describe(type)}: its services depend on each other (${names.join(' -> ')})`,
      )
    }
    this.#path.push(type)
    try {
      const instance = this.build(type, null)
      if (current !== null && !hasMembers(instance)) {
        throw new ContainerException(
          sentence`Cannot build ${describe(type)}${forAsker(current.type)}: it has no members, which is what an abstract class looks like at run time. Register an instance with definitions.set(${describe(type)}, …)`,
        )
      }
      this.#values.set(type, instance)
      return instance
    } finally {
      this.#path.pop()
    }
  }

  #ofRequest(token: unknown, scope: RequestScope | null): object {
    const value = scope?.values.get(token)
    if (value !== undefined) return value
    const asker = this.#path.at(-1)
    const whom =
      asker === undefined ? sentence`a shared service` : sentence`the shared service ${describe(asker)}`
    throw new ContainerException(
      sentence`Cannot inject ${describe(token)} into ${whom}: it belongs to one request`,
    )
  }

  #bound(token: Binding<unknown>, scope: RequestScope | null): object {
    const value = scope?.bindings[token.name]
    if (value !== undefined && Object.hasOwn(scope?.bindings ?? {}, token.name)) return value
    throw new ContainerException(
      sentence`Cannot inject binding "${token.name}": the route has no binding of that name`,
    )
  }
}

// What is asked for and has none is of no use to who asked.
function hasMembers(instance: object): boolean {
  let each: object | null = instance
  while (each !== null && each !== Object.prototype) {
    if (Reflect.ownKeys(each).some((name) => name !== 'constructor')) return true
    each = Reflect.getPrototypeOf(each)
  }
  return false
}

function forAsker(asker: Constructor | undefined): string {
  return asker === undefined ? '' : ` for ${describe(asker)}`
}

// With a circular import, one file sees the other's class before it is defined.
function noClass(token: unknown): ContainerException {
  const why = token === undefined ? sentence`; the file that declares it may import this one` : ''
  return new ContainerException(sentence`Cannot resolve ${shown(token)}: ask for a class${why}`)
}
