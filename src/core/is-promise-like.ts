/**
 * @param value Any value.
 * @returns Whether it can be waited for: a promise, or something of another library that has `then()`.
 */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
