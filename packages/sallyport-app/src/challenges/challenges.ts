import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { type Connection, Database, type Statement } from '../database/index.ts'
import { narrowed } from '../database/internal.ts'

// Rows are kept longer than any challenge lives. After that they limit nothing.
const KEPT_SECONDS = 3600

/** One row for each challenge that was opened, or has counted an attempt. */
export interface CodeChallengeTable {
  /** Its identifier, which the session that waits keeps. */
  id: string
  /** Whose code it waits for. */
  account_id: string
  /** Attempts so far. */
  attempts: number
  /** When it began, as a Unix timestamp in seconds. */
  created_at: number
  /** When a code was accepted, in the transaction that used it up; null before. Afterwards no other code is accepted. */
  ended_at: number | null
}

/** What the schema of an application has for challenges. */
export interface CodeChallengeTables {
  /** Them. */
  challenge: CodeChallengeTable
}

/**
 * Says what makes the table of challenges: a migration of the application has these statements, behind the table of accounts. They are
 * never edited.
 *
 * @param accounts Name of the table of accounts, whose key is `id`: the challenges of an account go with it.
 * @returns The statements.
 */
export function codeChallengeTables(accounts: string): readonly Statement[] {
  return [
    `CREATE TABLE challenge (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES ${accounts} (id) ON DELETE CASCADE,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX challenge_age ON challenge (created_at)',
    // They go with their account.
    'CREATE INDEX challenge_account ON challenge (account_id)',
  ]
}

/** What an application says about its challenges. */
export interface ChallengeOptions {
  /** Name of the table of accounts, whose key is `id`. */
  readonly accounts: string
  /** How many codes may be tried for one challenge. */
  readonly attempts: number
}

/**
 * What waits for a code: a sign-in at its second step, or an action that is to be confirmed. Its attempts and its end are stored in the
 * database and not in the session, so restoring an older copy of a session gains nothing.
 */
export class Challenges {
  readonly #database = inject(Database<CodeChallengeTables>)
  readonly #clock = inject(Clock)
  readonly #accounts: RawBuilder<unknown>
  readonly #attempts: number

  /** @param options The accounts, and how often a code may be tried. */
  constructor({ accounts, attempts }: ChallengeOptions) {
    this.#accounts = sql.table(accounts)
    this.#attempts = attempts
  }

  /**
   * Counts an attempt, before the code is checked.
   *
   * @param id The challenge; it is opened with its first attempt.
   * @param accountId Whose code it waits for.
   * @param database The transaction to use. Default: none.
   * @returns How many are left after this one; undefined when none was left, or the challenge or the account has ended.
   */
  async reserve<Tables extends CodeChallengeTables>(
    id: string,
    accountId: string,
    database?: Connection<Tables>,
  ): Promise<number | undefined> {
    const { rows } = await sql<{ readonly attempts: number }>`
      INSERT INTO challenge (id, account_id, attempts, created_at)
      SELECT ${id}, id, 1, ${this.#clock.timestamp()} FROM ${this.#accounts} WHERE id = ${accountId}
      ON CONFLICT (id) DO UPDATE SET attempts = challenge.attempts + 1
        WHERE challenge.attempts < ${this.#attempts} AND challenge.ended_at IS NULL
      RETURNING attempts`.execute(this.#within(database))
    const [row] = rows
    return row === undefined ? undefined : this.#attempts - row.attempts
  }

  /**
   * Opens a challenge that counts no attempts, unless it is open already, or its account was erased.
   *
   * @param id The challenge.
   * @param accountId Whose code it waits for.
   * @param database The transaction to use. Default: none.
   */
  async open<Tables extends CodeChallengeTables>(
    id: string,
    accountId: string,
    database?: Connection<Tables>,
  ): Promise<void> {
    await sql`INSERT INTO challenge (id, account_id, attempts, created_at)
      SELECT ${id}, id, 0, ${this.#clock.timestamp()} FROM ${this.#accounts} WHERE id = ${accountId}
      ON CONFLICT (id) DO NOTHING`.execute(this.#within(database))
  }

  /**
   * Says whether a challenge still waits.
   *
   * @param id The challenge.
   * @param database The transaction to use. Default: none.
   * @returns Whether it was opened and has not ended: no code was accepted for it.
   */
  async isOpen<Tables extends CodeChallengeTables>(
    id: string,
    database?: Connection<Tables>,
  ): Promise<boolean> {
    const row = await this.#within(database)
      .selectFrom('challenge')
      .select('id')
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Ends a challenge.
   *
   * @param id The challenge.
   * @param database The transaction to use. Default: none.
   * @returns Whether this call ended it: of several callers, one does.
   */
  async end<Tables extends CodeChallengeTables>(id: string, database?: Connection<Tables>): Promise<boolean> {
    const ended = await this.#within(database)
      .updateTable('challenge')
      .set({ ended_at: this.#clock.timestamp() })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return ended.numUpdatedRows === 1n
  }

  /**
   * Deletes what limits nothing any more. It may run at any time, and in several processes at once.
   *
   * @returns How many were deleted.
   */
  async sweep(): Promise<bigint> {
    const now = this.#clock.timestamp()
    // If the clock was set back, challenges dated in the future count from now on and keep their attempts.
    await this.#database
      .updateTable('challenge')
      .set({ created_at: now })
      .where('created_at', '>', now)
      .execute()
    const gone = await this.#database
      .deleteFrom('challenge')
      .where('created_at', '<=', now - KEPT_SECONDS)
      .executeTakeFirst()
    return gone.numDeletedRows
  }

  #within<Tables extends CodeChallengeTables>(
    database: Connection<Tables> | undefined,
  ): Kysely<CodeChallengeTables> {
    return database === undefined ? this.#database : narrowed(database)
  }
}
