/**
 * Goes on with a value at once when it is here, else when it comes. What is here is not waited for: a promise costs more
 * than most of what is done with its value.
 *
 * @param value A value, or a promise of one; no value is a promise itself.
 * @param work What is done with it. What it throws is thrown here, or rejects the promise.
 * @returns What the work returns, or a promise of it; rejects with what the given promise rejects with.
 */
export function whenReady<T, R>(value: T | Promise<T>, work: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(work) : work(value)
}
