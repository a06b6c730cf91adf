import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { generateSecret } from 'otplib/functional'
import { Clock, inject, Secret } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import { Attempts, type LimitedSubject } from 'sallyport-app/limits'
import { Database } from '../database/database.ts'
import type { FactorTable, Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { BRAND } from '../brand.ts'
import { Challenges } from '../challenges/challenges.ts'
import { AUTHENTICATOR_LIMIT, codeLimits, FACTOR_LIMIT } from '../limits/limits.ts'
import { FactorVault } from './factor-vault.ts'
import type { FactorKind, HeldKind } from './factor-kinds.ts'
import { FactorKinds } from './known-kinds.ts'
import { parseTotpCode } from './totp-code.ts'

// How many accepted steps of each factor are remembered. A count and no time, because clocks are set.
const KEPT_STEPS = 100

export interface TotpSetup {
  /** The secret in Base32, to be typed. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/** A pending login that waits for a code. */
export interface PendingChallenge {
  readonly id: string
  /** Identifier of the authenticator that is asked for. Default: any of the account. */
  readonly factorId?: string | undefined
  /** What counts the tries of this browser in place of the locks, which do not hold in it. Default: they do. */
  readonly unlock?: LimitedSubject | undefined
  /**
   * Called in the transaction that uses up the code, before the code is checked: false when the challenge is over, and nothing
   * is checked. Default: it was called before.
   */
  readonly reserve?: (transaction: Transaction<Schema>) => Promise<boolean>
  /** Called in the transaction that uses up the code, with the kind of its factor. Default: nothing else happens. */
  readonly accepted?: (transaction: Transaction<Schema>, kind: FactorKind) => Promise<void>
  /** Kinds of factors that count for it. Default: all. */
  readonly kinds?: ReadonlySet<FactorKind>
}

type EnabledFactor = Pick<FactorTable, 'id' | 'kind' | 'label' | 'last_step' | 'enabled_at' | 'used_at'> & {
  readonly secret: string
}

/** A second factor as its owner may see it, without the secret. */
export interface FactorSummary {
  readonly id: string
  readonly kind: HeldKind
  readonly label: string
  /** Unix timestamp of the first verification; null while unverified. */
  readonly enabledAt: number | null
  /** Unix timestamp of the last accepted code; null before the first. */
  readonly usedAt: number | null
}

/**
 * Second factors with one-time codes of six digits, made from the time or from what else a kind says. The kind only finds out whether a
 * code matches. This class ensures that each code is used once and limits guessing.
 */
export class TotpFactors {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #vault = inject(FactorVault)
  readonly #attempts = inject(Attempts)
  readonly #challenges = inject(Challenges)
  readonly #kinds = inject(FactorKinds)

  /**
   * Verifies a code and uses it up. Of simultaneous calls with the same code, one succeeds. A wrong one is counted, for each
   * authenticator that it was compared with, and failures are reset after success: in the transaction that checks it.
   *
   * @param principal Owner of the factor; reloaded from the repository, never chosen by the client.
   * @param code The submitted value, of any type. Spaces and hyphens are ignored, because authenticators show codes in groups.
   * @returns Whether it was a timely code of an enabled factor, of a later step than the last accepted one.
   * @throws {TooManyRequestsException} If the account or every authenticator that is asked for is locked; the code is not checked
   *   then.
   * @throws {UnreadableSecretException} If no authenticator that is asked for has a secret that can be opened; nothing is counted then.
   */
  verifyAndConsume(principal: Account, code: unknown, clock: Clock): Promise<boolean> {
    return this.#verify({ principal, code, clock })
  }

  /** Does the same for a pending login, which an accepted code ends: of all codes for it, one is accepted. */
  verifyFor(challenge: PendingChallenge, principal: Account, code: unknown): Promise<boolean> {
    return this.#verify({ principal, code, clock: this.#clock, challenge })
  }

  async #insert(
    database: Kysely<Schema>,
    { accountId, label, at }: { readonly accountId: string; readonly label: string; readonly at: number },
  ): Promise<{ readonly id: string; readonly secret: Secret }> {
    const id = randomUUID()
    const secret = new Secret(generateSecret())
    const sealed = this.#vault.seal(accountId, secret)
    const factor = { id, account_id: accountId, kind: 'totp', label, state: 'unverified' } as const
    await database
      .insertInto('factor')
      .values({ ...factor, secret: sealed, created_at: at })
      .execute()
    return { id, secret }
  }

  async #verify({ principal, code, clock, challenge }: Verified): Promise<boolean> {
    const factors = await this.#unlocked(principal.id, challenge)
    const limits = codeLimits(principal.id, factors.map(limitOf), challenge?.unlock)
    // Counted in the transaction that checks it: if the process is killed before its end, nobody has learned whether the code was right.
    return this.#database.transaction().execute(async (transaction) => {
      await this.#attempts.assertOpen(limits, transaction)
      if ((await challenge?.reserve?.(transaction)) === false) return false
      const typed = { accountId: principal.id, code, now: clock.timestamp(), challenge }
      if (await this.#consume(transaction, typed, factors)) return true
      await this.#attempts.count(limits, transaction)
      return false
    })
  }

  /** Creates a factor that no code has verified, for accounts that a program sets up. Only an enabled one counts. */
  add(
    accountId: string,
    label: string,
    clock: Clock,
  ): Promise<{ readonly id: string; readonly secret: Secret }> {
    return this.#insert(this.#database, { accountId, label, at: clock.timestamp() })
  }

  /** Enables a factor without verification. Users must verify a code first. */
  async enableUnproven(id: string, clock: Clock, database: Kysely<Schema> = this.#database): Promise<void> {
    const changes = { state: 'enabled' as const, enabled_at: clock.timestamp() }
    await database.updateTable('factor').set(changes).where('id', '=', id).execute()
  }

  /** Gives an account an enabled factor unless it has one; simultaneous calls create only one. */
  async ensureUnproven(accountId: string, label: string, clock: Clock): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      const { id } = await this.#insert(transaction, { accountId, label, at: clock.timestamp() })
      const enabled = await transaction
        .selectFrom('factor')
        .select('id')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'totp')
        .where('state', '=', 'enabled')
        .executeTakeFirst()
      if (enabled === undefined) await this.enableUnproven(id, clock, transaction)
      else await transaction.deleteFrom('factor').where('id', '=', id).execute()
    })
  }

  /** @returns Its enabled authenticators. */
  async list(accountId: string): Promise<readonly FactorSummary[]> {
    const rows = await this.#enabled(accountId)
    return rows.map(({ id, kind, label, enabled_at: enabledAt, used_at: usedAt }) => ({
      id,
      kind,
      label,
      enabledAt,
      usedAt,
    }))
  }

  /**
   * Returns the data for setting up an authenticator app again. For the owner of a demo account only.
   *
   * @throws {UnreadableSecretException} If the secret cannot be opened.
   */
  async reveal(account: Account): Promise<TotpSetup | undefined> {
    const factor = (await this.#enabled(account.id)).find(({ kind }) => kind === 'totp')
    return factor && this.setupOf(account, factor.kind, this.#vault.open(account.id, factor.secret))
  }

  /** @returns What an authenticator of this kind needs. */
  setupOf({ email }: Account, kind: HeldKind, secret: Secret): TotpSetup {
    const uri = this.#kinds.codesOf(kind)?.uri({ issuer: BRAND.name, label: email, secret: secret.reveal() })
    if (uri === undefined) throw new Error(`Cannot set up a factor of the kind "${kind}": it has no codes`)
    return { secret, uri: new Secret(uri) }
  }

  // One that is locked must not lock the others.
  async #unlocked(
    accountId: string,
    { factorId, kinds, unlock }: Partial<PendingChallenge> = {},
  ): Promise<readonly EnabledFactor[]> {
    const asked = (await this.#enabled(accountId)).filter(
      ({ id, kind }) => id === (factorId ?? id) && kinds?.has(kind) !== false,
    )
    const waits = await this.#attempts.locks(codeLimits(accountId, asked.map(limitOf), unlock))
    const unlocked = asked.filter((factor) => !waits.has(limitOf(factor).subject))
    if (asked.length > 0 && unlocked.length === 0)
      throw new TooManyRequestsException(Math.min(...waits.values()))
    return unlocked
  }

  // One whose secret cannot be opened must not lock out the others. If none can, no code can be judged, and none is counted.
  async #consume(
    transaction: Transaction<Schema>,
    typed: TypedCode,
    factors: readonly EnabledFactor[],
  ): Promise<boolean> {
    const { accountId, now, challenge } = typed
    const token = parseTotpCode(typed.code)
    if (token === undefined) return false
    const readable = factors.flatMap((factor) => {
      const secret = this.#vault.tryToOpen(accountId, factor.secret)
      return secret === undefined ? [] : [{ factor, secret }]
    })
    const [first] = factors
    if (first !== undefined && readable.length === 0) this.#vault.open(accountId, first.secret)

    for (const { factor, secret } of readable) {
      const codes = this.#kinds.codesOf(factor.kind)
      if (codes === undefined) continue
      const step = await codes.match({ secret, token, last: factor.last_step, now })
      if (step === undefined) continue
      const use = { factorId: factor.id, step, now, latest: codes.latest(now), challengeId: challenge?.id }
      if (!(await advanceStep(transaction, use))) continue
      await this.#attempts.forget([FACTOR_LIMIT.of(accountId), limitOf(factor)], transaction)
      if (challenge !== undefined) await this.#challenges.end(challenge.id, transaction)
      await challenge?.accepted?.(transaction, factor.kind)
      return true
    }
    return false
  }

  #enabled(accountId: string): Promise<readonly EnabledFactor[]> {
    return this.#database
      .selectFrom('factor')
      .select(['id', 'kind', 'label', 'secret', 'last_step', 'enabled_at', 'used_at'])
      .where('account_id', '=', accountId)
      .where('state', '=', sql.lit('enabled'))
      .where('secret', 'is not', null)
      .$narrowType<{ secret: string }>()
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  }
}

