import { inject } from 'sallyport'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { Notices } from '../../core/mail/notices.ts'
import { OpenSessions } from '../../core/sessions/open-sessions.ts'
import { type Act, type Acting, Acts } from './acts.ts'
import { keepingAnAdministrator } from './last-administrator.ts'
import { Permission } from './permission.ts'

/** Disables and enables accounts. */
export class AccountStates {
  readonly #acts = inject(Acts)
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
    if (!isDisabled) return false
    await this.#open.remove(accountId)
    return true
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
