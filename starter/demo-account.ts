import { randomBytes } from 'node:crypto'
import { type Clock, Secret } from 'sallyport'
import type { Identity } from './application.ts'
import { Permission } from './identity/permission.ts'

/** Address of the demo account. */
export const DEMO_EMAIL = 'demo@sallyport.test'
// Known to everybody who reads this file, so only for a machine of one's own.
const DEVELOPMENT_PASSWORD = 'two-doors-one-gate'

/** What a person needs to sign in as the demo account. */
export interface DemoAccount {
  /** Address to type. */
  readonly email: string
  /** Password to type. */
  readonly password: Secret
  /** Secret for an authenticator, in Base32. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/**
 * Makes the demo account where it is missing, with a password and an enabled factor.
 *
 * @param identity Services of the application.
 * @param clock Clock of the application.
 * @param options `isProduction`: the password is random, and shown at the first start only.
 * @returns What is needed to sign in; undefined when there is nothing to show any more.
 * @throws {Error} If the factor was sealed with a key that is not configured.
 */
export async function prepareDemoAccount(
  identity: Identity,
  clock: Clock,
  options: { readonly isProduction: boolean },
): Promise<DemoAccount | undefined> {
  const { users, factors, hasher } = identity
  const known = await users.findByEmail(DEMO_EMAIL)
  if (known !== null && options.isProduction) return undefined

  const password = options.isProduction ? randomBytes(12).toString('base64url') : DEVELOPMENT_PASSWORD
  const id = known?.id ?? (await add(password))
  // Apart from the account: the process may have been killed between the two, and another one may start as well.
  await factors.ensureUnproven(id, 'Authenticator app', clock)
  const account = await users.authenticationIdentity(id)
  const setup = account === null ? undefined : await factors.reveal(account.principal)
  if (setup === undefined) return undefined
  return { email: DEMO_EMAIL, password: new Secret(password), ...setup }

  async function add(text: string): Promise<string> {
    const passwordHash = await hasher.hash(text)
    const permissions = [Permission.AdminAccess]
    try {
      return await users.add({ email: DEMO_EMAIL, name: 'Demo', passwordHash, permissions }, clock)
    } catch (error) {
      // Another process may have been faster at its first start.
      const theirs = await users.findByEmail(DEMO_EMAIL)
      if (theirs === null) throw error
      return theirs.id
    }
  }
}
