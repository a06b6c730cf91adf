/**
 * Makes a controller follow a signal. Unlike `AbortSignal.any()`, whose result asks its sources only when it is read and, on Node.js,
 * misses one that was collected before, the result knows at once and for good.
 *
 * @param controller The controller.
 * @param source What aborts it, too.
 * @returns The signal of the controller.
 */
export function following(controller: AbortController, source: AbortSignal): AbortSignal {
  const abort = (): void => controller.abort(source.reason)
  if (source.aborted) abort()
  else source.addEventListener('abort', abort, { once: true })
  return controller.signal
}
