import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import type { FactorReplacement, NewFactorClient } from '../../core/factors/factor-replacement.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { Account } from '../../core/accounts/account.ts'
import { Database } from '../../core/database/database.ts'
import { Mails } from '../../core/mail/mails.ts'
import { Notices } from '../../core/mail/notices.ts'
import { FactorRecovery } from './factor-recovery.ts'

/** A recovery whose waiting time is over allows the enrollment of a new factor. */
export class RecoveredFactor implements FactorReplacement {
  readonly #database = inject(Database)
  readonly #recoveries = inject(FactorRecovery)
  readonly #mails = inject(Mails)
  readonly #notices = inject(Notices)

  /** @returns Whether its waiting time is over. Somebody may have stopped the recovery meanwhile. */
  async isAllowed(accountId: string): Promise<boolean> {
    return (await this.#recoveries.stateOf(accountId)).kind === 'ready'
  }

  /** @returns Whether this call ended the recovery, and removed what was lost. */
  async useUp(
    transaction: Transaction<Schema>,
    accountId: string,
    { label, ...client }: NewFactorClient,
  ): Promise<boolean> {
    if (!(await this.#recoveries.complete(transaction, accountId, client))) return false
    await transaction
      .deleteFrom('factor')
      .where('account_id', '=', accountId)
      .where('state', '=', 'enabled')
      .execute()
    await this.#notices.tell({ kind: 'factors-replaced', accountId, values: { label } }, transaction)
    return true
  }

  /** Sends the last link, beside one that stops the recovery. There is none when it was stopped meanwhile. */
  async sendLink(account: Account, url: string): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      const token = await this.#recoveries.cancelLink(transaction, account.id)
      if (token === undefined) return
      const values = { url, cancel: this.#mails.linkToPage(`/lost/cancel/${token}`) }
      await this.#mails.send({ kind: 'lost-continue', to: account, values }, transaction)
    })
  }
}
