/**
 * Passes a value to a function: at once when the value is available, otherwise when its promise settles. An available
 * value is not awaited, because a promise costs more than most of the work that uses it.
 *
 * @param value A value or a promise of one; the value itself is never a promise.
 * @param work Receives the value. Its exception is thrown here, or rejects the returned promise.
 * @returns The result of the function or a promise of it; rejects as the given promise rejects.
 */
export function whenReady<T, R>(value: T | Promise<T>, work: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(work) : work(value)
}
