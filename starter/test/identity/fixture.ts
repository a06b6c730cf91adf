import type { TestContext } from 'node:test'
import type { App } from 'sallyport'
import { FrozenClock } from 'sallyport/testing'
import { openDatabase } from 'sallyport-app/database'
import { Attempts } from 'sallyport-app/limits'
import { PARTS } from '../../parts.ts'
import type { Database } from '../../core/database/database.ts'
import { SecondFactors } from '../../core/factors/second-factors.ts'
import type { TotpLeeway } from '../../core/settings.ts'
import { Accounts as Users, Authenticators } from '../identity.ts'
import { databases, ON_POSTGRES } from '../databases.ts'
import { services, temporary } from '../support.ts'
import { migrationsOf } from '../../core/database/migrations.ts'
import type { Schema } from '../../core/database/schema.ts'

/** The services of the account store, without requests. */
export interface Accounts {
  readonly app: App
  readonly database: Database
  readonly clock: FrozenClock
  readonly users: Users
  readonly attempts: Attempts
  readonly factors: Authenticators
  readonly secondFactors: SecondFactors
}

/** @returns Services on an empty database in memory, at a time that is a multiple of the time step. */
export async function accounts(
  test: TestContext,
  options: { readonly leeway?: TotpLeeway } = {},
): Promise<Accounts> {
  const database = ON_POSTGRES
    ? await databases.accounts(temporary(test))
    : await openDatabase<Schema>(':memory:', { migrations: migrationsOf(PARTS) })
  test.after(() => database.destroy())
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const app = await services({ database, clock, settings: options })
  return {
    app,
    database,
    clock,
    users: app.get(Users),
    attempts: app.get(Attempts),
    factors: app.get(Authenticators),
    secondFactors: app.get(SecondFactors),
  }
}
