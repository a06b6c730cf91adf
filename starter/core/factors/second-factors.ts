import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely'
import { inject } from 'sallyport'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { Attempts } from '../limits/attempts.ts'
import type { LimitedSubject } from '../limits/limit.ts'
import { FACTOR_LIMIT } from '../limits/limits.ts'
import type { SecondFactorKind, FactorKind } from './factor-kinds.ts'
import { FactorKinds } from './known-kinds.ts'

/** A factor that its owner can prove at the second door. */
export interface UsableFactor {
  /** What is asked for. */
  readonly kind: FactorKind
  /** Identifier of the factor; of the account for its recovery codes. */
  readonly id: string
  /** Name given by its owner; empty for the recovery codes. */
  readonly label: string
  /** Unix timestamp of the last use; null before the first. */
  readonly usedAt: number | null
  /** Seconds until it is checked again; 0 when it is not locked. */
  readonly lockedSeconds: number
  /** What its kind is. */
  readonly is: SecondFactorKind
}

/** A factor of an account that may be locked. */
export interface LockableFactor {
  /** What is asked for. */
  readonly kind: FactorKind
  /** Identifier of the authenticator. Default: any of the account. */
  readonly id?: string | undefined
}

type FoundFactor = Omit<UsableFactor, 'lockedSeconds' | 'is'>

/**
 * Asks in a query of accounts what `isRequired()` asks for one.
 *
 * @returns Whether the account holds an enabled factor of any kind.
 */
export function holdsFactor(
  select: ExpressionBuilder<Schema, 'account'>,
): ExpressionWrapper<Schema, 'account', SqlBool> {
  const enabled = select
    .selectFrom('factor')
    .select('factor.id')
    .whereRef('factor.account_id', '=', 'account.id')
    .where('factor.state', '=', sql.lit('enabled'))
  return select.exists(enabled)
}

/** The second factors of an account, whatever their kind: the one place that says whether and how the second door opens. */
export class SecondFactors {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #kinds = inject(FactorKinds)

  /**
   * Checks whether an account must prove a second factor to sign in. An unverified factor does not count, and recovery codes
   * alone are none.
   *
   * @returns Whether it has an enabled factor.
   */
  async isRequired(accountId: string): Promise<boolean> {
    return (await this.#enabled(accountId)).length > 0
  }

  /** @returns The kinds of its enabled factors. */
  async kinds(accountId: string): Promise<ReadonlySet<FactorKind>> {
    return new Set((await this.#enabled(accountId)).map(({ kind }) => kind))
  }

  /**
   * Lists what the owner can prove, locked factors included: a locked one is shown with its deadline.
   *
   * @returns The enabled factors, the one that was used last first, and then the recovery codes if one is left.
   */
  async usable(accountId: string): Promise<readonly UsableFactor[]> {
    const enabled = await this.#enabled(accountId)
    const lastFirst = enabled.toSorted((one, other) => (other.usedAt ?? 0) - (one.usedAt ?? 0))
    const { rows } = await sql<{ left: number; usedAt: number | null }>`
      SELECT count(*) FILTER (WHERE used_at IS NULL) AS left, max(used_at) AS usedAt
      FROM recovery_code WHERE account_id = ${accountId}`.execute(this.#database)
    const [recovery] = rows
    const codes: readonly FoundFactor[] =
      recovery === undefined || recovery.left === 0
        ? []
        : [{ kind: 'recovery', id: accountId, label: '', usedAt: recovery.usedAt }]
    const known = [...lastFirst, ...codes].flatMap((factor) => {
      const is = this.#kinds.find(factor.kind)
      return is === undefined ? [] : [{ ...factor, is }]
    })
    const all = FACTOR_LIMIT.of(accountId)
    const found = known.map((factor) => ({ factor, own: factor.is.limit?.(accountId, factor.id) }))
    const owns = found.flatMap(({ own }) => own ?? [])
    const waits = await this.#attempts.locks([all, ...owns])
    const waitOf = ({ subject }: LimitedSubject): number => waits.get(subject) ?? 0
    return found.map(({ factor, own }) => {
      const lockedSeconds = own === undefined ? 0 : Math.max(waitOf(all), waitOf(own))
      return { ...factor, lockedSeconds }
    })
  }

  /**
   * @returns Seconds until it is checked again; 0 when it is not locked. The codes of the account are locked only when all its
   *   factors together had too many wrong ones.
   */
  async lockedSeconds(accountId: string, { kind, id }: LockableFactor): Promise<number> {
    const { isHeld, limit } = this.#kinds.of(kind)
    if (limit === undefined) return 0
    const all = FACTOR_LIMIT.of(accountId)
    const ids =
      id === undefined && isHeld
        ? (await this.#enabled(accountId)).filter((factor) => factor.kind === kind).map((factor) => factor.id)
        : [id ?? accountId]
    const own = ids.map((each) => limit(accountId, each))
    const waits = await this.#attempts.locks([all, ...own])
    const waitOf = ({ subject }: LimitedSubject): number => waits.get(subject) ?? 0
    return Math.max(waitOf(all), own.length === 0 ? 0 : Math.min(...own.map(waitOf)))
  }

  async #enabled(accountId: string): Promise<readonly FoundFactor[]> {
    const { rows } = await sql<FoundFactor>`SELECT kind, id, label, used_at AS usedAt FROM factor
      WHERE account_id = ${accountId} AND state = 'enabled' ORDER BY created_at, id`.execute(this.#database)
    return rows
  }
}
