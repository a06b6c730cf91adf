import { getLogger } from '@logtape/logtape'
import { type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { deviceMessage, placeMessage } from '../clients/client-messages.ts'
import { type Client, placeOf } from '../clients/client.ts'
import { parseDevice } from '../clients/device.ts'
import { Notices } from '../mail/notices.ts'

const log = getLogger(['starter', 'sessions'])

/** How long a client is remembered after its last sign-in. */
export const CLIENT_KEPT_DAYS = 400
const CLIENT_KEPT_SECONDS = CLIENT_KEPT_DAYS * 24 * 60 * 60

/** How many clients of an account are remembered: those that it was signed in from last. A forgotten one is reported again. */
export const MAX_KNOWN_CLIENTS = 100

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
   * Remembers the client of a sign-in, and records one that is unusual.
   *
   * @returns Whether there is something to `tell()`: an unusual sign-in, or an earlier one of the client that was not told.
   */
  async meet(database: Kysely<Schema>, accountId: string, client: Client): Promise<boolean> {
    const now = this.#clock.timestamp()
    const row = keyOf(client)
    const known = await this.#known(database, accountId, now)
    const isUnusual =
      known.length > 0 &&
      !(
        known.some(({ network }) => network === row.network) &&
        known.some(({ device }) => device === row.device)
      )
    await makeRoom(database, accountId, { known, row })
    await sql`INSERT INTO known_client (account_id, network, device, seen_at, told)
      VALUES (${accountId}, ${row.network}, ${row.device}, ${now}, ${isUnusual ? 0 : 1})
      ON CONFLICT (account_id, network, device) DO UPDATE
      SET seen_at = excluded.seen_at, told = min(told, excluded.told)`.execute(database)
    if (isUnusual)
      await this.#audit.record({ kind: AuditEvent.UnusualSignIn, accountId, ...client }, database)
    const isUntold = ({ network, device, told }: KnownClient): boolean =>
      network === row.network && device === row.device && told === 0
    return isUnusual || known.some(isUntold)
  }

  /**
   * Tells the owner of an unusual sign-in, once. What was recorded and not told, because the process was killed in between, is
   * told at the next sign-in of this client. It never fails.
   */
  async tell(accountId: string, client: Client): Promise<void> {
    const { network, device } = keyOf(client)
    try {
      // The row count decides: of several sign-ins at once, one tells.
      const told = await this.#database
        .updateTable('known_client')
        .set({ told: 1 })
        .where('account_id', '=', accountId)
        .where('network', '=', network)
        .where('device', '=', device)
        .where('told', '=', 0)
        .executeTakeFirst()
      if (told.numUpdatedRows !== 1n) return
    } catch (error) {
      log.error('A sign-in of {accountId} could not be reported to its owner', { accountId, error })
      return
    }
    const values = { device: deviceMessage(parseDevice(device)), place: placeMessage(network) }
    await this.#notices.tell(accountId, 'new-sign-in', values)
  }

  /**
   * Forgets clients that were not seen for too long.
   *
   * @returns How many that were.
   */
  async sweep(): Promise<bigint> {
    const end = this.#clock.timestamp() - CLIENT_KEPT_SECONDS
    const gone = await this.#database
      .deleteFrom('known_client')
      .where('seen_at', '<=', end)
      .executeTakeFirst()
    return gone.numDeletedRows
  }

  async #known(database: Kysely<Schema>, accountId: string, now: number): Promise<readonly KnownClient[]> {
    const { rows } = await sql<KnownClient>`SELECT network, device, told FROM known_client
      WHERE account_id = ${accountId} AND seen_at > ${now - CLIENT_KEPT_SECONDS} ORDER BY seen_at`.execute(
      database,
    )
    return rows
  }
}

interface KnownClient {
  readonly network: string
  readonly device: string
  readonly told: number
}

// The one that was seen last is the last of them.
async function makeRoom(
  database: Kysely<Schema>,
  accountId: string,
  { known, row }: { readonly known: readonly KnownClient[]; readonly row: ReturnType<typeof keyOf> },
): Promise<void> {
  if (known.some(({ network, device }) => network === row.network && device === row.device)) return
  for (const { network, device } of known.slice(0, Math.max(0, known.length - MAX_KNOWN_CLIENTS + 1)))
    await database
      .deleteFrom('known_client')
      .where('account_id', '=', accountId)
      .where('network', '=', network)
      .where('device', '=', device)
      .execute()
}

function keyOf({ clientAddress, device }: Client): { readonly network: string; readonly device: string } {
  return { network: placeOf(clientAddress), device }
}
