import { declarationError, shown } from '../core/internal.ts'
import { digestIn, groupOf } from './session-identifier.ts'

/** Prefix of every key unless the options set another. */
export const DEFAULT_PREFIX = 'sallyport:session'

/*
 * The key of a session, `xY` being its group:
 *
 *   {prefix:xY}:digest     the braces are the hash tag: 4,096 groups spread over the slots of a cluster, and a rotation,
 *                          which writes two keys atomically, stays in one slot
 *   {prefix}:digest        the former key, of versions that had no groups: all sessions in one slot
 */

/** The keys of a store. */
export class RedisKeys {
  readonly #prefix: string

  /**
   * @param prefix Prefix of every key.
   * @throws {TypeError} If it is empty or has braces.
   */
  constructor(prefix: string) {
    if (typeof prefix !== 'string' || !/^[^{}]+$/.test(prefix))
      throw declarationError(
        `Cannot use ${shown(prefix)} as a prefix: it must be a non-empty string without braces`,
      )
    this.#prefix = prefix
  }

  /**
   * @param id How the store knows an identifier; a bare digest is named by tombstones of former versions only.
   * @returns Its key.
   */
  of(id: string): string {
    const group = groupOf(id)
    return group === '' ? this.#formerOf(id) : `{${this.#prefix}:${group}}:${digestIn(id)}`
  }

  /**
   * @param id How the store knows an identifier.
   * @returns The key under which a former version kept its session; null when that is its key anyway.
   */
  former(id: string): string | null {
    return groupOf(id) === '' ? null : this.#formerOf(id)
  }

  /** Two keys that no session has, in different slots: their hash tags differ in one byte only, and so do not collide. */
  get ofTwoSlots(): [string, string] {
    return [`{${this.#prefix}:AA}:`, `{${this.#prefix}:AB}:`]
  }

  #formerOf(id: string): string {
    return `{${this.#prefix}}:${digestIn(id)}`
  }
}
