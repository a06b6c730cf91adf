const UNSENDABLE = new WeakSet<Error>()

/**
 * Marks the error about text that cannot be put into a response: the target of a redirect, the value of a cookie. A
 * programmer's mistake makes one, and so does a client whose text an action hands on. It is reported like any other error,
 * and the request is answered with a 400, so that no client causes a 500 by what it sends.
 *
 * @param error The error.
 * @returns The same error.
 */
export function asUnsendable<E extends Error>(error: E): E {
  UNSENDABLE.add(error)
  return error
}

/**
 * @param thrown What was thrown.
 * @returns Whether it was marked.
 */
export function isUnsendable(thrown: unknown): thrown is Error {
  return thrown instanceof Error && UNSENDABLE.has(thrown)
}
