import type { Kysely, Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import { z } from 'zod'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import { Attempts, Limit, type LimitedSubject } from 'sallyport-app/limits'
import { MailedLinks } from 'sallyport-app/mail'
import { identityIn } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { BegunLock, LockLinks } from '../../core/factors/lock-links.ts'
import { Notices } from '../../core/mail/notices.ts'
import type { NoticeLink } from '../../core/mail/objection-links.ts'

/** How long the link of a mail about a lock can be used. */
export const UNLOCK_LINK_SECONDS: number = 60 * 60

/** How long an unlocked browser may try codes although the factor is locked. */
export const UNLOCKED_SECONDS: number = 10 * 60

/** Failed codes in an unlocked browser. They count for nothing else: the lock holds for everybody else. */
export const UNLOCKED_LIMIT: Limit = new Limit('unlocked', 5)

// Session key of an unlocked browser. It signs nobody in: password and code are asked for as always.
const UNLOCKED_KEY = 'unlocked'
const unlockedSchema = z.object({ identifier: z.string(), id: z.string(), expires_at: z.int() })

const LINKS: MailedLinks<FactorUnlockTable> = new MailedLinks('factor_unlock', 'unlock', UNLOCK_LINK_SECONDS)

/** The links of mails about locked factors: each unlocks one browser, once. */
export class UnlockLinks implements LockLinks {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /** @returns The link of the mail about it; undefined when there is no such account any more. */
  async begin(transaction: Transaction<Schema>, { accountId }: BegunLock): Promise<NoticeLink | undefined> {
    const identity = await identityIn(transaction, accountId)
    if (identity === null) return undefined
    const row = { account_id: accountId, credential_version: identity.credentialVersion }
    const token = await LINKS.make(transaction, row, this.#clock.timestamp())
    return { id: 'factor-locked.unlock', path: `/unlock/${token}` }
  }

  /** @returns What counts the tries of this browser; undefined when it has no unlock, or its tries are spent. */
  async unlockOf(session: Session, accountId: string): Promise<LimitedSubject | undefined> {
    const { data } = unlockedSchema.safeParse(await session.get(UNLOCKED_KEY))
    if (data?.identifier !== accountId) return undefined
    const left = data.expires_at - this.#clock.timestamp()
    const unlock = UNLOCKED_LIMIT.of(data.id)
    const isOpen = left > 0 && left <= UNLOCKED_SECONDS && (await this.#attempts.lockedSeconds(unlock)) === 0
    return isOpen ? unlock : undefined
  }

  /** @returns Whether it can still be used. Nothing is used up by asking. */
  async isOpen(token: string): Promise<boolean> {
    const row = await LINKS.find(this.#database, token, this.#clock.timestamp())
    return row !== undefined && (await isOfPresentCredentials(this.#database, row))
  }

  /**
   * Uses a link up, records it and tells the owner, in one transaction; then unlocks the browser. The session gets a new identifier, so that
   * nobody who knew the old one goes on with it.
   *
   * @returns Whether the link could be used: of several uses at once, one could.
   */
  async unlock(token: string, session: Session, client: Client): Promise<boolean> {
    const now = this.#clock.timestamp()
    const accountId = await allOrNothing(this.#database, async (transaction) => {
      const row = await LINKS.take(transaction, token, now)
      if (row === undefined || !(await isOfPresentCredentials(transaction, row))) return undefined
      const about = { kind: 'factor-unlocked', accountId: row.account_id } as const
      await this.#audit.record({ ...about, ...client }, transaction)
      await this.#notices.tell(about, transaction)
      return row.account_id
    })
    if (accountId === undefined) return false
    await session.regenerateId()
    const expiresAt = now + UNLOCKED_SECONDS
    const id = LINKS.digest(token)
    await session.set(UNLOCKED_KEY, { identifier: accountId, id, expires_at: expiresAt })
    return true
  }
}

/** One row for each lock of a factor, with the link in the mail that tells it, for an hour. */
export interface FactorUnlockTable {
  /** Digest of the token in the link. */
  digest: string
  account_id: string
  /** Credential version of the account at the lock: any change of credentials ends the link. */
  credential_version: number
  expires_at: number
}

async function isOfPresentCredentials(
  database: Kysely<Schema>,
  { account_id: id, credential_version: version }: FactorUnlockTable,
): Promise<boolean> {
  return (await identityIn(database, id))?.credentialVersion === version
}
