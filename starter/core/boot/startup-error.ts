/** The application cannot start. The message is the line that the operator sees. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** @returns Its system code such as `EACCES`, otherwise its message. */
export function reasonOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error))
}

/** @returns Its system code such as `EADDRINUSE`; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
