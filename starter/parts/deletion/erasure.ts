import { Clock, inject } from 'sallyport'
import { Attempts } from 'sallyport-app/limits'
import { Outbox } from 'sallyport-app/mail'
import { Parts } from '../../core/part.ts'
import { Database } from '../../core/database/database.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { ACCOUNT_LIMITS, ADDRESS_LIMITS, AUTHENTICATOR_LIMIT } from '../../core/limits/limits.ts'
import { Mails } from '../../core/mail/mails.ts'

// How many accounts one run erases: the next one goes on.
const MAX_ERASED = 1000

/**
 * The end of accounts whose waiting time is over. Everything of the account goes with its row; of its past only the audit trail
 * stays, which never had its name or address. The address is free again.
 */
export class Erasure {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #mails = inject(Mails)
  readonly #outbox = inject(Outbox)
  readonly #clock = inject(Clock)
  readonly #parts = inject(Parts)

  /**
   * Erases what is due, each account in a transaction of its own. It may run at any time, and in several processes at once.
   *
   * @returns How many accounts were erased.
   */
  async run(): Promise<number> {
    const due = await this.#database
      .selectFrom('account')
      .select('id')
      .where('leaves_at', '<=', this.#clock.timestamp())
      .limit(MAX_ERASED)
      .execute()
    let count = 0
    for (const { id } of due) if (await this.#erase(id)) count += 1
    return count
  }

  async #erase(id: string): Promise<boolean> {
    const owner = await this.#database.transaction().execute(async (transaction) => {
      const factors = await transaction
        .selectFrom('factor')
        .select('id')
        .where('account_id', '=', id)
        .execute()
      const account = await transaction
        .deleteFrom('account')
        .where('id', '=', id)
        .where('leaves_at', '<=', this.#clock.timestamp())
        .returning(['email', 'email_key', 'language'])
        .executeTakeFirst()
      // It was stopped, or another process is faster.
      if (account === undefined) return undefined
      await transaction.deleteFrom('confirmation').where('email_key', '=', account.email_key).execute()
      const ofAccount = [...ACCOUNT_LIMITS, ...this.#parts.all.flatMap(({ limits = [] }) => limits)]
      const limited = [
        ...ofAccount.map((limit) => limit.of(id)),
        ...ADDRESS_LIMITS.map((limit) => limit.ofAddress(account.email)),
        ...factors.map((factor) => AUTHENTICATOR_LIMIT.of(factor.id)),
      ]
      await this.#attempts.forget(limited, transaction)
      await this.#audit.record(
        { kind: 'account-erased', accountId: id, clientAddress: '', device: '' },
        transaction,
      )
      await this.#mails.send({ kind: 'deletion-done', to: account }, transaction)
      return account
    })
    if (owner === undefined) return false
    await this.#outbox.sendNew()
    return true
  }
}
