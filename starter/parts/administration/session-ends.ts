import { inject } from 'sallyport'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { Database } from '../../core/database/database.ts'
import { Notices } from '../../core/mail/notices.ts'
import { OpenSessions } from '../../core/sessions/open-sessions.ts'
import { type Act, Acts } from './acts.ts'
import { Permission } from './permission.ts'

/** Ends sessions and pending logins: those of one account, and everybody's. */
export class SessionEnds {
  readonly #acts = inject(Acts)
  readonly #database = inject(Database)
  readonly #open = inject(OpenSessions)
  readonly #notices = inject(Notices)
  readonly #versions = inject(CredentialVersions)

  /** @returns How many stored sessions of the account were removed. */
  async endAll(act: Act, accountId: string): Promise<number> {
    await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      const target = await acting.target(accountId)
      await this.#versions.raise(acting.transaction, target.id)
      await acting.record('account-sessions-ended', target.id)
      await this.#notices.tell(
        { kind: 'sessions-ended-by-administrator', accountId: target.id },
        acting.transaction,
      )
    })
    return this.#open.remove(accountId)
  }

  /** Ends those of the actor, too. Returns how many stored sessions were removed. */
  async endEverybodys(act: Act): Promise<number> {
    await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      await this.#versions.raise(acting.transaction)
      await acting.record('all-sessions-ended', null)
    })
    let count = 0
    for (const { id } of await this.#database.selectFrom('account').select('id').execute())
      count += await this.#open.remove(id)
    return count
  }
}
