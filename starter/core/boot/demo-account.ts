import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { generateSecret } from 'otplib/functional'
import { type App, type Clock, Secret } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { reasonOf, StartupError } from 'sallyport-app/settings'
import { databaseFault } from 'sallyport-app/boot'
import type { Opened } from 'sallyport-app/program'
import { Permissions } from '../accounts/permissions.ts'
import { addAccount, Users } from '../accounts/users.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { ShownSecrets, type TotpSetup } from '../factors/shown-secrets.ts'
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
 * Makes the demo account when it is missing, with a password and an authenticator, and gives it the permissions that parts have got since.
 *
 * @throws {Error} If the factor was sealed with a key that is not configured.
 */
export async function prepareDemoAccount(app: App, clock: Clock): Promise<DemoAccount | undefined> {
  const vault = app.get(FactorVault)
  const known = await app.get(Users).findByEmail(DEMO_EMAIL)
  const passwordHash = known?.passwordHash ?? (await app.get(PasswordHasher).hash(DEMO_PASSWORD))
  const { id, sealed } = await app
    .get(Database)
    .transaction()
    .execute(async (transaction) => {
      // Another process may have made it meanwhile: nothing is added then.
      await addAccount(transaction, { email: DEMO_EMAIL, name: 'Demo', passwordHash }, clock.timestamp())
      const account = transaction.selectFrom('account').select('id').where('email_key', '=', DEMO_EMAIL)
      const { id } = await account.executeTakeFirstOrThrow()
      for (const permission of app.get(Permissions).all)
        await transaction
          .insertInto('account_permission')
          .values({ account_id: id, permission })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      return { id, sealed: await secretOf(transaction, id, { vault, now: clock.timestamp() }) }
    })
  const identity = await app.get(Users).authenticationIdentity(id)
  if (identity === null) return undefined
  const secret = vault.open(id, sealed)
  return app.get(ShownSecrets).setupOf(identity.principal, 'totp', secret)
}

// That of its first authenticator, which is made when it has none.
async function secretOf(
  transaction: Transaction<Schema>,
  id: string,
  { vault, now }: { readonly vault: FactorVault; readonly now: number },
): Promise<string> {
  const found = await transaction
    .selectFrom('factor')
    .select('secret')
    .where('account_id', '=', id)
    .where('kind', '=', 'totp')
    .where('state', '=', 'enabled')
    .orderBy('created_at')
    .executeTakeFirst()
  if (typeof found?.secret === 'string') return found.secret
  const secret = vault.seal(id, new Secret(generateSecret()))
  const factor = { id: randomUUID(), account_id: id, kind: 'totp', state: 'enabled', secret } as const
  await transaction
    .insertInto('factor')
    .values({ ...factor, label: 'Authenticator app', created_at: now, enabled_at: now })
    .execute()
  return secret
}
