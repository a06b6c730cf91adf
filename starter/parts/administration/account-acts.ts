import { inject } from 'sallyport'
import { OpenSessions } from 'sallyport-app/sessions'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { Database } from '../../core/database/database.ts'
import { Notices } from '../../core/mail/notices.ts'
import { type Act, type Acting, Acts } from './acts.ts'
import { keepingAnAdministrator } from './last-administrator.ts'
import { requireNewFactor } from './new-factors.ts'
import { Permission } from './permission.ts'

/** Disables and enables accounts, ends their sessions, and resets their second factors. Each tells the owner by mail. */
export class AccountActs {
  readonly #acts = inject(Acts)
  readonly #database = inject(Database)
  readonly #open = inject(OpenSessions)
  readonly #notices = inject(Notices)
  readonly #versions = inject(CredentialVersions)

  /**
   * Disables an account: nobody signs in to it, and its sessions and pending logins end. Not one's own, and not that of the last
   * administrator.
   *
   * @returns Whether it was enabled before.
   */
  async disable(act: Act, accountId: string): Promise<boolean> {
    const isDisabled = await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      acting.assertNotOwn(await acting.target(accountId))
      return keepingAnAdministrator(acting.transaction, async () => {
        if (!(await turn(acting, accountId, 'disabled'))) return false
        await this.#versions.raise(acting.transaction, accountId)
        await acting.record('account-disabled', accountId)
        await this.#notices.tell({ kind: 'account-disabled', accountId }, acting.transaction)
        return true
      })
    })
    if (isDisabled) await this.#open.remove(accountId)
    return isDisabled
  }

  /** Enables an account again. Sessions from before stay ended. Returns whether it was disabled before. */
  async enable(act: Act, accountId: string): Promise<boolean> {
    return this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      await acting.target(accountId)
      if (!(await turn(acting, accountId, 'active'))) return false
      await acting.record('account-enabled', accountId)
      await this.#notices.tell({ kind: 'account-enabled', accountId }, acting.transaction)
      return true
    })
  }

  /** @returns How many stored sessions of the account were removed. */
  async endSessions(act: Act, accountId: string): Promise<number> {
    await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      await acting.target(accountId)
      await this.#versions.raise(acting.transaction, accountId)
      await acting.record('account-sessions-ended', accountId)
      await this.#notices.tell({ kind: 'sessions-ended-by-administrator', accountId }, acting.transaction)
    })
    return this.#open.remove(accountId)
  }

  /** Ends those of the actor, too. Returns how many stored sessions were removed. */
  async endEverybodysSessions(act: Act): Promise<number> {
    await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      await this.#versions.raise(acting.transaction, null)
      await acting.record('all-sessions-ended', null)
    })
    let count = 0
    for (const { id } of await this.#database.selectFrom('account').select('id').execute())
      count += await this.#open.remove(id)
    return count
  }

  /**
   * Resets the second factors of an account whose owner has lost them. It opens nothing: every factor is gone, also one whose first code
   * is missing, every session and pending login ends, and the next login leads to the set-up of a new factor.
   */
  async resetFactors(act: Act, accountId: string): Promise<void> {
    await this.#acts.perform(act, Permission.FactorsReset, async (acting) => {
      acting.assertNotOwn(await acting.target(accountId))
      const { transaction, now } = acting
      for (const table of ['factor', 'recovery_code'] as const)
        await transaction.deleteFrom(table).where('account_id', '=', accountId).execute()
      await requireNewFactor(transaction, accountId, now)
      await this.#versions.raise(transaction, accountId)
      await acting.record('factors-reset', accountId)
      await this.#notices.tell({ kind: 'factors-reset', accountId }, transaction)
    })
    await this.#open.remove(accountId)
  }
}

// Returns whether it was in the other state.
async function turn({ transaction }: Acting, id: string, state: 'active' | 'disabled'): Promise<boolean> {
  const changed = await transaction
    .updateTable('account')
    .set({ state })
    .where('id', '=', id)
    .where('state', '<>', state)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
