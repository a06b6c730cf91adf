import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { inject, type Secret } from 'sallyport'
import { ServiceUnavailableException } from 'sallyport/http'
import { Database } from '../database/index.ts'
import { KeyRing, SealedError } from './key-ring.ts'

/** Code of an {@link UnreadableSecretException}. */
export const ERR_SECRET_UNREADABLE = 'ERR_APP_SECRET_UNREADABLE'

// Only an operator can mend it.
const RETRY_SECONDS = 60

/** A secret cannot be opened: a 503, for which nothing in the request is to blame. Its cause, which is reported, tells the operator what to do. */
export class UnreadableSecretException extends ServiceUnavailableException {
  /**
   * @param things What an operator calls what the secret belongs to.
   * @param error Why it cannot be opened.
   */
  constructor(things: string, { message, cause }: SealedError) {
    super('A secret that this needs cannot be opened at the moment', {
      code: ERR_SECRET_UNREADABLE,
      retryAfterSeconds: RETRY_SECONDS,
      cause: new Error(`Cannot open a secret of ${things}: ${message}`, { cause }),
    })
  }
}

// Secrets that are read at once. Each is written alone, so the application goes on meanwhile.
const BATCH = 100

/** Where secrets are, and what they are bound to. */
export interface SealedColumnOptions {
  /** The table. Its rows are told apart by a column `id`, a text. */
  readonly table: string
  /** The column with the secrets; null where a row has none. */
  readonly column: string
  /** The column with what each belongs to. */
  readonly owner: string
  /** What all of them are for. */
  readonly purpose: string
  /** What an operator calls the things that they belong to: `factors`. */
  readonly things: string
}

/** How secrets are sealed. */
export interface SealedSecrets {
  /** Sealed with the first key. */
  readonly current: number
  /** Sealed with a later key, which is still needed. */
  readonly earlier: number
  /** Sealed with a key that is not configured, or damaged. */
  readonly unreadable: number
}

interface SealedSecret {
  readonly id: string
  readonly owner: string
  readonly sealed: string
}

/** The secrets of one column that the `KeyRing` seals, and the replacement of the key that seals them. */
export class SealedColumn {
  readonly #database = inject(Database<unknown>)
  readonly #ring = inject(KeyRing)
  readonly #table: RawBuilder<unknown>
  readonly #column: RawBuilder<unknown>
  readonly #owner: RawBuilder<unknown>
  readonly #purpose: string
  readonly #things: string

  /** @param options Where they are. */
  constructor(options: SealedColumnOptions) {
    this.#table = sql.table(options.table)
    this.#column = sql.ref(options.column)
    this.#owner = sql.ref(options.owner)
    this.#purpose = options.purpose
    this.#things = options.things
  }

  /**
   * Seals a secret for the column.
   *
   * @param owner What it belongs to.
   * @param secret The secret.
   * @returns What the column keeps.
   */
  seal(owner: string, secret: Secret): string {
    return this.#ring.seal([owner, this.#purpose], secret)
  }

  /**
   * Opens a secret of the column.
   *
   * @param owner What it belongs to.
   * @param sealed What the column keeps.
   * @returns The secret.
   * @throws {UnreadableSecretException} If its key is not configured, or it was sealed for another owner or changed since.
   */
  open(owner: string, sealed: string): Secret {
    try {
      return this.#ring.open([owner, this.#purpose], sealed)
    } catch (error) {
      if (!(error instanceof SealedError)) throw error
      throw new UnreadableSecretException(this.#things, error)
    }
  }

  /**
   * Opens a secret of the column where that can be done.
   *
   * @param owner What it belongs to.
   * @param sealed What the column keeps.
   * @returns The secret; undefined where no key opens it.
   */
  tryToOpen(owner: string, sealed: string): Secret | undefined {
    return this.#ring.tryToOpen([owner, this.#purpose], sealed)
  }

  /**
   * Counts.
   *
   * @returns How many secrets are sealed with which key.
   */
  async status(): Promise<SealedSecrets> {
    const count = { current: 0, earlier: 0, unreadable: 0 }
    for await (const { owner, sealed } of this.#secrets()) {
      if (this.tryToOpen(owner, sealed) === undefined) count.unreadable += 1
      else if (this.#ring.isCurrent(sealed)) count.current += 1
      else count.earlier += 1
    }
    return count
  }

  /**
   * Looks for secrets that no key opens.
   *
   * @returns What an operator has to do about them; undefined when there is none.
   */
  async warning(): Promise<string | undefined> {
    const { unreadable } = await this.status()
    if (unreadable === 0) return undefined
    return `no key opens the secrets of some ${this.#things} (${unreadable}): append the key that sealed them to ${this.#ring.variable}, or their owners cannot use them`
  }

  /**
   * Seals every secret with the first key. The application may run meanwhile, if it has both keys: a secret that changes in
   * between is left alone. Interrupted, it goes on where it was when it is called again.
   *
   * @returns How many were sealed anew. What no key opens is left alone.
   */
  async reseal(): Promise<number> {
    let count = 0n
    for await (const { id, owner, sealed } of this.#secrets()) {
      const opened = this.#ring.isCurrent(sealed) ? undefined : this.tryToOpen(owner, sealed)
      if (opened === undefined) continue
      const { numAffectedRows = 0n } = await sql`
        UPDATE ${this.#table} SET ${this.#column} = ${this.seal(owner, opened)}
        WHERE id = ${id} AND ${this.#column} = ${sealed}`.execute(this.#database)
      count += numAffectedRows
    }
    return Number(count)
  }

  async *#secrets(): AsyncGenerator<SealedSecret> {
    for (let last = ''; ;) {
      const { rows } = await sql<SealedSecret>`
        SELECT id, ${this.#owner} AS owner, ${this.#column} AS sealed FROM ${this.#table}
        WHERE id > ${last} AND ${this.#column} IS NOT NULL ORDER BY id LIMIT ${BATCH}`.execute(this.#database)
      yield* rows
      const end = rows.at(-1)?.id
      if (end === undefined) break
      last = end
      // The database answers at once: without a pause, no request would be served meanwhile.
      await nextTurn()
    }
  }
}
