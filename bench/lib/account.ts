/**
 * The account of the pages that are measured: with a permission, an enabled factor and a trail of events.
 *
 * @module
 */
import type { Kysely } from 'kysely'
import { type Clock, Secret, SystemClock } from 'sallyport'
import { FrozenClock } from 'sallyport/testing'
import { openDatabase } from '../../starter/database/open.ts'
import type { Schema } from '../../starter/database/schema.ts'
import { Users } from '../../starter/identity/accounts/users.ts'
import { AuditEvent, AuditTrail } from '../../starter/identity/audit/audit-trail.ts'
import { FactorVault } from '../../starter/identity/factors/factor-vault.ts'
import { TotpFactors } from '../../starter/identity/factors/totp-factors.ts'
import { Attempts } from '../../starter/identity/limits/attempts.ts'

const DAY_SECONDS = 86_400

/** Encrypts the secrets of factors. */
export const key: Secret = new Secret('5a'.repeat(32))
/** Address of the account. */
export const email = 'ada@example.test'

/** An account that can sign in. */
export interface MeasuredAccount {
  readonly id: string
  /** Secret of its factor. */
  readonly secret: Secret
}

/**
 * Adds the account to a database of the starter.
 *
 * @param database The database.
 * @param passwordHash Hash of its password; null for none.
 * @param clock Clock of the application.
 * @returns The account.
 */
export async function addAccount(
  database: Kysely<Schema>,
  passwordHash: string | null,
  clock: Clock,
): Promise<MeasuredAccount> {
  const account = await addPerson(database, { email, passwordHash }, clock)
  await addEvents(database, account.id, clock)
  return account
}

/**
 * Adds an account with an authenticator app and no past.
 *
 * @param database The database.
 * @param person `email`: its address; `passwordHash`: hash of its password; null for none.
 * @param clock Clock of the application.
 * @returns The account.
 */
export async function addPerson(
  database: Kysely<Schema>,
  person: { readonly email: string; readonly passwordHash: string | null },
  clock: Clock,
): Promise<MeasuredAccount> {
  const id = await new Users(database).add({ ...person, name: 'Ada', permissions: ['admin.access'] }, clock)
  const services = { database, vault: new FactorVault([key]), attempts: new Attempts(database, clock) }
  const factors = new TotpFactors(services)
  const factor = await factors.add(id, 'Authenticator app', clock)
  await factors.enableUnproven(factor.id, clock)
  return { id, secret: factor.secret }
}

/**
 * Makes a database of the starter for another framework.
 *
 * @param path File of the database.
 * @returns Reference of its account.
 */
export async function createAccountDatabase(path: string): Promise<string> {
  const database = await openDatabase(path)
  const { id } = await addAccount(database, null, new SystemClock())
  await database.destroy()
  return id
}

// Twenty days with a sign-in and a sign-out each, from three addresses; on every fifth day the password was wrong at first.
async function addEvents(database: Kysely<Schema>, accountId: string, clock: Clock): Promise<void> {
  const { LoggedIn, LoggedOut, PasswordAccepted, PasswordRefused } = AuditEvent
  const past = new FrozenClock(clock.timestamp() - 21 * DAY_SECONDS)
  const trail = new AuditTrail(database, past)
  for (let day = 0; day < 20; day++) {
    const mistakes = day % 5 === 0 ? [PasswordRefused] : []
    for (const kind of [...mistakes, PasswordAccepted, LoggedIn, LoggedOut])
      await trail.record({ kind, accountId, clientAddress: `192.0.2.${day % 3}`, device: '' })
    past.advance(DAY_SECONDS)
  }
}
