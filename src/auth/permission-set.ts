import { shown } from '../core/internal.ts'

let isMade: (given: object) => boolean

/**
 * What a principal may do: names, compared as they are. There are no roles, wildcards, inheritance or denies.
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
   * @param permissions Non-empty names, or another set; a string-valued enum member is its string. Default: none.
   * @throws {TypeError} If they are no list, or one is empty or no string.
   */
  constructor(permissions: Iterable<string> = []) {
    if (typeof permissions === 'string') {
      throw new TypeError(
        `Cannot build a permission set from the text ${shown(permissions)}: give a list of names`,
      )
    }
    const given: unknown = permissions
    if (typeof given !== 'object' || given === null || !(Symbol.iterator in given))
      throw new TypeError(`Cannot build a permission set from ${shown(given)}: give a list of names`)
    const held = new Set<string>()
    for (const permission of permissions) held.add(assertPermission(permission))
    this.#held = held
  }

  /**
   * Iterates over the names, in the order in which they were given; so one set can be built from another.
   *
   * @returns The names.
   */
  *[Symbol.iterator](): IterableIterator<string> {
    yield* this.#held
  }

  /**
   * @param permission A non-empty name.
   * @returns Whether the set holds it.
   * @throws {TypeError} If it is empty or no string.
   */
  allows(permission: string): boolean {
    return this.#held.has(assertPermission(permission))
  }

  /**
   * @param permissions Non-empty names.
   * @returns Whether the set holds at least one of them; false for none.
   * @throws {TypeError} If one is empty or no string.
   */
  any(...permissions: string[]): boolean {
    permissions.forEach(assertPermission)
    return permissions.some((permission) => this.#held.has(permission))
  }

  /**
   * @param permissions Non-empty names, at least one.
   * @returns Whether the set holds every one of them.
   * @throws {TypeError} If none is given: a forgotten argument must not open a door; or one is empty or no string.
   */
  all(...permissions: string[]): boolean {
    if (permissions.length === 0) throw new TypeError('Cannot ask for all of no permissions')
    permissions.forEach(assertPermission)
    return permissions.every((permission) => this.#held.has(permission))
  }
}

/**
 * @param permissions Non-empty names, or a set.
 * @returns The set itself, or one of the names. What only looks like a set is read as names: it could judge nothing.
 * @throws {TypeError} If they are no list, or one is empty or no string.
 */
export function toPermissionSet(permissions: Iterable<string>): PermissionSet {
  const isSet = permissions instanceof PermissionSet && isMade(permissions)
  return isSet ? permissions : new PermissionSet(permissions)
}

function assertPermission(permission: unknown): string {
  if (typeof permission !== 'string')
    throw new TypeError(`Cannot use ${shown(permission)} as a permission: give its name`)
  if (permission === '') throw new TypeError('Cannot use an empty permission')
  return permission
}
