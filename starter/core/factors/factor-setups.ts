import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import { generateSecret } from 'otplib/functional'
import { Clock, inject, Secret } from 'sallyport'
import { allOrNothing } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import { Attempts } from 'sallyport-app/limits'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { CredentialVersions, type HeldCredentials } from '../accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { BRAND } from '../brand.ts'
import { ENROLLMENT_LIMIT, ENROLLMENT_SECONDS } from '../limits/limits.ts'
import { Notices } from '../mail/notices.ts'
import { removeFactor } from './factor-changes.ts'
import type { HeldKind } from './factor-kinds.ts'
import { FactorPolicy } from './factor-policy.ts'
import { FactorVault } from './factor-vault.ts'
import { FactorKinds } from './known-kinds.ts'
import { RecoveryCodes, type RecoveryCodeSet, replaceRecoveryCodes } from './recovery-codes.ts'
import { isAuthenticator, SecondFactors } from './second-factors.ts'
import { parseTotpCode } from './totp-code.ts'

/** How many authenticators an account may have at once: a code is compared with each of them. */
export const MAX_AUTHENTICATORS = 25

/** How many secrets of an account wait for their first code at once, each in a session of its own. The oldest makes way. */
export const MAX_SETUPS = 10

/** What an authenticator needs. */
export interface TotpSetup {
  /** The secret in Base32, to be typed. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/** The first code of an authenticator. */
export interface TypedSetup extends Client, HeldCredentials {
  /** Identifier of the set-up, as the session keeps it. */
  readonly factorId: string
  readonly label: string
  readonly code: unknown
  /** Identifier of the authenticator whose place it takes. Default: none. */
  readonly replaces?: string | null
  /** Whether it is set up before a sign-in. New recovery codes come with it then. Default: by a signed-in user. */
  readonly isEnrollment?: boolean
  /** Removes, in the same transaction, all factors that are lost, and uses up what allows that. Default: the others stay. */
  readonly replacesAll?: ((transaction: Transaction<Schema>) => Promise<boolean>) | undefined
}

/** An authenticator that counts from now on. */
export interface AddedFactor {
  /** The new one: every other session of the account has ended. */
  readonly credentialVersion: number
  readonly kind: HeldKind
  /** The recovery codes that come with the first one, to be shown once. */
  readonly set: RecoveryCodeSet | undefined
  /** Name of the authenticator whose place it took; undefined for none. */
  readonly replaced: string | undefined
}

/**
 * Why none was added. `wrong`: the code, which is counted. `full`: the account has `MAX_AUTHENTICATORS`. `outdated`: the secret does not
 * wait for a code any more, or the credentials have changed meanwhile.
 */
export type SetupRefusal = 'wrong' | 'full' | 'outdated'

/**
 * Authenticators that are set up: a secret is shown, and counts once a code of it was proven. Until then its row is unverified, and
 * another page of the same session shows the same secret.
 */
export class FactorSetups {
  readonly #database = inject(Database)
  readonly #vault = inject(FactorVault)
  readonly #kinds = inject(FactorKinds)
  readonly #factors = inject(SecondFactors)
  readonly #attempts = inject(Attempts)
  readonly #codes = inject(RecoveryCodes)
  readonly #audit = inject(AuditTrail)
  readonly #versions = inject(CredentialVersions)
  readonly #policy = inject(FactorPolicy)
  readonly #notices = inject(Notices)
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
  setupOf({ email }: Account, kind: HeldKind, secret: Secret): TotpSetup {
    const uri = this.#kinds.codesOf(kind)?.uri({ issuer: BRAND.name, label: email, secret: secret.reveal() })
    if (uri === undefined) throw new Error(`Cannot set up a factor of the kind "${kind}": it has no codes`)
    return { secret, uri: new Secret(uri) }
  }

