import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import type { Schema } from '../database/schema.ts'
import { Attempts } from '../identity/limits/attempts.ts'
import { OpsAccess } from './ops-access.ts'
import { OpsCredentials } from './ops-credentials.ts'
import { ProgramStatus } from './program-status.ts'

/** How operators get in. */
export interface OperationsOptions {
  /** What `npm start -- ops-password` printed. */
  readonly hash: string
  /** Whether plain HTTP from this machine will do, for development. */
  readonly allowsLoopback: boolean
}

/** What the services are made of. */
export interface OpsServiceParts {
  /** How operators get in. Default: not at all. */
  readonly operations?: OperationsOptions | undefined
  readonly database: Kysely<Schema>
  readonly store: SessionStore
  readonly attempts: Attempts
  readonly clock: Clock
}

/**
 * Registers the services of the pages for operators, if there are such pages.
 *
 * @param definitions Services of the application.
 * @param parts What they are made of.
 * @throws {TypeError} If the hash is malformed.
 */
export function setOpsServices(definitions: Definitions, parts: OpsServiceParts): void {
  const { operations, database, store, attempts, clock } = parts
  if (operations === undefined) return
  definitions
    .set(OpsAccess, new OpsAccess(new OpsCredentials(operations.hash), operations))
    .set(ProgramStatus, new ProgramStatus({ database, sessions: store, clock }))
    .set(Attempts, attempts)
}
