import type { Json } from '../core/index.ts'

/**
 * Data of one browser across requests. Reading without a session cookie opens no storage and sends no cookie; what
 * is set and removed is recorded as changes and applied once, atomically, when the response is made.
 */
export interface Session {
  /**
   * @param key Key of an entry.
   * @returns A copy of its value; undefined when there is none.
   * @throws {TypeError} If the key is no string.
   * @throws {ServiceUnavailableException} If the store fails.
   */
  get<T = unknown>(key: string): Promise<T | undefined>
  /**
   * @param key Key of an entry.
   * @returns Whether there is an entry; null is a value.
   * @throws {TypeError} If the key is no string.
   * @throws {ServiceUnavailableException} If the store fails.
   */
  has(key: string): Promise<boolean>
  /**
   * @param key Key of an entry.
   * @param value What JSON can hold; it is copied at once, and reads back equal.
   * @throws {TypeError} If the key is no string, or JSON would change the value: a date, a map, an instance of a class, NaN, -0, undefined in an
   * object, a hole in a list, a getter, a hidden member. The message names the key and the path in the value. Where nobody
   * waits for it, the answer becomes the error.
   * @throws {RangeError} Not here, but when the response has been made: if the session would be larger than `maxBytes` of
   * its policy. The answer becomes a 500 that names key, size and limit, and nothing that the request set is kept.
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has been made.
   */
  set(key: string, value: Json): Promise<void>
  /**
   * @param key Key of the entry to remove; one that is not there is no error.
   * @throws {TypeError} If the key is no string.
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has been made.
   */
  remove(key: string): Promise<void>
  /**
   * Gives the session a new identifier and keeps its data. The old one is dead as soon as the response is made. The
   * absolute lifetime goes on; only `login()` and `logout()` begin it anew.
   *
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has been made.
   */
  regenerateId(): Promise<void>
  /**
   * Drops everything and expires the cookie. What is set afterwards begins a new session.
   *
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {Error} If the response has been made.
   */
  destroy(): Promise<void>
}
