import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import { Attempts, hashedFor } from 'sallyport-app/limits'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import { HASH_LIMIT } from '../limits/limits.ts'
import { Notices } from '../mail/notices.ts'
import type { Account } from './account.ts'
import { CredentialVersions, type HeldCredentials } from './credential-version.ts'
import { Users } from './users.ts'

/** A new password of a signed-in user, already judged by the rule for new ones. */
export interface ChosenPassword extends Client, HeldCredentials {
  readonly password: string
}

/** Why a password was not changed: it is the present one, or the credentials have changed meanwhile. */
export type ChangeRefusal = 'same' | 'outdated'

/** The change of a password by its owner, who has proven the present one, or has none yet and has proven what stands for it. */
export class PasswordChange {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #versions = inject(CredentialVersions)
  readonly #notices = inject(Notices)

  /**
   * Changes the password if the stored hash is still the one that was proven: in one transaction with the end of every other session,
   * the record and the mail. Returns the new credential version.
   */
  change(account: Account, chosen: ChosenPassword): Promise<number | ChangeRefusal> {
    return this.#attempts.spend([HASH_LIMIT.of(account.id)], () => this.#change(account, chosen))
  }

  async #change({ id, email }: Account, chosen: ChosenPassword): Promise<number | ChangeRefusal> {
    const { password, clientAddress, device } = chosen
    const stored = await this.#users.findByEmail(email)
    if (stored?.id !== id || stored.credentialVersion !== chosen.credentialVersion) return 'outdated'
    const { passwordHash: expected } = stored
    const turn = hashedFor(clientAddress)
    if (expected !== null && (await this.#hasher.verify(password, expected, turn))) return 'same'
    const replacement = await this.#hasher.hash(password, turn)
    const version = await allOrNothing(this.#database, async (transaction) => {
      if (!(await this.#users.replacePasswordHash(id, { expected, replacement }, transaction)))
        return undefined
      const entry = { kind: AuditEvent.PasswordChanged, accountId: id, clientAddress, device }
      await this.#audit.record(entry, transaction)
      // Compared as well: this session must not outlive what ended it meanwhile.
      const credentialVersion = await this.#versions.advance(transaction, id, chosen)
      if (credentialVersion !== undefined)
        await this.#notices.tell({ kind: 'password-changed', accountId: id }, transaction)
      return credentialVersion
    })
    return version ?? 'outdated'
  }
}
