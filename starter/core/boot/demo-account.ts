import { generateSecret } from 'otplib/functional'
import { type App, type Clock, Secret } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { reasonOf, StartupError } from 'sallyport-app/settings'
import { databaseFault } from 'sallyport-app/boot'
import type { Opened } from 'sallyport-app/program'
import { Permissions } from '../accounts/permissions.ts'
import { addAccount, Users } from '../accounts/users.ts'
import { Database } from '../database/database.ts'
import { FactorSetups, type TotpSetup } from '../factors/factor-setups.ts'
import { FactorVault } from '../factors/factor-vault.ts'

/** Address of the demo account. */
export const DEMO_EMAIL = 'demo@sallyport.test'
/** Its password. It is public, so there is a demo account on development machines only. */
export const DEMO_PASSWORD = 'two-doors-one-gate'

/** The second factor of the demo account. */
export type DemoAccount = TotpSetup

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
  const users = app.get(Users)
  const known = await users.findByEmail(DEMO_EMAIL)
  const id = known?.id ?? (await addDemoAccount(app, clock))
  await allowEverything(app, id)
  if ((await findApp(app, id)) === undefined) await addApp(app, id, clock)
  const [account, sealed] = [await users.authenticationIdentity(id), await findApp(app, id)]
  if (account === null || sealed === undefined) return undefined
  const secret = app.get(FactorVault).open(id, sealed)
  return app.get(FactorSetups).setupOf(account.principal, 'totp', secret)
}

async function findApp(app: App, id: string): Promise<string | undefined> {
  const found = await app
    .get(Database)
    .selectFrom('factor')
    .select('secret')
    .where('account_id', '=', id)
    .where('kind', '=', 'totp')
    .where('state', '=', 'enabled')
    .orderBy('created_at')
    .executeTakeFirst()
  return found?.secret ?? undefined
}

// Of several processes that do it at once, one does: the identifier is the same.
async function addApp(app: App, id: string, clock: Clock): Promise<void> {
  const now = clock.timestamp()
  const secret = app.get(FactorVault).seal(id, new Secret(generateSecret()))
  const factor = { id: `demo-${id}`, account_id: id, kind: 'totp', state: 'enabled', secret } as const
  await app
    .get(Database)
    .insertInto('factor')
    .values({ ...factor, label: 'Authenticator app', created_at: now, enabled_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
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
