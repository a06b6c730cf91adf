import { type Kysely, sql } from 'kysely'
import { holdsFactor } from '../../core/factors/second-factors.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Permission } from './permission.ts'
import { refusedBy } from './rule.ts'

/**
 * Makes a change that may take away an administrator, and undoes it if none is left. Where there was none before, as in a new
 * installation, nothing is refused.
 *
 * @returns The result of the change.
 * @throws {ValidationException} With the rule `last_administrator`.
 */
export async function keepingAnAdministrator<T>(
  database: Kysely<Schema>,
  change: () => Promise<T>,
): Promise<T> {
  const before = await countAdministrators(database)
  const result = await change()
  if (before > 0 && (await countAdministrators(database)) === 0) throw refusedBy('last_administrator')
  return result
}

/**
 * Counts who can let others in: accounts that may sign in, have something to do it with, see the administration and grant permissions.
 *
 * @returns How many there are.
 */
export async function countAdministrators(database: Kysely<Schema>): Promise<number> {
  const holds = (permission: Permission) => sql<boolean>`EXISTS (
    SELECT 1 FROM account_permission WHERE account_id = account.id AND permission = ${permission})`
  const row = await database
    .selectFrom('account')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('state', '=', 'active')
    .where((account) => account.or([account('password_hash', 'is not', null), holdsFactor(account)]))
    .where(
      'id',
      'in',
      database
        .selectFrom('account_permission')
        .select('account_id')
        .where('permission', '=', Permission.AccountsPermissions),
    )
    .where(holds(Permission.AdminAccess))
    // Nobody can rely on an account that is about to be erased.
    .where('leaves_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}
