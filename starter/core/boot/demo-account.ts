import type { App, Clock, Secret } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { reasonOf, StartupError } from 'sallyport-app/settings'
import { databaseFault } from 'sallyport-app/boot'
import type { Opened } from 'sallyport-app/program'
import { Permissions } from '../accounts/permissions.ts'
import { addAccount, Users } from '../accounts/users.ts'
import { Database } from '../database/database.ts'
import { TotpFactors } from '../factors/totp-factors.ts'

/** Address of the demo account. */
export const DEMO_EMAIL = 'demo@sallyport.test'
/** Its password. It is public, so there is a demo account on development machines only. */
export const DEMO_PASSWORD = 'two-doors-one-gate'

/** The second factor of the demo account. */
export interface DemoAccount {
  /** Secret for an authenticator app, in Base32. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/**
 * @returns The demo account; undefined when there is none.
 * @throws {StartupError} If it cannot be prepared.
 */
export async function demoAccountOf(
  { app, places }: Pick<Opened, 'app' | 'places'>,
  { hasDemoAccount }: { readonly hasDemoAccount: boolean },
  clock: Clock,
): Promise<DemoAccount | undefined> {
  if (!hasDemoAccount) return undefined
  try {
    return await prepareDemoAccount(app, clock)
  } catch (cause) {
    if (databaseFault(cause) !== undefined) throw places.accounts.cannotUse(cause)
    throw new StartupError(
      `the demo account cannot be prepared (${reasonOf(cause)}): has FACTOR_KEY changed? Append the previous key, as in FACTOR_KEY=new,old`,
      { cause },
    )
  }
}

/**
 * Makes the demo account when it is missing, with a password and an enabled factor, and gives it the permissions that parts have got
 * since. A process may have been killed in between, and another one may start at the same time.
 *
 * @throws {Error} If the factor was sealed with a key that is not configured.
 */
export async function prepareDemoAccount(app: App, clock: Clock): Promise<DemoAccount | undefined> {
  const [users, factors] = [app.get(Users), app.get(TotpFactors)]
  const known = await users.findByEmail(DEMO_EMAIL)
  const id = known?.id ?? (await addDemoAccount(app, clock))
  await allowEverything(app, id)
  await factors.ensureUnproven(id, 'Authenticator app', clock)
  const account = await users.authenticationIdentity(id)
  return account === null ? undefined : factors.reveal(account.principal)
}

async function allowEverything(app: App, id: string): Promise<void> {
  const missing = app.get(Permissions).all.map((permission) => ({ account_id: id, permission }))
  if (missing.length === 0) return
  await app
    .get(Database)
    .insertInto('account_permission')
    .values(missing)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function addDemoAccount(app: App, clock: Clock): Promise<string> {
  const passwordHash = await app.get(PasswordHasher).hash(DEMO_PASSWORD)
  const account = { email: DEMO_EMAIL, name: 'Demo', passwordHash }
  const added = await app
    .get(Database)
    .transaction()
    .execute((transaction) => addAccount(transaction, account, clock.timestamp()))
  const id = added ?? (await app.get(Users).findByEmail(DEMO_EMAIL))?.id
  if (id === undefined) throw new Error('The demo account was deleted while it was being made')
  return id
}
