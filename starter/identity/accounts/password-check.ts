import { PasswordHasher } from 'sallyport/auth'
import { getLogger } from '@logtape/logtape'
import type { Kysely } from 'kysely'
import { inject } from 'sallyport'
import type { ShownForm } from 'sallyport/input'
import { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { Attempts, type LimitedSubject, type Try } from '../limits/attempts.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import type { Credentials } from './credentials.ts'
import type { Proofs } from '../step-up/proofs.ts'
import {
  CLIENT_LIMIT,
  clientSubject,
  hashedFor,
  PASSWORD_LIMIT,
  passwordSubject,
  RIGHT_PASSWORD_LIMIT,
  rightPasswordSubject,
} from '../limits/limits.ts'
import { type AuthenticationIdentity, Users } from './users.ts'
import { invalidCredentials } from './invalid-credentials.ts'

const log = getLogger(['starter', 'limits'])

/** What was submitted, and by which client. */
export interface PasswordAttempt extends Credentials, Client {}

/** A user whose password was correct. This alone does not authenticate the user. */
export interface PasswordProof {
  /** Account reference. */
  readonly identifier: string
  /** The account and its current permissions. */
  readonly identity: AuthenticationIdentity
  /** What was proven in this login, and when, for a step-up. Default: nothing. */
  readonly proven?: Proofs
  /** The form of the second door, with the fields that parts have there. Default: none. */
  readonly form?: ShownForm
}

/** What follows a password that was right. */
export interface AfterPassword {
  /** Records it, in the transaction that takes its attempt back; without one in its own. Default: nothing is recorded. */
  readonly record?: (database?: Kysely<Schema>) => Promise<void>
}

/** The first door: e-mail address and password. */
export class PasswordCheck {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  #hasWarned = false

  /**
   * Checks an e-mail address and a password. The cost is the same whether or not the account exists. A hash with an older
   * policy is replaced; a password changed in the meantime is never overwritten.
   *
   * @param attempt What was submitted, and the client's address.
   * @returns The account.
   * @throws {ValidationException} With the one violation `invalid_credentials`, whatever was wrong.
   * @throws {TooManyRequestsException} If the address or the client is locked; the password is not checked then.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  async verify(attempt: PasswordAttempt): Promise<PasswordProof> {
    const { proven } = await this.prove<AfterPassword & { readonly proven: PasswordProof }>(
      attempt,
      async (proven) => ({ proven }),
    )
    return proven
  }

  /**
   * Checks an e-mail address and a password like `verify()`, and records a right one in the transaction that takes its attempt back.
   *
   * @param attempt What was submitted, and the client's address.
   * @param follow Called when the password was right: finds out what follows, and what records it. If it fails, or what it returns
   *   cannot record, nothing is proven and nothing counted.
   * @returns What follows.
   * @throws {ValidationException} As `verify()`.
   * @throws {TooManyRequestsException} As `verify()`.
   * @throws {ServiceUnavailableException} As `verify()`.
   */
  async prove<After extends AfterPassword>(
    attempt: PasswordAttempt,
    follow: (proof: PasswordProof) => Promise<After>,
  ): Promise<After> {
    const { email, clientAddress, device } = attempt
    const judged = await this.#attempts.judge(this.#limits(email, clientAddress), async (counted) => {
      const { proof, accountId } = await this.#judge(attempt)
      if (proof === null) return { accountId }
      const after = await follow(proof)
      await this.#accept(counted, after)
      return { after }
    })
    if ('after' in judged) return judged.after
    await this.#recordRefusal(email, { accountId: judged.accountId, clientAddress, device })
    throw invalidCredentials()
  }

  /**
   * Resets the failed passwords of an account, when a login is completed.
   *
   * @param email Address of the account.
   * @param database The transaction to use.
   */
  async forgetFailures(email: string, database: Kysely<Schema>): Promise<void> {
    await this.#attempts.forget([passwordSubject(email)], database)
  }

  async #judge(
    typed: PasswordAttempt,
  ): Promise<{ readonly proof: PasswordProof | null; readonly accountId: string | null }> {
    const account = await this.#users.findByEmail(typed.email)
    const refused = { proof: null, accountId: account?.id ?? null }
    // An account that may not sign in is treated as one without a password: even its correct password takes as long as a wrong one.
    const hash = account?.isActive === true ? account.passwordHash : null
    const isRight = await this.#hasher.verify(typed.password, hash, hashedFor(typed.clientAddress))
    if (!isRight || account === null || hash === null) return refused
    if (this.#hasher.needsRehash(hash) && !(await this.#rehash(typed, account.id, hash))) return refused

    const identity = await this.#users.authenticationIdentity(account.id)
    // Changed while this password was being checked: what was proven is no longer true.
    if (identity?.credentialVersion !== account.credentialVersion) return refused
    return { proof: { identifier: account.id, identity }, accountId: account.id }
  }

  async #accept(counted: Try, { record }: AfterPassword): Promise<void> {
    if (record === undefined) return counted.takeBack()
    await this.#database.transaction().execute(async (transaction) => {
      await counted.takeBack(transaction)
      await record(transaction)
    })
  }

  // Of several simultaneous logins, one replaces the hash. The others see a new hash and check whether the password has
  // changed.
  async #rehash(typed: PasswordAttempt, id: string, hash: string): Promise<boolean> {
    const turn = hashedFor(typed.clientAddress)
    const replacement = await this.#hasher.hash(typed.password, turn)
    if (await this.#users.replacePasswordHash(id, { expected: hash, replacement })) return true
    const current = await this.#users.findByEmail(typed.email)
    return this.#hasher.verify(typed.password, current?.id === id ? current.passwordHash : null, turn)
  }

  // Clients without a known address must not share a limit: fifty wrong passwords would lock out all of them.
  #limits(email: string, clientAddress: string): readonly LimitedSubject[] {
    const byAddress: readonly LimitedSubject[] = [
      { subject: passwordSubject(email), limit: PASSWORD_LIMIT },
      { subject: rightPasswordSubject(email), limit: RIGHT_PASSWORD_LIMIT, countsRight: true },
    ]
    const client = clientSubject(clientAddress)
    if (client !== undefined) return [...byAddress, { subject: client, limit: CLIENT_LIMIT }]
    if (!this.#hasWarned) log.warn('Clients are not limited: the server does not know their addresses')
    this.#hasWarned = true
    return byAddress
  }

  // Recorded once, when the lock begins: attempts during the lock would flood the trail.
  async #recordRefusal(email: string, who: Client & { readonly accountId: string | null }): Promise<void> {
    await this.#audit.record({ kind: AuditEvent.PasswordRefused, ...who })
    if ((await this.#attempts.lockedSeconds(passwordSubject(email), PASSWORD_LIMIT)) === 0) return
    await this.#audit.record({ kind: AuditEvent.PasswordLocked, ...who })
  }
}
