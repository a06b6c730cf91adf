import { type Kysely, sql, type Transaction } from 'kysely'
import { MAX_SKEW_SECONDS } from 'sallyport-app/database'
import type { Schema } from '../database/schema.ts'
import { createLinkToken, linkDigest, type LinkPurpose } from './link-tokens.ts'

/** What the table of every kind of links has. */
interface LinkRow {
  readonly digest: string
  readonly expires_at: number
}

/** Links of mails that open something, and are gone once they are used. Each kind has a table with a row for each link. */
export class MailedLinks<Row extends LinkRow> {
  readonly #table
  readonly #purpose: LinkPurpose
  readonly #seconds: number

  constructor(table: keyof Schema, purpose: LinkPurpose, lifetimeSeconds: number) {
    this.#table = sql.table(table)
    this.#purpose = purpose
    this.#seconds = lifetimeSeconds
  }

  /** @returns What is stored of the token. */
  digest(token: string): string {
    return linkDigest(this.#purpose, token)
  }

  /** @returns The token of a new link. Those that have expired are deleted. */
  async make(
    transaction: Transaction<Schema>,
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
   * Uses nothing up: programs that check mails open links, too. What is found expired is deleted, so that it does not open when the clock
   * is set back. One that lives longer than it may was made before that, and is refused as well.
   */
  async find(database: Kysely<Schema>, token: string, now: number): Promise<Row | undefined> {
    const digest = this.digest(token)
    const { rows } = await sql<Row>`SELECT * FROM ${this.#table} WHERE digest = ${digest}`.execute(database)
    const [row] = rows
    if (row !== undefined && row.expires_at <= now)
      await sql`DELETE FROM ${this.#table} WHERE digest = ${digest} AND expires_at <= ${now}`.execute(
        database,
      )
    return row !== undefined && this.#isLive(row, now) ? row : undefined
  }

  /** @returns The link, which is used up now; undefined when it is outdated. Of several requests with one link, one gets it. */
  async take(transaction: Transaction<Schema>, token: string, now: number): Promise<Row | undefined> {
    const { rows } = await sql<Row>`
      DELETE FROM ${this.#table} WHERE digest = ${this.digest(token)} RETURNING *`.execute(transaction)
    return rows.find((row) => this.#isLive(row, now))
  }

  #isLive({ expires_at: end }: LinkRow, now: number): boolean {
    return end > now && end <= now + this.#seconds + MAX_SKEW_SECONDS
  }
}
