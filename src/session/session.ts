import type { Json } from '../core/index.ts'

/**
 * Data of one browser across requests. Reading without a session cookie accesses no storage and sends no cookie. Changes
 * are recorded and applied once, atomically, when the response is made.
 */
export interface Session {
  /**
   * @param key Key of an entry.
   * @returns A copy of its value; undefined when there is none.
   * @throws {TypeError} If the key is not a string or belongs to the framework.
   * @throws {ServiceUnavailableException} If the store fails.
   */
  get<T = unknown>(key: string): Promise<T | undefined>
  /**
   * @param key Key of an entry.
   * @returns Whether the entry exists, even if its value is null.
   * @throws {TypeError} If the key is not a string or belongs to the framework.
   * @throws {ServiceUnavailableException} If the store fails.
   */
  has(key: string): Promise<boolean>
  /**
   * @param key Key of an entry.
   * @param value A JSON value; it is copied at once and reads back equal.
   * @throws {TypeError} If the key is not a string or belongs to the framework, or JSON would change the value: a date, a map, a class instance, NaN,
   * -0, undefined in an object, a hole in an array, a getter, a hidden member. The message names the key and the path in the
   * value. When nobody awaits the promise, the response becomes the error.
   * @throws {RangeError} Not here but when the response is made: if the session would exceed `maxBytes` of its policy. The
   * response becomes a 500 that names key, size and limit, and nothing that the request set is kept.
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has already been made.
   */
  set(key: string, value: Json): Promise<void>
  /**
   * @param key Key of the entry to remove; a missing entry is not an error.
   * @throws {TypeError} If the key is not a string or belongs to the framework.
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has already been made.
   */
  remove(key: string): Promise<void>
  /**
   * Gives the session a new identifier and keeps its data. The old identifier ends when the response is made. The absolute
   * lifetime continues; only `login()` and `logout()` restart it.
   *
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has already been made.
   */
  regenerateId(): Promise<void>
  /**
   * Removes all entries and expires the cookie. Values set afterwards go to a new session.
   *
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has already been made.
   */
  destroy(): Promise<void>
}
