import { inject } from 'sallyport'
import { Permission } from './permission.ts'
import { Permissions } from '../../core/accounts/permissions.ts'
import { type Act, type Acting, Acts } from './acts.ts'
import { keepingAnAdministrator } from './last-administrator.ts'
import { refusedBy } from './rule.ts'

/** A permission of an account. */
export interface Grant {
  readonly accountId: string
  readonly permission: string
}

/** Grants and withdraws permissions. They are read for each request, so both take effect with the next one. */
export class Grants {
  readonly #acts = inject(Acts)
  readonly #permissions = inject(Permissions)

  /**
   * Grants a permission. Nobody raises the own ones, nor hands on what they do not hold: not to a second account of theirs either.
   *
   * @returns Whether the account did not hold it before.
   */
  grant(act: Act, { accountId, permission }: Grant): Promise<boolean> {
    return this.#acts.perform(act, Permission.AccountsPermissions, async (acting) => {
      const target = await acting.target(accountId)
      acting.assertNotOwn(target)
      assertMayHandOut(acting, permission, this.#permissions.all)
      if (!(await grantTo(acting, target.id, permission))) return false
      await acting.record('permission-granted', target.id, permission)
      return true
    })
  }

  /** Withdraws a permission, also one that this version does not know any more. Returns whether the account held it before. */
  withdraw(act: Act, { accountId, permission }: Grant): Promise<boolean> {
    return this.#acts.perform(act, Permission.AccountsPermissions, async (acting) => {
      const target = await acting.target(accountId)
      return keepingAnAdministrator(acting.transaction, async () => {
        const removed = await acting.transaction
          .deleteFrom('account_permission')
          .where('account_id', '=', target.id)
          .where('permission', '=', permission)
          .executeTakeFirst()
        if (removed.numDeletedRows !== 1n) return false
        await acting.record('permission-withdrawn', target.id, permission)
        return true
      })
    })
  }
}

/** @throws {ValidationException} If there is no such permission, or the actor does not hold it. */
export function assertMayHandOut(
  { permissions }: Acting,
  permission: string,
  known: readonly string[],
): void {
  if (!known.includes(permission)) throw refusedBy('unknown_permission', 'permission')
  if (permissions !== undefined && !permissions.includes(permission)) throw refusedBy('permission_not_held')
}

/** @returns Whether the account did not hold the permission before. */
export async function grantTo(
  { transaction }: Acting,
  accountId: string,
  permission: string,
): Promise<boolean> {
  const added = await transaction
    .insertInto('account_permission')
    .values({ account_id: accountId, permission })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}
