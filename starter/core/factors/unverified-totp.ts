import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { generateSecret } from 'otplib/functional'
import { Clock, inject, Secret } from 'sallyport'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { FactorVault } from './factor-vault.ts'
import type { HeldKind } from './factor-kinds.ts'
import { FactorKinds } from './known-kinds.ts'
import { UnreadableSecretException } from './unreadable-secret.ts'
import { parseTotpCode } from './totp-code.ts'

/** How long a secret that was shown can be proven. Afterwards it is deleted, and a new one is made. */
export const ENROLLMENT_SECONDS: number = 15 * 60

/** How many secrets of an account wait for their first code at once, each in a session of its own. The oldest makes way. */
export const MAX_SETUPS = 10

/** What authenticators call this application. */
export const ISSUER = 'Sallyport starter'

/** What an authenticator needs. */
export interface TotpSetup {
  /** The secret in Base32, to be typed. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/** A factor that is being set up. */
export interface NewFactor {
  /** Identifier that the session keeps, so that no other session is shown the same secret. */
  readonly id: string
  /** Name for the factor. */
  readonly label: string
  /** Its kind. Default: an authenticator app. */
  readonly kind?: HeldKind
}

/** The first right code of a factor. */
export interface FirstCode {
  /** Identifier of the factor. */
  readonly factorId: string
  /** Its kind. */
  readonly kind: HeldKind
  /** Its moving factor (RFC 4226): time step, or counter. */
  readonly step: number
  /** Unix timestamp in seconds. */
  readonly now: number
}

/** Authenticators whose secret was shown and not yet proven: they count for nothing. */
export class UnverifiedTotp {
  readonly #database = inject(Database)
  readonly #vault = inject(FactorVault)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)

  /**
   * Shows the secret to set up: the same one until it expires or cannot be opened, so that a page can be loaded again. Those of
   * other sessions stay, as many as `MAX_SETUPS` allows: whoever proves one first changes the credentials, which ends the others.
   *
   * @returns What an authenticator needs.
   */
  async show(
    database: Kysely<Schema>,
    account: Account,
    { id, label, kind = 'totp' }: NewFactor,
  ): Promise<TotpSetup> {
    const shown = await this.#find(database, account.id, id)
    const known = shown === undefined ? undefined : this.#opened(account.id, shown.secret)
    if (shown !== undefined && known !== undefined) return this.#setupOf(account, shown.kind, known)
    await this.#makeRoom(database, account.id, id)
    const secret = new Secret(generateSecret())
    const row = {
      id,
      account_id: account.id,
      kind,
      label,
      state: 'unverified',
      secret: this.#vault.seal(account.id, secret),
      last_step: null,
      created_at: this.#clock.timestamp(),
      enabled_at: null,
      used_at: null,
    } as const
    await database.insertInto('factor').values(row).execute()
    return this.#setupOf(account, kind, secret)
  }

  /**
   * @returns The code's step; null for a wrong code; `gone` when no such secret waits for a code: it has expired, was
   *   proven, or made way for others.
   * @throws {UnreadableSecretException} If the secret cannot be opened: the page shows a new one.
   */
  async match(account: Account, factorId: string, code: unknown): Promise<FirstCode | 'gone' | null> {
    const token = parseTotpCode(code)
    const shown = await this.#find(this.#database, account.id, factorId)
    if (shown === undefined) return 'gone'
    if (token === undefined) return null
    const now = this.#clock.timestamp()
    const { kind } = shown
    const secret = this.#vault.open(account.id, shown.secret)
    const step = await this.#kinds.codesOf(kind)?.match({ secret, token, last: null, now })
    return step === undefined ? null : { factorId, kind, step, now }
  }

  /**
   * Lets the factor count. Its first code counts as used. The row count decides: of several codes sent at once, one does it.
   *
   * @returns Whether this call did it.
   */
  async enable(
    database: Kysely<Schema>,
    accountId: string,
    { factorId, kind, step, now }: FirstCode,
  ): Promise<boolean> {
    const enabled = await database
      .updateTable('factor')
      .set({ state: 'enabled', enabled_at: now, used_at: now, last_step: step })
      .where('id', '=', factorId)
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('state', '=', 'unverified')
      .executeTakeFirst()
    if (enabled.numUpdatedRows !== 1n) return false
    await database.insertInto('used_step').values({ factor_id: factorId, step }).execute()
    return true
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

  // What nobody has proven is replaced rather than kept for the right key.
  #opened(accountId: string, sealed: string): Secret | undefined {
    try {
      return this.#vault.open(accountId, sealed)
    } catch (error) {
      if (error instanceof UnreadableSecretException) return undefined
      throw error
    }
  }

  async #find(
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

  #setupOf({ email }: Account, kind: HeldKind, secret: Secret): TotpSetup {
    const codes = this.#kinds.codesOf(kind)
    if (codes === undefined) throw new Error(`Cannot set up a factor of the kind "${kind}": it has no codes`)
    const uri = codes.uri({ issuer: ISSUER, label: email, secret: secret.reveal() })
    return { secret, uri: new Secret(uri) }
  }
}
