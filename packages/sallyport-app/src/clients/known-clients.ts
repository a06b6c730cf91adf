import { sql, type Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database, type Statement } from '../database/index.ts'
import { type Client, placeOf } from './client.ts'

const DAY_SECONDS = 24 * 60 * 60

/** One row for each network and device that an account was signed in from. */
export interface KnownClientTable {
  /** The account. */
  account_id: string
  /** Empty for an unknown address. */
  network: string
  /** Browser and system by name; empty where they are not known. */
  device: string
  /** Unix timestamp in seconds of the last time. */
  seen_at: number
}

/** What the schema of an application has for known clients. */
export interface KnownClientTables {
  /** Them. */
  known_client: KnownClientTable
}

/**
 * Says what makes the table of known clients: a migration of the application has these statements, behind the table of accounts. They are
 * never edited.
 *
 * @param accounts Name of the table of accounts, whose key is `id`: what is known of an account goes with it.
 * @returns The statements.
 */
export function knownClientTables(accounts: string): readonly Statement[] {
  return [
    `CREATE TABLE known_client (
    account_id TEXT NOT NULL REFERENCES ${accounts} (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    device TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, network, device)
  ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX known_client_age ON known_client (seen_at)',
  ]
}

/** The network and the device of a client, by name. */
export type ClientPlace = Pick<KnownClientTable, 'network' | 'device'>

/**
 * The networks and devices that an account was signed in from. A sign-in is unusual when its network or its device is not among
 * them: somebody with the password and a code comes from elsewhere, even if the browser is a common one. The first sign-in of
 * an account is compared with nothing.
 */
export class KnownClients {
  readonly #database = inject(Database<KnownClientTables>)
  readonly #clock = inject(Clock)
  readonly #keptSeconds: number

  /** @param keptDays How long a client is remembered after its last sign-in. Default: 400. */
  constructor(keptDays = 400) {
    this.#keptSeconds = keptDays * DAY_SECONDS
  }

  /**
   * Remembers the client of a sign-in.
   *
   * @param transaction That of the sign-in.
   * @param accountId Who signed in.
   * @param client From where.
   * @returns Its network and device if they are unusual; otherwise undefined.
   */
  async meet<Tables extends KnownClientTables>(
    transaction: Transaction<Tables>,
    accountId: string,
    client: Client,
  ): Promise<ClientPlace | undefined> {
    const now = this.#clock.timestamp()
    const { device } = client
    const network = placeOf(client.clientAddress)
    const { rows } = await sql<{ isKnown: number; isNetwork: number | null; isDevice: number | null }>`
      SELECT count(*) AS "isKnown", max(CASE WHEN network = ${network} THEN 1 ELSE 0 END) AS "isNetwork",
        max(CASE WHEN device = ${device} THEN 1 ELSE 0 END) AS "isDevice"
      FROM known_client WHERE account_id = ${accountId} AND seen_at > ${now - this.#keptSeconds}`.execute(
      transaction,
    )
    await sql`INSERT INTO known_client (account_id, network, device, seen_at)
      VALUES (${accountId}, ${network}, ${device}, ${now})
      ON CONFLICT (account_id, network, device) DO UPDATE SET seen_at = excluded.seen_at`.execute(transaction)
    const isUnusual = rows.some(
      ({ isKnown, isNetwork, isDevice }) => isKnown > 0 && !(isNetwork === 1 && isDevice === 1),
    )
    return isUnusual ? { network, device } : undefined
  }

  /**
   * Forgets clients that were not seen for too long.
   *
   * @returns How many.
   */
  async sweep(): Promise<bigint> {
    const end = this.#clock.timestamp() - this.#keptSeconds
    const { numDeletedRows } = await this.#database
      .deleteFrom('known_client')
      .where('seen_at', '<=', end)
      .executeTakeFirst()
    return numDeletedRows
  }
}
