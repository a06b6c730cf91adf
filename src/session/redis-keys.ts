import { declarationError, shown } from '../core/internal.ts'
import { digestIn, groupOf } from './session-identifier.ts'

/** Prefix of every key unless the options set another. */
export const DEFAULT_PREFIX = 'sallyport:session'

/*
 * The key of a session is `{prefix:xY}:digest`, `xY` being its group. The braces are the hash tag: 4,096 groups spread over
 * the slots of a cluster, and a rotation, which writes two keys atomically, stays in one slot.
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
   * @param id How the store knows an identifier.
   * @returns Its key.
   */
  of(id: string): string {
    return `{${this.#prefix}:${groupOf(id)}}:${digestIn(id)}`
  }
}
