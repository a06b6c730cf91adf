import type { Kysely } from 'kysely'
import type { Clock } from 'sallyport'
import type { Schema } from '../../database/schema.ts'

/** How many days before its end the owner of a token is told. Every token lives longer than that. */
export const TOLD_DAYS = 3

const TOLD_SECONDS = TOLD_DAYS * 24 * 60 * 60
// How many one run takes: the next one goes on.
const MAX_TAKEN = 1000

/** A token that ends soon. */
export interface EndingToken {
  /** Address of its account. */
  readonly email: string
  /** Language of its mails. */
  readonly language: string
  /** Name given by its owner. */
  readonly name: string
  /** Unix timestamp of its end. */
  readonly expiresAt: number
}

/** API tokens that end soon, while their programs still run. One that is suspended is told when it counts again. */
export class EndingTokens {
  readonly #database: Kysely<Schema>
  readonly #clock: Clock

  /**
   * @param services `database` of the accounts and the `clock`.
   */
  constructor(services: { readonly database: Kysely<Schema>; readonly clock: Clock }) {
    this.#database = services.database
    this.#clock = services.clock
  }

  /**
   * Takes those whose owners were not told, each once, whichever process asks.
   *
   * @returns Each, when it is taken.
   */
  async *take(): AsyncGenerator<EndingToken> {
    const now = this.#clock.timestamp()
    const ending = await this.#database
      .selectFrom('api_token')
      .innerJoin('account', 'account.id', 'api_token.account_id')
      .select(['api_token.id', 'api_token.name', 'api_token.expires_at', 'account.email', 'account.language'])
      .where('told_at', 'is', null)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', now + TOLD_SECONDS)
      .where('account.state', '=', 'active')
      .whereRef('account.credential_version', '=', 'api_token.credential_version')
      .limit(MAX_TAKEN)
      .execute()
    for (const { id, email, language, name, expires_at: expiresAt } of ending)
      if (await this.#take(id, now)) yield { email, language, name, expiresAt }
  }

  // Decides: it was revoked, or another process is faster.
  async #take(id: string, now: number): Promise<boolean> {
    const taken = await this.#database
      .updateTable('api_token')
      .set({ told_at: now })
      .where('id', '=', id)
      .where('told_at', 'is', null)
      .executeTakeFirst()
    return taken.numUpdatedRows === 1n
  }
}
