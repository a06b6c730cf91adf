/**
 * @param value Any value.
 * @returns Whether it can be awaited: a promise, or an object of another library with a `then()` method.
 */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
