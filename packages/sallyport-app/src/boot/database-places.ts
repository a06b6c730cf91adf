import type { Secret } from 'sallyport'
import { postgresCode, primaryCode, UnusableDatabaseError } from '../database/index.ts'
import type { Place } from './place.ts'
import { reasonOf, StartupError } from '../settings/index.ts'

const LOCKED = 'is locked by another program: end it, or wait until it has finished'
const DAMAGED = 'is damaged or not a database: restore it from a copy, or move it away'
const NO_ACCESS = 'cannot be opened: grant this program access, or set DATA_DIR to another folder'

// SQLite's primary result codes as messages for the operator.
const REASONS_OF_FILES: Readonly<Record<number, string>> = {
  5: LOCKED,
  6: LOCKED,
  8: NO_ACCESS,
  10: 'cannot be read or written: check the disk',
  11: DAMAGED,
  13: 'cannot grow: the disk is full',
  14: NO_ACCESS,
  26: DAMAGED,
}

const REFUSED = 'refuses the user or the password: correct them'
const UNREACHABLE = 'start the server, or correct the address'

// The codes of PostgreSQL and Redis.
const REASONS_OF_SERVERS: Readonly<Record<string, string>> = {
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': 'does not exist: create it',
  '42501': 'lets this user make no tables: make the user its owner',
  '53300': 'has no connection left: raise its max_connections, or start fewer processes',
  '55P03': 'is being changed by another process: wait until that has finished',
  NOAUTH: REFUSED,
  WRONGPASS: REFUSED,
}

/**
 * Describes a database in a file.
 *
 * @param path Path of the file.
 * @returns The place.
 */
export function fileAt(path: string): Place {
  return {
    name: path,
    cannotUse: (cause) => {
      const fault = databaseFault(cause) ?? cause
      const code = primaryCode(fault)
      const other = code === 1 ? refusing(fault) : `cannot be opened (${reasonOf(fault)})`
      return faultOf(path, fault, REASONS_OF_FILES[code ?? 0] ?? other)
    },
  }
}

/**
 * Describes a database at a server.
 *
 * @param variable What gives the address of the server.
 * @param url The address.
 * @param what Its name there. Default: that of the address.
 * @returns The place.
 */
export function serverAt(variable: string, url: Secret, what?: string): Place {
  const { host, pathname } = new URL(url.reveal())
  const name = `${what ?? pathname.slice(1)} at ${host} (${variable})`
  return {
    name,
    cannotUse: (cause) => {
      const fault = databaseFault(cause) ?? rootOf(cause)
      // Redis begins its messages with a code.
      const code =
        postgresCode(fault) ?? /^[A-Z]+(?= )/.exec(fault instanceof Error ? fault.message : '')?.[0]
      const isStatement = /^(?:0A|2[23]|42)/.test(code ?? '')
      const other = isStatement ? refusing(fault) : `cannot be reached (${reasonOf(fault)}): ${UNREACHABLE}`
      return faultOf(name, fault, REASONS_OF_SERVERS[code ?? ''] ?? other)
    },
  }
}

/**
 * Looks for a fault of a database among an error and its causes.
 *
 * @param error Any error.
 * @returns The cause that comes from a database; undefined when there is none.
 */
export function databaseFault(error: unknown): Error | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause)
    if (fault instanceof UnusableDatabaseError || (primaryCode(fault) ?? postgresCode(fault)) !== undefined)
      return fault
  return undefined
}

function faultOf(name: string, cause: unknown, reason: string): StartupError {
  const told = cause instanceof UnusableDatabaseError ? cause.message : reason
  return new StartupError(`the database ${name} ${told}`, { cause })
}

function refusing(fault: unknown): string {
  return `refuses a statement (${reasonOf(fault)}): correct it, or use a database of this application`
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error
}
