import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { generateSecret } from 'otplib/functional'
import { Clock, inject, Secret } from 'sallyport'
import type { Account } from '../accounts/account.ts'
import { BRAND } from '../brand.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { ENROLLMENT_SECONDS } from '../limits/limits.ts'
import type { HeldKind } from './factor-kinds.ts'
import { FactorVault } from './factor-vault.ts'
import { FactorKinds } from './known-kinds.ts'
import { parseTotpCode } from './totp-code.ts'

/** How many secrets of an account wait for their first code at once, each in a session of its own. The oldest makes way. */
export const MAX_SETUPS = 10

/** What an authenticator needs. */
export interface TotpSetup {
  /** The secret in Base32, to be typed. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/** The first right code of an authenticator. */
export interface FirstCode {
  readonly kind: HeldKind
  /** Its moving factor (RFC 4226), which counts as used. */
  readonly step: number
}

/**
 * The secrets that were shown and wait for their first code. Until then the row of such a factor is unverified, and another page of the same
 * session shows the same secret.
 */
export class ShownSecrets {
  readonly #database = inject(Database)
  readonly #vault = inject(FactorVault)
  readonly #kinds = inject(FactorKinds)
  readonly #clock = inject(Clock)

  /**
   * Shows the secret to set up: the same one until it expires or cannot be opened. Those of other sessions stay: whoever proves one first
   * changes the credentials, which ends the others.
   *
   * @param id Identifier that the session keeps, so that no other session is shown the same secret.
   * @returns Undefined when this set-up was proven meanwhile.
   */
  show(account: Account, id: string, kind: HeldKind = 'totp'): Promise<TotpSetup | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      const shown = await this.#find(transaction, account.id, id)
      const known = shown && this.#vault.tryToOpen(account.id, shown.secret)
      if (shown !== undefined && known !== undefined) return this.setupOf(account, shown.kind, known)
      await this.#makeRoom(transaction, account.id, id)
      const secret = new Secret(generateSecret())
      const sealed = { secret: this.#vault.seal(account.id, secret), created_at: this.#clock.timestamp() }
      const inserted = await transaction
        .insertInto('factor')
        .values({ id, account_id: account.id, kind, label: '', state: 'unverified', ...sealed })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return inserted.numInsertedOrUpdatedRows === 1n ? this.setupOf(account, kind, secret) : undefined
    })
  }

  /** @returns What an authenticator of this kind needs. */
  setupOf({ email }: Pick<Account, 'email'>, kind: HeldKind, secret: Secret): TotpSetup {
    const uri = this.#kinds.codesOf(kind)?.uri({ issuer: BRAND.name, label: email, secret: secret.reveal() })
    if (uri === undefined) throw new Error(`Cannot set up a factor of the kind "${kind}": it has no codes`)
    return { secret, uri: new Secret(uri) }
  }

  /**
   * @returns What the code is; `wrong` when it is none of the secret, and undefined when no such secret waits for one.
   * @throws {ServiceUnavailableException} If the secret cannot be opened.
   */
  async match(accountId: string, id: string, code: unknown): Promise<FirstCode | 'wrong' | undefined> {
    const shown = await this.#find(this.#database, accountId, id)
    if (shown === undefined) return undefined
    const token = parseTotpCode(code)
    if (token === undefined) return 'wrong'
    const { kind } = shown
    const secret = this.#vault.open(accountId, shown.secret)
    const now = this.#clock.timestamp()
    const step = await this.#kinds.codesOf(kind)?.match({ secret, token, last: null, now })
    return step === undefined ? 'wrong' : { kind, step }
  }

  // For one more: what has expired goes, an earlier secret of the same session, and the oldest of too many.
  async #makeRoom(database: Kysely<Schema>, accountId: string, id: string): Promise<void> {
    const kept = this.#waiting(database, accountId)
      .select('id')
      .where('id', '<>', id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(MAX_SETUPS - 1)
    await database
      .deleteFrom('factor')
      .where('account_id', '=', accountId)
      .where('state', '=', sql.lit('unverified'))
      .where('id', 'not in', kept)
      .execute()
  }

  #find(
    database: Kysely<Schema>,
    accountId: string,
    id: string,
  ): Promise<{ readonly kind: HeldKind; readonly secret: string } | undefined> {
    return this.#waiting(database, accountId)
      .select(['kind', 'secret'])
      .where('id', '=', id)
      .where('secret', 'is not', null)
      .$narrowType<{ secret: string }>()
      .executeTakeFirst()
  }

  // One that is dated in the future, because the clock was set back, would never expire.
  #waiting(database: Kysely<Schema>, accountId: string): SelectQueryBuilder<Schema, 'factor', object> {
    const now = this.#clock.timestamp()
    return database
      .selectFrom('factor')
      .where('account_id', '=', accountId)
      .where('state', '=', sql.lit('unverified'))
      .where('created_at', '>', now - ENROLLMENT_SECONDS)
      .where('created_at', '<=', now)
  }
}
