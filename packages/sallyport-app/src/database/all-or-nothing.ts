import type { Transaction } from 'kysely'
import type { Connection } from './database.ts'

class NothingDone extends Error {}

/**
 * Runs steps in one transaction. When one of them finds that it must not happen, nothing of the others remains.
 *
 * @param database Where.
 * @param steps What is done; it returns undefined when it must not happen.
 * @returns What the steps return; undefined when nothing was done.
 * @throws {unknown} Whatever the steps throw; nothing was done then either.
 */
export async function allOrNothing<S, T>(
  database: Connection<S>,
  steps: (transaction: Transaction<S>) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await database.transaction().execute(async (transaction) => {
      const result = await steps(transaction)
      // Only an error rolls a transaction back.
      if (result === undefined) throw new NothingDone()
      return result
    })
  } catch (error) {
    if (error instanceof NothingDone) return undefined
    throw error
  }
}