function limitOf({ id }: EnabledFactor): LimitedSubject {
  return AUTHENTICATOR_LIMIT.of(id)
}

/** A code that was typed, and the pending login that waits for it. */
interface TypedCode {
  readonly accountId: string
  readonly code: unknown
  readonly now: number
  readonly challenge: PendingChallenge | undefined
}

interface StepUse {
  readonly factorId: string
  /** Moving factor of the code: number of the time step, or counter. */
  readonly step: number
  readonly now: number
  readonly latest: number
  readonly challengeId: string | undefined
}

// Uses up a code: of several callers, one does. The call that moves the last accepted step forward has used it. It checks the state again,
// because the factor may have been disabled since. A last step in the future was accepted before the clock was set back and is ignored,
// otherwise the account would be locked until that time. The used steps are stored one by one. Another code may have ended the challenge.
async function advanceStep(database: Kysely<Schema>, use: StepUse): Promise<boolean> {
  const { factorId, step, now, latest, challengeId } = use
  const waits =
    challengeId === undefined
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM challenge WHERE id = ${challengeId} AND ended_at IS NULL)`
  const advanced = await sql`UPDATE factor SET last_step = ${step}, used_at = ${now}
    WHERE id = ${factorId} AND state = 'enabled' AND (last_step IS NULL OR last_step < ${step} OR last_step > ${latest})
      AND NOT EXISTS (SELECT 1 FROM used_step WHERE factor_id = ${factorId} AND step = ${step})
      AND ${waits}`.execute(database)
  if (advanced.numAffectedRows !== 1n) return false
  await sql`INSERT INTO used_step (factor_id, step) VALUES (${factorId}, ${step})`.execute(database)
  await sql`DELETE FROM used_step WHERE factor_id = ${factorId} AND id NOT IN
    (SELECT id FROM used_step WHERE factor_id = ${factorId} ORDER BY id DESC LIMIT ${KEPT_STEPS})`.execute(
    database,
  )
  return true
}

interface Verified {
  readonly principal: Account
  readonly code: unknown
  readonly clock: Clock
  readonly challenge?: PendingChallenge
}
