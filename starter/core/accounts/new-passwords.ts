import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import type { Violation } from 'sallyport/input'
import { Attempts, hashedFor } from 'sallyport-app/limits'
import { PasswordRule, SAME_PASSWORD } from 'sallyport-app/passwords'
import { AuditEvent } from '../audit/audit-trail.ts'
import { BRAND } from '../brand.ts'
import { HASH_LIMIT } from '../limits/limits.ts'
import { type Changing, CredentialChanges } from './credential-change.ts'
import { Users } from './users.ts'

/** Judges new passwords: none may be little more than the name of this site, or what everybody knows of its owner. */
export const PASSWORD_RULE: PasswordRule = new PasswordRule({ minCharacters: 8, words: [BRAND.name] })

/** Who chooses a password: what everybody knows of them, and what it must not be. */
export interface PasswordOwner {
  readonly email: string
  readonly name?: string | undefined
  /** Hash of the present password, which is none to choose again. Default: there is none. */
  readonly passwordHash?: string | null
}

/** Passwords that owners choose, from what was typed to what is stored. */
export class NewPasswords {
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #changes = inject(CredentialChanges)
  readonly #users = inject(Users)

  /**
   * @param by Whom the hashes are counted for: an account, or the link of a mail.
   * @returns The hash; what is wrong with the password when it may not be used.
   * @throws {TooManyRequestsException} If too many were made.
   */
  async hash(
    password: string,
    { email, name = '', passwordHash: present = null }: PasswordOwner,
    by: { readonly id: string; readonly clientAddress: string },
  ): Promise<string | Violation> {
    const violation = PASSWORD_RULE.violation(password, [name, email])
    if (violation !== undefined) return violation
    return this.#attempts.spend([HASH_LIMIT.of(by.id)], async () => {
      const turn = hashedFor(by.clientAddress)
      if (present !== null && (await this.#hasher.verify(password, present, turn))) return SAME_PASSWORD
      return this.#hasher.hash(password, turn)
    })
  }

  /**
   * Changes the password of an owner who has proven the present one, or has none yet and has proven what stands for it: if the stored hash
   * is still the one that was proven.
   *
   * @returns The new version of the credentials; undefined when they have changed meanwhile.
   */
  change(
    by: Changing,
    hashes: { readonly expected: string | null; readonly replacement: string },
  ): Promise<number | undefined> {
    const { accountId } = by
    return this.#changes.make(by, async (transaction) => {
      if (!(await this.#users.replacePasswordHash(accountId, hashes, transaction))) return undefined
      return { event: AuditEvent.PasswordChanged, notices: [{ kind: 'password-changed', accountId }] }
    })
  }
}
