import type { Kysely } from 'kysely'
import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import type { Client } from 'sallyport-app/clients'
import { Attempts, hashedFor, type LimitedSubject } from 'sallyport-app/limits'
import { type Credentials, invalidCredentials } from 'sallyport-app/passwords'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Schema } from '../database/schema.ts'
import { CLIENT_LIMIT, PASSWORD_LIMIT } from '../limits/limits.ts'
import type { SigningIn } from '../sign-in-step.ts'
import { type StoredCredentials, Users } from './users.ts'

/** What was submitted, and by which client. */
export interface PasswordAttempt extends Credentials, Client {}

/** The first door: e-mail address and password. */
export class PasswordCheck {
  readonly #users = inject(Users)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)

  /**
   * Checks an address and a password, at the same cost whether or not the account exists. A hash with an older policy is replaced.
   *
   * @throws {ValidationException} With the one violation `invalid_credentials`, whatever was wrong.
   * @throws {TooManyRequestsException} If the address or the client is locked; the password is not checked then.
   */
  async verify(attempt: PasswordAttempt): Promise<SigningIn> {
    const { email, password, clientAddress } = attempt
    const limits = [PASSWORD_LIMIT.ofAddress(email), ...CLIENT_LIMIT.ofClient(clientAddress)]
    await this.#attempts.assertOpen(limits)
    const account = await this.#users.findByEmail(email)
    // An account that may not sign in is treated as one without a password: even its correct password takes as long as a wrong one.
    const hash = account?.isActive === true ? account.passwordHash : null
    const isRight = await this.#hasher.verify(password, hash, hashedFor(clientAddress))
    // Before anything that only a right password leads to: its time would tell it from a wrong one.
    await this.#attempts.assertOpen(limits)
    const proof =
      isRight && account !== null && hash !== null ? await this.#prove(attempt, account, hash) : null
    return proof ?? this.#refuse(attempt, limits, account?.id ?? null)
  }

  /** Resets the failed passwords of an account, when a login is completed. */
  async forgetFailures(email: string, database: Kysely<Schema>): Promise<void> {
    await this.#attempts.forget([PASSWORD_LIMIT.ofAddress(email)], database)
  }

  async #prove(
    typed: PasswordAttempt,
    { id, credentialVersion }: StoredCredentials,
    hash: string,
  ): Promise<SigningIn | null> {
    if (this.#hasher.needsRehash(hash) && !(await this.#rehash(typed, id, hash))) return null
    const identity = await this.#users.authenticationIdentity(id)
    // Changed while this password was being checked: what was proven is no longer true.
    return identity?.credentialVersion === credentialVersion ? { identifier: id, identity } : null
  }

  // Of several simultaneous logins, one replaces the hash. The others see a new one, and check whether the password has changed.
  async #rehash(typed: PasswordAttempt, id: string, hash: string): Promise<boolean> {
    const turn = hashedFor(typed.clientAddress)
    const replacement = await this.#hasher.hash(typed.password, turn)
    if (await this.#users.replacePasswordHash(id, { expected: hash, replacement })) return true
    const current = await this.#users.findByEmail(typed.email)
    return this.#hasher.verify(typed.password, current?.id === id ? current.passwordHash : null, turn)
  }

  // The lock is recorded once, when it begins: attempts during it would flood the trail.
  async #refuse(
    { email, clientAddress, device }: PasswordAttempt,
    limits: readonly LimitedSubject[],
    accountId: string | null,
  ): Promise<never> {
    const locks = await this.#attempts.count(limits)
    const who = { accountId, clientAddress, device }
    await this.#audit.record({ kind: AuditEvent.PasswordRefused, ...who })
    if (locks.has(PASSWORD_LIMIT.ofAddress(email).subject))
      await this.#audit.record({ kind: AuditEvent.PasswordLocked, ...who })
    throw invalidCredentials()
  }
}
