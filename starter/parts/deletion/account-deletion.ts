import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { allOrNothing } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import { createLinkToken, linkDigest } from 'sallyport-app/mail'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { CredentialVersions, type HeldCredentials } from '../../core/accounts/credential-version.ts'
import { Parts } from '../../core/part.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import type { WriteMail } from '../../core/mail/mails.ts'
import { Notices } from '../../core/mail/notices.ts'

/** How many days an account stays after its owner asked to delete it. */
export const DELETION_DAYS = 14

const DELETION_SECONDS = DELETION_DAYS * 24 * 60 * 60

/** Who asks to delete the own account. */
export interface DeletionRequest extends Client {
  readonly accountId: string
  /** Credentials that the session was confirmed with. All sessions end, that of the request, too. */
  readonly held: HeldCredentials
}

/** A deletion that waits. */
export interface WaitingDeletion {
  /** Token of the link that stops it. */
  readonly token: string
  /** Unix timestamp from which the account is erased. */
  readonly dueAt: number
}

/**
 * The deletion of an account by its owner. All sessions end at once; the account itself is erased after a waiting time, because who
 * has taken over an account must not destroy it for good. Until it is erased, a completed sign-in or the link in the mail stops it.
 */
export class AccountDeletion {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #leaving = inject(Parts).all.flatMap(({ leaving }) => leaving ?? [])
  readonly #versions = inject(CredentialVersions)

  /**
   * Begins the waiting time: in one transaction with the end of every session, of the tokens of programs and of everything that
   * mails have begun, and with the record and the mail. Of several requests, one counts.
   *
   * @returns Whether it did; not when the credentials have changed meanwhile.
   * @throws {ValidationException} If a part refuses it.
   */
  async request(
    { accountId, held, ...client }: DeletionRequest,
    write: WriteMail<WaitingDeletion>,
  ): Promise<boolean> {
    const { token, digest } = createLinkToken('account-deletion')
    const now = this.#clock.timestamp()
    const dueAt = now + DELETION_SECONDS
    const isAsked = await allOrNothing(this.#database, async (transaction) => {
      const request = async (): Promise<true | undefined> => {
        const version = await this.#versions.advance(transaction, accountId, { ...held, mark: undefined })
        if (version === undefined) return undefined
        await setEnd(transaction, accountId, dueAt)
        await transaction.insertInto('account_deletion').values({ account_id: accountId, digest }).execute()
        await this.#audit.record({ kind: 'deletion-requested', accountId, ...client }, transaction)
        await write({ token, dueAt }, transaction)
        return true
      }
      return this.#leaving.reduce<typeof request>((work, leave) => () => leave(transaction, work), request)()
    })
    return isAsked === true
  }

  /** @returns From when on the account is erased; undefined when the link is outdated. Nothing is used up by asking. */
  async stoppable(token: string): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('account_deletion')
      .innerJoin('account', 'account.id', 'account_id')
      .select('leaves_at')
      .where('digest', '=', linkDigest('account-deletion', token))
      .executeTakeFirst()
    return row?.leaves_at ?? undefined
  }

  /**
   * Stops a deletion by the link in its mail. Of several uses, one counts.
   *
   * @returns Reference of the account; undefined when the link is outdated.
   */
  stop(token: string, client: Client): Promise<string | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      const link = await transaction
        .selectFrom('account_deletion')
        .select('account_id')
        .where('digest', '=', linkDigest('account-deletion', token))
        .executeTakeFirst()
      if (link === undefined) return undefined
      return (await this.stopIn(transaction, link.account_id, client)) ? link.account_id : undefined
    })
  }

  /**
   * Stops the deletion of an account, and tells its owner.
   *
   * @returns Whether there was one.
   */
  async stopIn(transaction: Transaction<Schema>, accountId: string, client: Client): Promise<boolean> {
    if (!(await setEnd(transaction, accountId, null))) return false
    await this.#audit.record({ kind: 'deletion-stopped', accountId, ...client }, transaction)
    await this.#notices.tell({ kind: 'deletion-stopped', accountId }, transaction)
    return true
  }
}

// Returns whether anything changed: the row count decides. The link of an earlier request ends with it.
async function setEnd(
  transaction: Transaction<Schema>,
  accountId: string,
  dueAt: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('account')
    .set({ leaves_at: dueAt })
    .where('id', '=', accountId)
    .where('leaves_at', 'is distinct from', dueAt)
    .executeTakeFirst()
  const isChanged = numUpdatedRows === 1n
  if (isChanged || dueAt !== null)
    await transaction.deleteFrom('account_deletion').where('account_id', '=', accountId).execute()
  return isChanged
}
