import { randomBytes } from 'node:crypto'
import { type App, type Clock, Secret } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { reasonOf } from './data-directory.ts'
import { Database } from '../database/database.ts'
import { primaryCode } from '../database/dialect.ts'
import { type Environment, StartupError } from './environment.ts'
import { Permissions } from '../accounts/permissions.ts'
import { addAccount, Users } from '../accounts/users.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import type { Opened } from '../opened.ts'
import { cannotOpen, databaseFault } from './startup-faults.ts'

/** Address of the demo account. */
export const DEMO_EMAIL = 'demo@sallyport.test'
// Public, so it is used on development machines only.
const DEVELOPMENT_PASSWORD = 'two-doors-one-gate'

/** What is needed to sign in as the demo account. */
export interface DemoAccount {
  /** E-mail address. */
  readonly email: string
  /** Password. */
  readonly password: Secret
  /** Secret for an authenticator app, in Base32. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/**
 * @returns The demo account; undefined when there is none, or it has been shown before.
 * @throws {StartupError} If it cannot be prepared.
 */
export async function demoAccountOf(
  { app, paths }: Pick<Opened, 'app' | 'paths'>,
  { hasDemoAccount, isProduction }: Environment,
  clock: Clock,
): Promise<DemoAccount | undefined> {
  if (!hasDemoAccount) return undefined
  try {
    return await prepareDemoAccount(app, clock, { isProduction })
  } catch (cause) {
    if (primaryCode(databaseFault(cause)) !== undefined) throw cannotOpen(paths.accounts, cause)
    throw new StartupError(
      `the demo account cannot be prepared (${reasonOf(cause)}): has FACTOR_KEY changed? Append the previous key, as in FACTOR_KEY=new,old`,
      { cause },
    )
  }
}

/**
 * Creates the demo account when missing, with a password and an enabled factor.
 *
 * @param options `isProduction`: the password is random and shown only at the first start.
 * @returns What is needed to sign in; undefined when it has been shown before.
 * @throws {Error} If the factor was sealed with a key that is not configured.
 */
export async function prepareDemoAccount(
  app: App,
  clock: Clock,
  options: { readonly isProduction: boolean },
): Promise<DemoAccount | undefined> {
  const users = app.get(Users)
  const factors = app.get(TotpFactors)
  const known = await users.findByEmail(DEMO_EMAIL)
  if (known !== null && options.isProduction) return undefined

  const password = options.isProduction ? randomBytes(12).toString('base64url') : DEVELOPMENT_PASSWORD
  const id = known?.id ?? (await add(password))
  // Separate from creating the account: the process may have been killed in between, and another one may start at the same time.
  await factors.ensureUnproven(id, 'Authenticator app', clock)
  const account = await users.authenticationIdentity(id)
  const setup = account === null ? undefined : await factors.reveal(account.principal)
  if (setup === undefined) return undefined
  return { email: DEMO_EMAIL, password: new Secret(password), ...setup }

  async function add(text: string): Promise<string> {
    const passwordHash = await app.get(PasswordHasher).hash(text)
    const permissions = app.get(Permissions).all
    const account = { email: DEMO_EMAIL, name: 'Demo', passwordHash, permissions }
    const added = await app
      .get(Database)
      .transaction()
      .execute((transaction) => addAccount(transaction, account, clock.timestamp()))
    // Another process may have created it at its own first start.
    const id = added ?? (await users.findByEmail(DEMO_EMAIL))?.id
    if (id === undefined) throw new Error('The demo account was deleted while it was being made')
    return id
  }
}
