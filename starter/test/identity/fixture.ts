import type { TestContext } from 'node:test'
import type { Kysely } from 'kysely'
import { Secret } from 'sallyport'
import { FrozenClock } from 'sallyport/testing'
import { openDatabase } from '../../database/open.ts'
import type { Schema } from '../../database/schema.ts'
import { Attempts } from '../../identity/limits/attempts.ts'
import { FactorVault } from '../../identity/factors/factor-vault.ts'
import { SecondFactors } from '../../identity/factors/second-factors.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import type { TotpLeeway } from '../../identity/factors/totp-code.ts'
import { Users } from '../../identity/accounts/users.ts'

/** The services of the account store, without an application around them. */
export interface Accounts {
  readonly database: Kysely<Schema>
  readonly clock: FrozenClock
  readonly users: Users
  readonly attempts: Attempts
  readonly factors: TotpFactors
  readonly secondFactors: SecondFactors
}

/**
 * @param test The test; the database is closed after it.
 * @param options `leeway` of the factors. Default: theirs.
 * @returns Services on an empty database in memory, at a time that is a multiple of the time step.
 */
export async function accounts(
  test: TestContext,
  options: { readonly leeway?: TotpLeeway } = {},
): Promise<Accounts> {
  const database = await openDatabase(':memory:')
  test.after(() => database.destroy())
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const attempts = new Attempts(database, clock)
  const vault = new FactorVault([new Secret('5a'.repeat(32))])
  const factors = new TotpFactors({ database, vault, attempts }, options.leeway)
  const secondFactors = new SecondFactors({ database, attempts })
  return { database, clock, attempts, factors, secondFactors, users: new Users(database) }
}
