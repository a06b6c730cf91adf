import { inject } from 'sallyport'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { Permission } from './permission.ts'
import { Notices } from '../../core/mail/notices.ts'
import { type Act, Acts } from './acts.ts'
import { keepingAnAdministrator } from './last-administrator.ts'
import { SessionEnds } from './session-ends.ts'

/** Disables and enables accounts. */
export class AccountStates {
  readonly #acts = inject(Acts)
  readonly #sessions = inject(SessionEnds)
  readonly #notices = inject(Notices)
  readonly #versions = inject(CredentialVersions)

  /**
   * Disables an account: nobody signs in to it, and its sessions and pending logins end.
   *
   * @returns Whether it was enabled before.
   * @throws {ValidationException} If a rule refuses it: it is the own account, or that of the last administrator.
   * @throws {ForbiddenException} If the actor may not do this.
   * @throws {NotFoundException} If there is no such account.
   */
  async disable(act: Act, accountId: string): Promise<boolean> {
    const isDisabled = await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      const target = await acting.target(accountId)
      acting.assertNotOwn(target)
      return keepingAnAdministrator(acting.database, async () => {
        const changed = await acting.database
          .updateTable('account')
          .set({ state: 'disabled' })
          .where('id', '=', target.id)
          .where('state', '=', 'active')
          .executeTakeFirst()
        if (changed.numUpdatedRows !== 1n) return false
        await this.#versions.raise(acting.database, target.id)
        await acting.record('account-disabled', target.id)
        return true
      })
    })
    if (!isDisabled) return false
    await this.#sessions.remove(accountId)
    await this.#notices.tell(accountId, 'account-disabled')
    return true
  }

  /**
   * Enables an account again. Sessions from before stay ended.
   *
   * @returns Whether it was disabled before.
   * @throws {ValidationException} If a rule refuses it.
   * @throws {ForbiddenException} If the actor may not do this.
   * @throws {NotFoundException} If there is no such account.
   */
  async enable(act: Act, accountId: string): Promise<boolean> {
    const isEnabled = await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      const target = await acting.target(accountId)
      const changed = await acting.database
        .updateTable('account')
        .set({ state: 'active' })
        .where('id', '=', target.id)
        .where('state', '=', 'disabled')
        .executeTakeFirst()
      if (changed.numUpdatedRows !== 1n) return false
      await acting.record('account-enabled', target.id)
      return true
    })
    if (isEnabled) await this.#notices.tell(accountId, 'account-enabled')
    return isEnabled
  }
}
