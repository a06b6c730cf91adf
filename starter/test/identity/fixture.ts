import type { TestContext } from 'node:test'
import { Attempts } from 'sallyport-app/limits'
import type { Identity } from '../identity.ts'
import { World, type WorldOptions } from '../support.ts'

/** The services of the account store, at a time that is a multiple of the time step. */
export interface Accounts
  extends Pick<World, 'app' | 'database' | 'clock'>, Pick<Identity, 'users' | 'factors' | 'secondFactors'> {
  readonly attempts: Attempts
}

/** @returns Services without accounts. */
export async function accounts(test: TestContext, options: WorldOptions = {}): Promise<Accounts> {
  const { app, database, clock, identity } = await World.create(test, options)
  const { users, factors, secondFactors } = identity
  return { app, database, clock, users, factors, secondFactors, attempts: app.get(Attempts) }
}
