import { sql, type Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { type Client, parseDevice, placeOf } from 'sallyport-app/clients'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { deviceMessage, placeMessage } from '../clients/client-messages.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { Notices } from '../mail/notices.ts'

/** How long a client is remembered after its last sign-in. */
export const CLIENT_KEPT_DAYS = 400
const CLIENT_KEPT_SECONDS = CLIENT_KEPT_DAYS * 24 * 60 * 60

/**
 * The networks and devices that an account was signed in from. A sign-in is unusual when its network or its device is not among
 * them: somebody with the password and a code comes from elsewhere, even if the browser is a common one. The first sign-in of
 * an account is compared with nothing.
 */
export class KnownClients {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /**
   * Remembers the client of a sign-in, in its transaction. One that is unusual is recorded, and its owner gets a mail.
   */
  async meet(transaction: Transaction<Schema>, accountId: string, client: Client): Promise<void> {
    const now = this.#clock.timestamp()
    const { network, device } = keyOf(client)
    const { rows } = await sql<{ isKnown: number; isNetwork: number | null; isDevice: number | null }>`
      SELECT count(*) AS "isKnown", max(CASE WHEN network = ${network} THEN 1 ELSE 0 END) AS "isNetwork",
        max(CASE WHEN device = ${device} THEN 1 ELSE 0 END) AS "isDevice"
      FROM known_client WHERE account_id = ${accountId} AND seen_at > ${now - CLIENT_KEPT_SECONDS}`.execute(
      transaction,
    )
    await sql`INSERT INTO known_client (account_id, network, device, seen_at)
      VALUES (${accountId}, ${network}, ${device}, ${now})
      ON CONFLICT (account_id, network, device) DO UPDATE SET seen_at = excluded.seen_at`.execute(transaction)
    const isUnusual = rows.some(
      ({ isKnown, isNetwork, isDevice }) => isKnown > 0 && !(isNetwork === 1 && isDevice === 1),
    )
    if (!isUnusual) return
    await this.#audit.record({ kind: AuditEvent.UnusualSignIn, accountId, ...client }, transaction)
    const values = { device: deviceMessage(parseDevice(device)), place: placeMessage(network) }
    await this.#notices.tell({ kind: 'new-sign-in', accountId, values }, transaction)
  }

  /** @returns How many were forgotten, because they were not seen for too long. */
  async sweep(): Promise<bigint> {
    const end = this.#clock.timestamp() - CLIENT_KEPT_SECONDS
    const { numDeletedRows } = await this.#database
      .deleteFrom('known_client')
      .where('seen_at', '<=', end)
      .executeTakeFirst()
    return numDeletedRows
  }
}

function keyOf({ clientAddress, device }: Client): { readonly network: string; readonly device: string } {
  return { network: placeOf(clientAddress), device }
}