  /** @returns Whether the account has as many authenticators as it may. */
  async isFull(accountId: string): Promise<boolean> {
    return (await this.#factors.held(accountId)).filter(isAuthenticator).length >= MAX_AUTHENTICATORS
  }

  /**
   * Enables the authenticator with its first code, which counts as used: in one transaction with the removal of those that it replaces,
   * the recovery codes that come with it, the end of every other session of the account, and the record.
   *
   * @throws {TooManyRequestsException} If there were too many wrong codes.
   * @throws {ServiceUnavailableException} If the secret cannot be opened, or too many callers wait for a hash; nothing is counted then.
   */
  async prove({ id }: Account, typed: TypedSetup): Promise<AddedFactor | SetupRefusal> {
    const limited = [ENROLLMENT_LIMIT.of(id)]
    await this.#attempts.assertOpen(limited)
    const shown = await this.#find(this.#database, id, typed.factorId)
    if (shown === undefined) return 'outdated'
    const step = await this.#match(id, shown, typed.code)
    if (step === undefined) {
      await this.#attempts.count(limited)
      return 'wrong'
    }
    await this.#attempts.assertOpen(limited)
    const isAddition = (typed.replaces ?? null) === null && typed.replacesAll === undefined
    // The version that the session has kept is older than this count: one that is added meanwhile makes it outdated.
    if (isAddition && (await this.isFull(id))) return 'full'
    return (await this.#enable(id, { ...typed, kind: shown.kind, step })) ?? 'outdated'
  }

  // The version is compared: as long as it is the same, no other factor has come or gone since, and the enrollment still stands.
  async #enable(accountId: string, proven: ProvenSetup): Promise<AddedFactor | undefined> {
    const { kind, label, replaces = null, replacesAll, isEnrollment } = proven
    const { clientAddress, device } = proven
    const needsCodes = isEnrollment === true || !(await this.#factors.isRequired(accountId))
    const set = needsCodes ? await this.#codes.prepare(accountId, proven) : undefined
    return allOrNothing(this.#database, async (transaction) => {
      if ((await replacesAll?.(transaction)) === false) return undefined
      const credentialVersion = await this.#versions.advance(transaction, accountId, proven)
      if (credentialVersion === undefined) return undefined
      if (!(await this.#setEnabled(transaction, accountId, proven))) return undefined
      const replaced = replaces === null ? undefined : await removeFactor(transaction, accountId, replaces)
      if (replaces !== null && replaced === undefined) return undefined
      if (set !== undefined) await replaceRecoveryCodes(transaction, accountId, set)
      await this.#policy.fulfilled(transaction, accountId)
      const event = replaces === null ? AuditEvent.FactorEnabled : AuditEvent.FactorReplaced
      await this.#audit.record({ kind: event, accountId, clientAddress, device }, transaction)
      const tell = (kind: 'factor-added' | 'factor-removed', name: string): Promise<void> =>
        this.#notices.tell({ kind, accountId, values: { label: name } }, transaction)
      // What took the place of all others has a mail of its own.
      if (replacesAll === undefined) await tell('factor-added', label)
      if (replaced !== undefined) await tell('factor-removed', replaced)
      return { credentialVersion, kind, set, replaced }
    })
  }

  // The row count decides: of several codes sent at once, one does it.
  async #setEnabled(
    database: Kysely<Schema>,
    accountId: string,
    { factorId, label, step }: ProvenSetup,
  ): Promise<boolean> {
    const now = this.#clock.timestamp()
    const enabled = await database
      .updateTable('factor')
      .set({ state: 'enabled', label, enabled_at: now, used_at: now, last_step: step })
      .where('id', '=', factorId)
      .where('account_id', '=', accountId)
      .where('state', '=', 'unverified')
      .executeTakeFirst()
    if (enabled.numUpdatedRows !== 1n) return false
    await database.insertInto('used_step').values({ factor_id: factorId, step }).execute()
    return true
  }

  async #match(
    accountId: string,
    { kind, secret: sealed }: ShownSecret,
    code: unknown,
  ): Promise<number | undefined> {
    const token = parseTotpCode(code)
    if (token === undefined) return undefined
    const secret = this.#vault.open(accountId, sealed)
    return this.#kinds.codesOf(kind)?.match({ secret, token, last: null, now: this.#clock.timestamp() })
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

  #find(database: Kysely<Schema>, accountId: string, id: string): Promise<ShownSecret | undefined> {
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

interface ShownSecret {
  readonly kind: HeldKind
  readonly secret: string
}

interface ProvenSetup extends TypedSetup {
  readonly kind: HeldKind
  readonly step: number
}
