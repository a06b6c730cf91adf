import { getLogger } from '@logtape/logtape'
import { AccountSessions } from 'sallyport/auth'
import { inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { Permission } from './permission.ts'
import { Notices } from '../../core/mail/notices.ts'
import { type Act, Acts } from './acts.ts'

const log = getLogger(['starter', 'administration'])

// Accounts that are read at once.
const BATCH = 200

/** Ends sessions: those of one account, and everybody's. */
export class SessionEnds {
  readonly #acts = inject(Acts)
  readonly #database = inject(Database)
  readonly #sessions = inject(AccountSessions)
  readonly #notices = inject(Notices)
  readonly #versions = inject(CredentialVersions)

  /**
   * Ends all sessions and pending logins of an account.
   *
   * @returns How many stored sessions were removed.
   * @throws {ValidationException} If a rule refuses it.
   * @throws {ForbiddenException} If the actor may not do this.
   * @throws {NotFoundException} If there is no such account.
   */
  async endAll(act: Act, accountId: string): Promise<number> {
    await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      const target = await acting.target(accountId)
      await this.#versions.raise(acting.database, target.id)
      await acting.record('account-sessions-ended', target.id)
    })
    const count = await this.remove(accountId)
    await this.#notices.tell(accountId, 'sessions-ended-by-administrator')
    return count
  }

  /**
   * Ends every session and every pending login, those of the actor included.
   *
   * @returns How many stored sessions were removed.
   * @throws {ValidationException} If a rule refuses it.
   * @throws {ForbiddenException} If the actor may not do this.
   */
  async endEverybodys(act: Act): Promise<number> {
    await this.#acts.perform(act, Permission.AccountsManage, async (acting) => {
      await this.#versions.raiseAll(acting.database)
      await acting.record('all-sessions-ended', null)
    })
    let count = 0
    for await (const id of this.#everybody()) count += await this.remove(id)
    return count
  }

  /**
   * Removes the stored sessions of an account whose credential version was raised: nobody is signed in by them any more. So it
   * is no fault if the store cannot be reached; they end there by themselves.
   *
   * @returns How many were removed.
   */
  async remove(accountId: string): Promise<number> {
    try {
      return await this.#sessions.endAll(accountId)
    } catch (error) {
      log.warn('The stored sessions of {account} could not be removed: they are void', {
        account: accountId,
        error,
      })
      return 0
    }
  }

  async *#everybody(): AsyncGenerator<string> {
    for (let last = ''; ;) {
      const rows = await this.#database
        .selectFrom('account')
        .select('id')
        .where('id', '>', last)
        .orderBy('id')
        .limit(BATCH)
        .execute()
      for (const { id } of rows) yield id
      const end = rows.at(-1)?.id
      if (end === undefined) return
      last = end
    }
  }
}
