import { SallyportException } from '../core/index.ts'
import { Binding, type Constructor, describe, type Token } from './token.ts'

/** Values of one request: what `inject()` may give to a controller beside the shared services. */
export interface RequestScope {
  /** Value of each request token, such as the context. */
  readonly values: { get(token: unknown): object | undefined }
  /** Objects that a resolver bound, by name. */
  readonly bindings: Readonly<Record<string, object>>
}

/** What `inject()` answers from while something is built. */
interface Injection {
  readonly container: Container
  readonly scope: RequestScope | null
}

// Set only while a constructor runs, which is synchronous: two applications or requests never see each other's.
let current: Injection | null = null

/** A wiring that cannot be done: a cycle, a missing value, a request value asked for by a shared service. */
export class ContainerException extends SallyportException {
  /**
   * @param message What could not be built, and what to do.
   */
  constructor(message: string) {
    super('ERR_CONTAINER', message)
  }
}

/**
 * Gives what stands under a token, inside a field initializer or a constructor default.
 *
 * @param token A class, or `binding(name)` in a controller.
 * @returns The registered value, else the shared instance of the class; in a controller also the request's values.
 * @throws {ContainerException} If it is called elsewhere, or the wiring cannot be done.
 */
export function inject<T>(token: Token<T>): T {
  if (current === null) {
    throw new ContainerException(
      `Cannot inject ${describe(token)} here: call inject() in a field initializer or a constructor default`,
    )
  }
  return current.container.resolve(token, current.scope)
}

/** Shared services of one application: registered values, and classes built once on first use. */
export class Container {
  readonly #values = new Map<unknown, unknown>()
  readonly #requestTokens: ReadonlySet<unknown>
  readonly #path: Constructor[] = []

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
   * @returns Its registered value, else its one shared instance, built when first asked for.
   * @throws {ContainerException} If the wiring cannot be done.
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
   * Builds an instance for one request.
   *
   * @param type Class of the instance.
   * @param scope Values of the request.
   * @returns A new instance.
   * @throws {ContainerException} If the wiring cannot be done.
   */
  build<T extends object>(type: new () => T, scope: RequestScope | null): T {
    const outer = current
    current = { container: this, scope }
    try {
      return new type()
    } finally {
      current = outer
    }
  }

  /**
   * @param token A class or a binding.
   * @param scope Values of the request; null for shared services.
   * @returns What stands under the token.
   * @throws {ContainerException} If the wiring cannot be done.
   */
  resolve<T>(token: Token<T>, scope: RequestScope | null): T {
    if (token instanceof Binding) return this.#bound(token, scope) as T
    if (this.#requestTokens.has(token)) return this.#ofRequest(token, scope) as T
    const known = this.#values.get(token)
    if (known !== undefined || this.#values.has(token)) return known as T
    return this.#share(token as new () => T & object)
  }

  #share<T extends object>(type: new () => T): T {
    if (this.#path.includes(type)) {
      const names = [...this.#path.slice(this.#path.indexOf(type)), type].map(describe)
      throw new ContainerException(
        `Cannot build ${describe(type)}: its services ask for each other (${names.join(' -> ')})`,
      )
    }
    if (type.length > 0) {
      throw new ContainerException(
        `Cannot build ${describe(type)}: its constructor has arguments without defaults. ` +
          `Give them defaults with inject(), or register an instance with definitions.set(${describe(type)}, …)`,
      )
    }
    this.#path.push(type)
    try {
      const instance = this.build(type, null)
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
    const whom = asker === undefined ? 'a shared service' : `the shared service ${describe(asker)}`
    throw new ContainerException(`Cannot give ${describe(token)} to ${whom}: it belongs to one request`)
  }

  #bound(token: Binding<unknown>, scope: RequestScope | null): object {
    const value = scope?.bindings[token.name]
    if (value !== undefined && Object.hasOwn(scope?.bindings ?? {}, token.name)) return value
    throw new ContainerException(`Cannot give binding "${token.name}": the route has none of that name`)
  }
}
