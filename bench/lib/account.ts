/**
 * The account of the pages that are measured: with a permission, an enabled factor and a trail of events.
 *
 * @module
 */
import { type App, Clock, Secret } from 'sallyport'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { openDatabase } from 'sallyport-app/database'
import { createApplication } from '../../starter/application.ts'
import { Database } from '../../starter/core/database/database.ts'
import { PARTS } from '../../starter/parts.ts'
import { addAccount as insertAccount } from '../../starter/core/accounts/users.ts'
import { AuditEvent, AuditTrail } from '../../starter/core/audit/audit-trail.ts'
import { migrationsOf } from '../../starter/core/database/migrations.ts'
import type { Schema } from '../../starter/core/database/schema.ts'
import { Authenticators } from '../../starter/test/identity.ts'

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
 * Adds the account to a starter.
 *
 * @param app The starter, booted.
 * @param passwordHash Hash of its password; null for none.
 * @returns The account.
 */
export async function addAccount(app: App, passwordHash: string | null): Promise<MeasuredAccount> {
  const account = await addPerson(app, { email, passwordHash })
  await addEvents(app, account.id)
  return account
}

/**
 * Adds an account with an authenticator app and no past.
 *
 * @param app The starter, booted.
 * @param person `email`: its address; `passwordHash`: hash of its password; null for none.
 * @returns The account.
 */
export async function addPerson(
  app: App,
  person: { readonly email: string; readonly passwordHash: string | null },
): Promise<MeasuredAccount> {
  const clock = app.get(Clock)
  const account = { ...person, name: 'Ada', permissions: ['admin.access'] }
  const transaction = app.get(Database).transaction()
  const id = await transaction.execute((within) => insertAccount(within, account, clock.timestamp()))
  if (id === undefined) throw new Error(`${person.email} has an account already`)
  const factors = app.get(Authenticators)
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
  const database = await openDatabase<Schema>(path, { migrations: migrationsOf(PARTS) })
  const { id } = await addAccount(await starterOn(database), null)
  await database.destroy()
  return id
}

// Twenty days with a sign-in and a sign-out each, from three addresses; on every fifth day the password was wrong at first.
async function addEvents(app: App, accountId: string): Promise<void> {
  const { LoggedIn, LoggedOut, PasswordAccepted, PasswordRefused } = AuditEvent
  const past = new FrozenClock(app.get(Clock).timestamp() - 21 * DAY_SECONDS)
  const trail = (await starterOn(app.get(Database), past)).get(AuditTrail)
  for (let day = 0; day < 20; day++) {
    const mistakes = day % 5 === 0 ? [PasswordRefused] : []
    for (const kind of [...mistakes, PasswordAccepted, LoggedIn, LoggedOut])
      await trail.record({ kind, accountId, clientAddress: `192.0.2.${day % 3}`, device: '' })
    past.advance(DAY_SECONDS)
  }
}

function starterOn(database: Database, clock?: Clock): Promise<App> {
  const parts = { database, store: new MemorySessionStore(), keys: [key] }
  return createApplication(clock === undefined ? parts : { ...parts, clock }).boot()
}
