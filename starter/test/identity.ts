import { type Clock, inject } from 'sallyport'
import { AccountSessions, PasswordHasher } from 'sallyport/auth'
import { Outbox } from 'sallyport-app/mail'
import { CredentialVersions } from '../core/accounts/credential-version.ts'
import { addAccount, type NewAccount, Users } from '../core/accounts/users.ts'
import { Database } from '../core/database/database.ts'
import { AuditTrail } from '../core/audit/audit-trail.ts'
import { Leftovers } from '../core/operations/leftovers.ts'
import { RecoveryCodes } from '../core/factors/recovery-codes.ts'
import { SecondFactors } from '../core/factors/second-factors.ts'
import { TotpFactors } from '../core/factors/totp-factors.ts'
import { type Notice, Notices } from '../core/mail/notices.ts'
import { FactorPolicy } from '../core/factors/factor-policy.ts'

/** The accounts, and what tests do to them in place of a page or a command. */
export class Accounts extends Users {
  readonly #database = inject(Database)
  readonly #versions = inject(CredentialVersions)

  async add(account: NewAccount, clock: Clock): Promise<string> {
    const transaction = this.#database.transaction()
    const id = await transaction.execute((within) => addAccount(within, account, clock.timestamp()))
    if (id === undefined) throw new Error(`${account.email} has an account`)
    return id
  }

  async disable(id: string): Promise<void> {
    await this.#database.updateTable('account').set({ state: 'disabled' }).where('id', '=', id).execute()
    await this.endSessions(id)
  }

  async enable(id: string): Promise<void> {
    await this.#database.updateTable('account').set({ state: 'active' }).where('id', '=', id).execute()
  }

  /** @returns The new version of its credentials. */
  endSessions(id: string): Promise<number | undefined> {
    return this.#database.transaction().execute((within) => this.#versions.raise(within, id))
  }
}

/** The services that tests ask for most. */
export class Identity {
  readonly #database = inject(Database)
  readonly #notices = inject(Notices)
  readonly #outbox = inject(Outbox)
  readonly users: Accounts = inject(Accounts)
  readonly factors: TotpFactors = inject(TotpFactors)
  readonly secondFactors: SecondFactors = inject(SecondFactors)
  readonly codes: RecoveryCodes = inject(RecoveryCodes)
  readonly hasher: PasswordHasher = inject(PasswordHasher)
  readonly policy: FactorPolicy = inject(FactorPolicy)
  readonly audit: AuditTrail = inject(AuditTrail)
  readonly leftovers: Leftovers = inject(Leftovers)
  readonly stored: AccountSessions = inject(AccountSessions)

  /** Sends the owner of an account a notice, about nothing. */
  async tell(notice: Notice): Promise<void> {
    await this.#database.transaction().execute((transaction) => this.#notices.tell(notice, transaction))
    await this.#outbox.sendNew()
  }
}
