import { generateSecret } from 'otplib/functional'
import { type App, type Clock, Secret } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { reasonOf, StartupError } from 'sallyport-app/settings'
import { databaseFault } from 'sallyport-app/boot'
import type { Opened } from 'sallyport-app/program'
import { Permissions } from '../accounts/permissions.ts'
import { addAccount, Users } from '../accounts/users.ts'
import { Database } from '../database/database.ts'
import { ShownSecrets, type TotpSetup } from '../factors/shown-secrets.ts'
import { FactorVault } from '../factors/factor-vault.ts'

/** Address of the demo account. */
export const DEMO_EMAIL = 'demo@sallyport.test'
/** Its password. It is public, so there is a demo account on development machines only. */
export const DEMO_PASSWORD = 'two-doors-one-gate'

// Identifier of its authenticator, so that several processes make one.
const FACTOR = '00000000-0000-4000-8000-000000000000'

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
export async function prepareDemoAccount(app: App, clock: Clock): Promise<DemoAccount> {
  const vault = app.get(FactorVault)
  const now = clock.timestamp()
  const known = await app.get(Users).findByEmail(DEMO_EMAIL)
  const passwordHash = known?.passwordHash ?? (await app.get(PasswordHasher).hash(DEMO_PASSWORD))
  const secret = await app
    .get(Database)
    .transaction()
    .execute(async (transaction) => {
      // Another process may have made it meanwhile: nothing is added then.
      await addAccount(transaction, { email: DEMO_EMAIL, name: 'Demo', passwordHash }, now)
      const account = transaction.selectFrom('account').select('id').where('email_key', '=', DEMO_EMAIL)
      const { id } = await account.executeTakeFirstOrThrow()
      for (const permission of app.get(Permissions).all)
        await transaction
          .insertInto('account_permission')
          .values({ account_id: id, permission })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      const factor = { id: FACTOR, account_id: id, kind: 'totp', state: 'enabled' } as const
      const secret = vault.seal(id, new Secret(generateSecret()))
      await transaction
        .insertInto('factor')
        .values({ ...factor, secret, label: 'Authenticator app', created_at: now, enabled_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const made = transaction.selectFrom('factor').select('secret').where('id', '=', FACTOR)
      return vault.open(id, (await made.executeTakeFirstOrThrow()).secret ?? '')
    })
  return app.get(ShownSecrets).setupOf({ email: DEMO_EMAIL }, 'totp', secret)
}
