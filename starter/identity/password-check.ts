import type { PasswordHasher } from 'sallyport/auth'
import type { Attempt, Attempts } from './attempts.ts'
import { AuditEvent, type AuditTrail } from './audit-trail.ts'
import { CLIENT_LIMIT, clientSubject, PASSWORD_LIMIT, passwordSubject } from './limits.ts'
import type { AuthenticationIdentity, Users } from './users.ts'
import { invalidCredentials } from './violations.ts'

// Longer text is no address (RFC 5321, 4.5.3.1.3) and no password that the hasher would look at.
const EMAIL_CHARACTERS = 254
const PASSWORD_BYTES = 1024

/** What was typed, of any type, and where it came from. */
export interface PasswordAttempt {
  /** The field `email`. */
  readonly email: unknown
  /** The field `password`. */
  readonly password: unknown
  /** Address of the client. */
  readonly clientAddress: string
}

/** Somebody whose password was right. Not authenticated by that alone. */
export interface PasswordProof {
  /** Account reference. */
  readonly identifier: string
  /** The account and its permissions at this moment. */
  readonly identity: AuthenticationIdentity
}

/** The first door: an address and a password. */
export class PasswordCheck {
  readonly #users: Users
  readonly #hasher: PasswordHasher
  readonly #attempts: Attempts
  readonly #audit: AuditTrail

  /**
   * @param services `users`, the `hasher`, the limits in `attempts`, and the `audit` trail.
   */
  constructor(services: {
    readonly users: Users
    readonly hasher: PasswordHasher
    readonly attempts: Attempts
    readonly audit: AuditTrail
  }) {
    this.#users = services.users
    this.#hasher = services.hasher
    this.#attempts = services.attempts
    this.#audit = services.audit
  }

  /**
   * Checks an address and a password. One hash is computed whether or not the account exists. A hash of an older
   * policy is replaced; a password that somebody changed meanwhile is never overwritten.
   *
   * @param attempt What was typed and from where.
   * @returns Whose password it was.
   * @throws {ValidationException} With the one violation `invalid_credentials`, whatever was wrong.
   * @throws {TooManyRequestsException} If the address or the client is locked; the password is not looked at.
   * @throws {ServiceUnavailableException} If too many hashes are wanted at the moment; nothing is counted then.
   */
  async verify(attempt: PasswordAttempt): Promise<PasswordProof> {
    const { clientAddress } = attempt
    const typed = parse(attempt)
    if (typed === undefined) throw invalidCredentials()

    const reserved = await this.#reserve(typed.email, clientAddress)
    const judged = await this.#judge(typed).catch(async (error: unknown) => {
      await this.#takeBack(reserved)
      throw error
    })
    if (judged.proof === null) {
      await this.#recordRefusal(typed.email, { accountId: judged.accountId, clientAddress })
      throw invalidCredentials()
    }
    await this.#takeBack(reserved)
    return judged.proof
  }

  /**
   * Forgets the failed passwords of an account, after a login that was completed.
   *
   * @param email Address of the account.
   */
  async forgetFailures(email: string): Promise<void> {
    await this.#attempts.forget(passwordSubject(email))
  }

  async #judge(typed: Typed): Promise<{ proof: PasswordProof | null; accountId: string | null }> {
    const account = await this.#users.findByEmail(typed.email)
    const refused = { proof: null, accountId: account?.id ?? null }
    const hash = account?.passwordHash ?? null
    if (!(await this.#hasher.verify(typed.password, hash)) || account === null || hash === null)
      return refused
    if (this.#hasher.needsRehash(hash)) {
      const replacement = await this.#hasher.hash(typed.password)
      if (!(await this.#users.replacePasswordHash(account.id, hash, replacement))) return refused
    }
    const identity = await this.#users.authenticationIdentity(account.id)
    return identity === null
      ? refused
      : { proof: { identifier: account.id, identity }, accountId: account.id }
  }

  async #reserve(email: string, clientAddress: string): Promise<readonly Attempt[]> {
    const reserved: Attempt[] = []
    try {
      reserved.push(await this.#attempts.reserve(passwordSubject(email), PASSWORD_LIMIT))
      reserved.push(await this.#attempts.reserve(clientSubject(clientAddress), CLIENT_LIMIT))
      return reserved
    } catch (error) {
      await this.#takeBack(reserved)
      throw error
    }
  }

  // The lock is recorded once, by the failure that brings it: what is refused during it would fill the trail.
  async #recordRefusal(
    email: string,
    who: { readonly accountId: string | null; readonly clientAddress: string },
  ): Promise<void> {
    await this.#audit.record({ kind: AuditEvent.PasswordRefused, ...who })
    if ((await this.#attempts.lockedSeconds(passwordSubject(email), PASSWORD_LIMIT)) === 0) return
    await this.#audit.record({ kind: AuditEvent.PasswordLocked, ...who })
  }

  async #takeBack(reserved: readonly Attempt[]): Promise<void> {
    for (const attempt of reserved) await this.#attempts.takeBack(attempt)
  }
}

interface Typed {
  readonly email: string
  readonly password: string
}

function parse({ email, password }: PasswordAttempt): Typed | undefined {
  if (typeof email !== 'string' || typeof password !== 'string' || password === '') return undefined
  const trimmed = email.trim()
  if (trimmed.length > EMAIL_CHARACTERS || !/^[^\s@]+@[^\s@]+$/.test(trimmed)) return undefined
  if (Buffer.byteLength(password) > PASSWORD_BYTES || !password.isWellFormed()) return undefined
  return { email: trimmed, password }
}
