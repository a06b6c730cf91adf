import { primaryCode } from '../database/dialect.ts'
import { UnusableDatabaseError } from '../database/migrations.ts'
import { reasonOf, StartupError } from './startup-error.ts'

const LOCKED = 'is locked by another program: end it, or wait until it has finished'
const DAMAGED = 'is damaged or not a database: restore it from a copy, or move it away'
const NO_ACCESS = 'cannot be opened: grant this program access, or set DATA_DIR to another folder'

// SQLite's primary result codes as messages for the operator.
const REASONS: Readonly<Record<number, string>> = {
  1: 'does not belong to this application: move it away, or set DATA_DIR to another folder',
  5: LOCKED,
  6: LOCKED,
  8: NO_ACCESS,
  10: 'cannot be read or written: check the disk',
  11: DAMAGED,
  13: 'cannot grow: the disk is full',
  14: NO_ACCESS,
  26: DAMAGED,
}

/** @returns Why a database cannot be used, in one line for the operator. */
export function cannotOpen(path: string, cause: unknown): StartupError {
  const fault = databaseFault(cause) ?? cause
  const reason = fault instanceof UnusableDatabaseError ? fault.message : REASONS[primaryCode(fault) ?? 0]
  return new StartupError(`the database ${path} ${reason ?? `cannot be opened (${reasonOf(fault)})`}`, {
    cause,
  })
}

/** @returns The cause that comes from a database; undefined when there is none. */
export function databaseFault(error: unknown): Error | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause)
    if (fault instanceof UnusableDatabaseError || primaryCode(fault) !== undefined) return fault
  return undefined
}
