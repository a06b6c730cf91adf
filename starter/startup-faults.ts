import { reasonOf } from './data-directory.ts'
import { primaryCode } from './database/dialect.ts'
import { NewerDatabaseError } from './database/migrations.ts'
import { StartupError } from './environment.ts'

// What SQLite's primary result codes mean to an operator, and what to do.
const REASONS: Readonly<Record<number, string>> = {
  1: 'is not one of this application: move it away, or set DATA_DIR to another folder',
  5: 'is locked by another program: end that one, or wait until it has finished',
  6: 'is locked by another program: end that one, or wait until it has finished',
  8: 'cannot be written: give this program the right to, or set DATA_DIR to another folder',
  10: 'cannot be read or written: look after the disk',
  11: 'is damaged: restore it from a copy',
  13: 'cannot grow: the disk is full',
  14: 'cannot be opened: give this program the right to, or set DATA_DIR to another folder',
  26: 'is damaged, or no database at all: restore it from a copy, or move it away',
}

/**
 * Says in one line why a database cannot be used.
 *
 * @param path File of the database.
 * @param cause What was thrown.
 * @returns The error for the operator.
 */
export function cannotOpen(path: string, cause: unknown): StartupError {
  const fault = databaseFault(cause)
  const newer = 'was made by a newer version of this application: start that one, or restore an older copy'
  const code = primaryCode(fault)
  const reason =
    fault instanceof NewerDatabaseError
      ? newer
      : (REASONS[code ?? 0] ?? `cannot be opened (${reasonOf(fault)})`)
  return new StartupError(`the database ${path} ${reason}`, { cause })
}

/**
 * @param error What was thrown.
 * @returns The innermost cause that a database gave; the error itself when there is none.
 */
export function databaseFault(error: unknown): unknown {
  for (let fault = error; fault instanceof Error; fault = fault.cause)
    if (fault instanceof NewerDatabaseError || primaryCode(fault) !== undefined) return fault
  return error
}
