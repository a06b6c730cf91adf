// What PostgreSQL says when a statement cannot be carried out at the moment, whatever it is: too long a wait for a lock or an answer, a
// conflict with another program, a server that only reads, a lack of memory, disk or connections, a fault of the disk.
const UNAVAILABLE: ReadonlySet<string> = new Set(['55P03', '57014', '40001', '40P01', '25006'])
const UNAVAILABLE_CLASSES: readonly string[] = ['08', '53', '57', '58']
const ORPHAN = '23503'

/**
 * Reads the code of an error of PostgreSQL.
 *
 * @param error Any error.
 * @returns The code that PostgreSQL gives, such as `23503`; undefined for any other error.
 */
export function postgresCode(error: unknown): string | undefined {
  const isOfServer = error instanceof Error && 'severity' in error && 'code' in error
  return isOfServer && typeof error.code === 'string' ? error.code : undefined
}

/** @returns Whether a row belongs to one that is not there. */
export function isOrphan(error: unknown): boolean {
  return postgresCode(error) === ORPHAN
}

/** @returns Whether the server ended the connection, or there is none: its next statement would fail, whatever it is. */
export function isLost(error: unknown): boolean {
  const code = postgresCode(error)
  return code === undefined || (error as { severity?: unknown }).severity === 'FATAL'
}

/** @returns Whether the database cannot be used at the moment, whatever the statement. */
export function isUnavailable(error: unknown): boolean {
  const code = postgresCode(error) ?? ''
  return isLost(error) || UNAVAILABLE.has(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))
}
