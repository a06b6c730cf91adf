import { randomUUID } from 'node:crypto'
import { generateSecret } from 'otplib/functional'
import { Clock, inject, Secret } from 'sallyport'
import { AccountSessions, PasswordHasher } from 'sallyport/auth'
import { Outbox } from 'sallyport-app/mail'
import { CredentialVersions } from '../core/accounts/credential-version.ts'
import type { Account } from '../core/accounts/account.ts'
import { addAccount, type NewAccount, Users } from '../core/accounts/users.ts'
import { Challenges } from '../core/challenges/challenges.ts'
import { Database } from '../core/database/database.ts'
import type { PendingChallenge } from '../core/factors/code-check.ts'
import { FactorVault } from '../core/factors/factor-vault.ts'
import { AuditTrail } from '../core/audit/audit-trail.ts'
import { Leftovers } from '../core/operations/leftovers.ts'
import { RecoveryCodes } from '../core/factors/recovery-codes.ts'
import { isAuthenticator, SecondFactors, type UsableFactor } from '../core/factors/second-factors.ts'
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
  async endSessions(id: string): Promise<number | undefined> {
    await this.#database.transaction().execute((within) => this.#versions.raise(within, id))
    return (await this.authenticationIdentity(id))?.credentialVersion
  }
}

/** @returns What waits for a code. Default: nothing else happens. */
export function pending(id: string, also: Partial<PendingChallenge> = {}): PendingChallenge {
  const client = { clientAddress: '', device: '' }
  return { id, client, reserve: async () => true, accepted: async () => true, ...also }
}

/** The authenticators, and what tests do to them in place of a page. */
export class Authenticators extends TotpFactors {
  readonly #database = inject(Database)
  readonly #vault = inject(FactorVault)
  readonly #factors = inject(SecondFactors)
  readonly #challenges = inject(Challenges)
  readonly #clock = inject(Clock)

  /** Adds an app whose secret nobody has proven: it does not count. */
  async add(
    accountId: string,
    label: string,
    clock: Clock,
  ): Promise<{ readonly id: string; readonly secret: Secret }> {
    const id = randomUUID()
    const secret = new Secret(generateSecret())
    const factor = { id, account_id: accountId, kind: 'totp', label, state: 'unverified' } as const
    await this.#database
      .insertInto('factor')
      .values({ ...factor, secret: this.#vault.seal(accountId, secret), created_at: clock.timestamp() })
      .execute()
    return { id, secret }
  }

  async enableUnproven(id: string, clock: Clock): Promise<void> {
    const changes = { state: 'enabled' as const, enabled_at: clock.timestamp() }
    await this.#database.updateTable('factor').set(changes).where('id', '=', id).execute()
  }

  async list(accountId: string): Promise<readonly UsableFactor[]> {
    return (await this.#factors.held(accountId)).filter(isAuthenticator)
  }

  /** @param challenge What the code is for. Default: something of its own. */
  async verifyAndConsume(
    account: Account,
    code: unknown,
    challenge: PendingChallenge = pending(randomUUID()),
  ): Promise<boolean> {
    await this.#challenges.open(challenge.id, account.id)
    const ending: PendingChallenge = {
      ...challenge,
      accepted: async (database, kind) =>
        (await this.#challenges.end(challenge.id, database)) && challenge.accepted(database, kind),
    }
    return this.for(ending).verifyAndConsume(account, code, this.#clock)
  }
}

/** The services that tests ask for most. */
export class Identity {
  readonly #database = inject(Database)
  readonly #notices = inject(Notices)
  readonly #outbox = inject(Outbox)
  readonly users: Accounts = inject(Accounts)
  readonly factors: Authenticators = inject(Authenticators)
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
