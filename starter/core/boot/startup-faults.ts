import type { App } from 'sallyport'
import { RoutingException } from 'sallyport/routing'
import { reasonOf } from './data-directory.ts'
import { primaryCode } from '../database/dialect.ts'
import { IncompleteDatabaseError, UnknownMigrationError } from '../database/migrations.ts'
import { type Environment, StartupError } from './environment.ts'

// SQLite's primary result codes as messages for the operator.
const REASONS: Readonly<Record<number, string>> = {
  1: 'does not belong to this application: move it away, or set DATA_DIR to another folder',
  5: 'is locked by another program: end it, or wait until it has finished',
  6: 'is locked by another program: end it, or wait until it has finished',
  8: 'cannot be written: grant this program write access, or set DATA_DIR to another folder',
  10: 'cannot be read or written: check the disk',
  11: 'is damaged: restore it from a copy',
  13: 'cannot grow: the disk is full',
  14: 'cannot be opened: grant this program access, or set DATA_DIR to another folder',
  26: 'is damaged or not a database: restore it from a copy, or move it away',
}

/**
 * Describes in one line why a database cannot be used.
 *
 * @returns The error for the operator.
 */
export function cannotOpen(path: string, cause: unknown): StartupError {
  const fault = databaseFault(cause)
  return new StartupError(`the database ${path} ${faultReason(fault)}`, { cause })
}

/**
 * Boots the application: only its modules know with which paths `BASE_PATH` is in conflict.
 *
 * @throws {StartupError} If a page has a path that begins like the base path.
 */
export async function bootBelow(app: App, { basePath }: Pick<Environment, 'basePath'>): Promise<void> {
  try {
    await app.boot()
  } catch (cause) {
    if (!(cause instanceof RoutingException) || cause.code !== 'base-path-conflict') throw cause
    throw new StartupError(
      `BASE_PATH must not begin like a page of the application, and ${JSON.stringify(basePath)} does: choose another path`,
      { cause },
    )
  }
}

function faultReason(fault: unknown): string {
  if (fault instanceof UnknownMigrationError)
    return 'was made by another version of this application: start that version, restore an older copy, or move it away'
  if (fault instanceof IncompleteDatabaseError)
    return `has no ${fault.missing.join(', ')}: restore it from a copy, or move it away`
  return REASONS[primaryCode(fault) ?? 0] ?? `cannot be opened (${reasonOf(fault)})`
}

/** @returns The innermost cause that comes from a database; the error itself when there is none. */
export function databaseFault(error: unknown): unknown {
  for (let fault = error; fault instanceof Error; fault = fault.cause)
    if (isNamed(fault) || primaryCode(fault) !== undefined) return fault
  return error
}

function isNamed(fault: Error): boolean {
  return fault instanceof UnknownMigrationError || fault instanceof IncompleteDatabaseError
}
