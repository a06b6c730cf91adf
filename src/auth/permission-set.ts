import { sentence, shown } from '../core/internal.ts'

let isMade: (given: object) => boolean

/**
 * The permissions of a principal: names, compared exactly. There are no roles, wildcards, inheritance or denials.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { PermissionSet } from 'sallyport/auth'
 *
 * const permissions = new PermissionSet(['orders.read', 'orders.refund'])
 *
 * assert.equal(permissions.allows('orders.read'), true)
 * assert.equal(permissions.all('orders.read', 'orders.delete'), false)
 * assert.equal(permissions.any('orders.read', 'orders.delete'), true)
 * ```
 *
 * @see Clauses PERM-01 to PERM-08.
 */
export class PermissionSet {
  static {
    isMade = (given) => #held in given
  }

  readonly #held: ReadonlySet<string>

  /**
   * @param permissions Non-empty names, or another set; a string-valued enum member counts as its string. Default: none.
   * @throws {TypeError} If the argument is not a list, or a name is empty or not a string.
   */
  constructor(permissions: Iterable<string> = []) {
    if (typeof permissions === 'string') {
      throw new TypeError(
        sentence`Cannot build a permission set from the string ${shown(permissions)}: pass a list of names`,
      )
    }
    const given: unknown = permissions
    if (typeof given !== 'object' || given === null || !(Symbol.iterator in given))
      throw new TypeError(sentence`Cannot build a permission set from ${shown(given)}: pass a list of names`)
    const held = new Set<string>()
    for (const permission of permissions) held.add(assertPermission(permission))
    this.#held = held
  }

  /**
   * Iterates over the names in the order they were passed, so that one set can be built from another.
   *
   * @returns The names.
   */
  *[Symbol.iterator](): IterableIterator<string> {
    yield* this.#held
  }

  /**
   * @param permission A non-empty name.
   * @returns Whether the set holds it.
   * @throws {TypeError} If it is empty or not a string.
   */
  allows(permission: string): boolean {
    return this.#held.has(assertPermission(permission))
  }

  /**
   * @param permissions Non-empty names.
   * @returns Whether the set holds at least one of them; false without arguments.
   * @throws {TypeError} If a name is empty or not a string.
   */
  any(...permissions: string[]): boolean {
    permissions.forEach(assertPermission)
    return permissions.some((permission) => this.#held.has(permission))
  }

  /**
   * @param permissions Non-empty names, at least one.
   * @returns Whether the set holds every one of them.
   * @throws {TypeError} If there is no argument, because a forgotten one must not grant access, or a name is empty or not a
   * string.
   */
  all(...permissions: string[]): boolean {
    if (permissions.length === 0) throw new TypeError(sentence`all() requires at least one permission`)
    permissions.forEach(assertPermission)
    return permissions.every((permission) => this.#held.has(permission))
  }
}

/**
 * @param permissions Non-empty names, or a set.
 * @returns The set itself, or a set of the names. An object that only resembles a set is read as names.
 * @throws {TypeError} If the argument is not a list, or a name is empty or not a string.
 */
export function toPermissionSet(permissions: Iterable<string>): PermissionSet {
  const isSet = permissions instanceof PermissionSet && isMade(permissions)
  return isSet ? permissions : new PermissionSet(permissions)
}

function assertPermission(permission: unknown): string {
  if (typeof permission !== 'string')
    throw new TypeError(sentence`Cannot use ${shown(permission)} as a permission: pass its name`)
  if (permission === '') throw new TypeError(sentence`Cannot use an empty permission`)
  return permission
}
