import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import { type AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { type Notice, Notices } from '../mail/notices.ts'
import { CredentialVersions, type HeldCredentials } from './credential-version.ts'

/** Who changes the credentials of an account, from where, and what the session or the enrollment has kept of them. */
export interface Changing extends Client, HeldCredentials {
  readonly accountId: string
}

/** What a change is recorded as, and what its owner is told. */
export interface ChangeReport {
  readonly event: AuditEvent
  readonly notices: readonly Notice[]
}

/** The changes that owners make of their credentials. */
export class CredentialChanges {
  readonly #database = inject(Database)
  readonly #versions = inject(CredentialVersions)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)

  /**
   * In one transaction: the change, the new version, which ends every other session and pending login of the account, the record and the
   * mails. Of several changes at once, one happens.
   *
   * @param act Makes the change. Where it returns undefined, nothing happens.
   * @returns The new version; undefined when nothing has happened, because `act` says so or the credentials have changed meanwhile.
   */
  make(
    by: Changing,
    act: (transaction: Transaction<Schema>) => Promise<ChangeReport | undefined>,
  ): Promise<number | undefined> {
    const { accountId, clientAddress, device } = by
    return allOrNothing(this.#database, async (transaction) => {
      const report = await act(transaction)
      if (report === undefined) return undefined
      // As long as it is the same, nothing else has changed the credentials since, and session or enrollment still stand.
      const credentialVersion = await this.#versions.advance(transaction, accountId, by)
      if (credentialVersion === undefined) return undefined
      await this.#audit.record({ kind: report.event, accountId, clientAddress, device }, transaction)
      for (const notice of report.notices) await this.#notices.tell(notice, transaction)
      return credentialVersion
    })
  }
}
