import { SallyportException } from '../core/index.ts'
import { sentence, shown } from '../core/internal.ts'
import { PermissionSet, toPermissionSet } from './permission-set.ts'

/** Code asked for the principal of an anonymous request. */
export class AnonymousException extends SallyportException {
  declare readonly code: 'ERR_AUTH_ANONYMOUS'

  constructor() {
    super('ERR_AUTH_ANONYMOUS', sentence`Cannot return the principal: the request is anonymous`)
  }
}

type AnyClass<T> = abstract new (...args: never[]) => T
type PrincipalGuard<T extends object> = (principal: object) => principal is T

const NOTHING = new PermissionSet()

/**
 * Principal and permissions of one request. The request is anonymous until `authenticate()` is called.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { Authentication } from 'sallyport/auth'
 *
 * class User {
 *   readonly name = 'Ada'
 * }
 *
 * const auth = new Authentication() // In a request it is context.auth().
 * assert.equal(auth.isAuthenticated(), false)
 *
 * auth.authenticate(new User(), ['orders.read'])
 * assert.equal(auth.principalAs(User).name, 'Ada')
 * assert.equal(auth.allows('orders.read'), true)
 * ```
 *
 * @see Clauses AUTH-01 to AUTH-13.
 */
export class Authentication {
  #principal: object | null = null
  #permissions: PermissionSet = NOTHING

  /**
   * @returns Whether a principal is established.
   */
  isAuthenticated(): boolean {
    return this.#principal !== null
  }

  /**
   * @returns The object that was passed to `authenticate()`.
   * @throws {AnonymousException} If the request is anonymous.
   */
  principal(): object {
    if (this.#principal === null) throw new AnonymousException()
    return this.#principal
  }

  /**
   * @param type The application's class; for plain objects a type guard, such as `isUser`.
   * @returns The principal, as an instance of that class or of the type that the guard proves.
   * @throws {AnonymousException} If the request is anonymous.
   * @throws {TypeError} If the principal is of another class, the guard refuses it, or the argument is neither.
   */
  principalAs<T>(type: AnyClass<T>): T
  principalAs<T extends object>(type: PrincipalGuard<T>): T
  principalAs<T extends object>(type: AnyClass<T> | PrincipalGuard<T>): T {
    const principal = this.principal()
    if (typeof type !== 'function')
      throw new TypeError(
        sentence`Cannot use ${shown(type)} as the type of the principal: pass a class or a type guard`,
      )
    if (isClass(type)) {
      if (principal instanceof type) return principal
      throw new TypeError(
        sentence`Cannot use the principal as ${type.name}: it is not an instance of that class`,
      )
    }
    // A guard that is asynchronous by mistake returns a promise, which proves nothing.
    const answer: unknown = type(principal)
    if (answer === true) return principal as T
    const reason =
      answer === false
        ? sentence`the type guard rejects it`
        : sentence`the type guard returned ${shown(answer)}`
    throw new TypeError(sentence`Cannot use the principal as ${shown(type)}: ${reason}`)
  }

  /**
   * @param permission A non-empty name.
   * @returns Whether the principal holds it; false when anonymous.
   * @throws {TypeError} If the permission is empty or not a string.
   */
  allows(permission: string): boolean {
    return this.#permissions.allows(permission)
  }

  /**
   * Establishes a principal and its permissions, for this request only. It replaces both previous values.
   *
   * @param principal Any object of the application.
   * @param permissions Non-empty names, or a set. Default: none.
   * @throws {TypeError} If the principal is not an object or a permission is empty; nothing is changed then.
   */
  authenticate(principal: object, permissions: Iterable<string> | PermissionSet = NOTHING): void {
    if (typeof principal !== 'object' || principal === null) {
      throw new TypeError(sentence`Cannot authenticate: the principal must be an object`)
    }
    this.#permissions = toPermissionSet(permissions)
    this.#principal = principal
  }

  /** Makes the request anonymous. @internal */
  clear(): void {
    this.#principal = null
    this.#permissions = NOTHING
  }
}

// The prototype of a class is fixed, unlike that of a function.
function isClass<T extends object>(type: AnyClass<T> | PrincipalGuard<T>): type is AnyClass<T> {
  return Object.getOwnPropertyDescriptor(type, 'prototype')?.writable === false
}
