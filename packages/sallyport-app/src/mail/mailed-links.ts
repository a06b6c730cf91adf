import { sql, type Transaction } from 'kysely'
import { type Connection, MAX_SKEW_SECONDS } from '../database/index.ts'
import { createLinkToken, linkDigest } from './link-tokens.ts'

/** What the table of every kind of links has. */
export interface LinkRow {
  /** Digest of the token in the link. */
  readonly digest: string
  /** Unix timestamp in seconds. */
  readonly expires_at: number
}

/** Links of mails that open something, and are gone once they are used. Each kind has a table with a row for each link. */
export class MailedLinks<Row extends LinkRow> {
  readonly #table
  readonly #purpose: string
  readonly #seconds: number

  /**
   * @param table Name of its table.
   * @param purpose What the link does.
   * @param lifetimeSeconds How long it can be used.
   */
  constructor(table: string, purpose: string, lifetimeSeconds: number) {
    this.#table = sql.table(table)
    this.#purpose = purpose
    this.#seconds = lifetimeSeconds
  }

  /**
   * Digests a token.
   *
   * @param token The token of a link.
   * @returns What is stored of it.
   */
  digest(token: string): string {
    return linkDigest(this.#purpose, token)
  }

  /**
   * Makes a link. Those that have expired are deleted.
   *
   * @param transaction Where.
   * @param values The other columns of its row.
   * @param now Unix timestamp in seconds.
   * @returns Its token.
   */
  async make<Tables>(
    transaction: Transaction<Tables>,
    values: Omit<Row, keyof LinkRow>,
    now: number,
  ): Promise<string> {
    const { token, digest } = createLinkToken(this.#purpose)
    const row = { digest, expires_at: now + this.#seconds, ...values }
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
    await sql`DELETE FROM ${this.#table} WHERE expires_at <= ${now}`.execute(transaction)
    await sql`INSERT INTO ${this.#table} (${columns}) VALUES (${sql.join(Object.values(row))})`.execute(
      transaction,
    )
    return token
  }

  /**
   * Finds a link. It uses nothing up: programs that check mails open links, too. What is found expired is deleted, so that it does not open when the clock
   * is set back. One that lives longer than it may was made before that, and is refused as well.
   *
   * @param database Where.
   * @param token Its token.
   * @param now Unix timestamp in seconds.
   * @returns Its row; undefined when there is none that is live.
   */
  async find<Tables>(database: Connection<Tables>, token: string, now: number): Promise<Row | undefined> {
    const digest = this.digest(token)
    const { rows } = await sql<Row>`SELECT * FROM ${this.#table} WHERE digest = ${digest}`.execute(database)
    const [row] = rows
    if (row !== undefined && row.expires_at <= now)
      await sql`DELETE FROM ${this.#table} WHERE digest = ${digest} AND expires_at <= ${now}`.execute(
        database,
      )
    return row !== undefined && this.#isLive(row, now) ? row : undefined
  }

  /**
   * Uses a link up. Of several requests with one link, one gets it.
   *
   * @param transaction Where.
   * @param token Its token.
   * @param now Unix timestamp in seconds.
   * @returns Its row; undefined when it is outdated.
   */
  async take<Tables>(transaction: Transaction<Tables>, token: string, now: number): Promise<Row | undefined> {
    const { rows } = await sql<Row>`
      DELETE FROM ${this.#table} WHERE digest = ${this.digest(token)} RETURNING *`.execute(transaction)
    return rows.find((row) => this.#isLive(row, now))
  }

  #isLive({ expires_at: end }: LinkRow, now: number): boolean {
    return end > now && end <= now + this.#seconds + MAX_SKEW_SECONDS
  }
}
