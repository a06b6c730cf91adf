/** The application cannot start. The message is the line that the operator sees. */
export class StartupError extends Error {
  /** Its name, which does not change when the code is bundled. */
  override readonly name = 'StartupError'
}

/**
 * Says in a word or two what went wrong.
 *
 * @param error Any error.
 * @returns Its system code such as `EACCES`, otherwise its message.
 */
export function reasonOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error))
}

/**
 * Reads the code that the system gave an error.
 *
 * @param error Any error.
 * @returns Its system code such as `EADDRINUSE`; undefined when it has none.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
