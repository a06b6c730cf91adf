import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely'
import { inject } from 'sallyport'
import { Attempts, type LimitedSubject } from 'sallyport-app/limits'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { FACTOR_LIMIT } from '../limits/limits.ts'
import type { FactorKind, SecondFactorKind } from './factor-kinds.ts'
import { FactorKinds } from './known-kinds.ts'

/** A factor that its owner can prove at the second door. */
export interface UsableFactor {
  readonly kind: FactorKind
  /** Identifier of the factor; of the account for its recovery codes. */
  readonly id: string
  /** Name given by its owner; empty for the recovery codes. */
  readonly label: string
  /** Unix timestamp from which it counts. Default: it is none that accounts hold. */
  readonly enabledAt?: number | null
  /** Unix timestamp of the last use; null before the first. */
  readonly usedAt: number | null
  /** Seconds until it is checked again; 0 when it is not locked. */
  readonly lockedSeconds: number
  readonly is: SecondFactorKind
}

type FoundFactor = Omit<UsableFactor, 'lockedSeconds' | 'is'>

/** @returns Whether it makes codes that are typed, as an app does. */
export function isAuthenticator({ is }: UsableFactor): boolean {
  return is.codes !== undefined
}

/** @returns What `SecondFactors.isRequired()` says of one account, in a query of accounts. */
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

  /** @returns Whether an account must prove a second factor to sign in: it has an enabled one. Recovery codes alone are none. */
  async isRequired(accountId: string): Promise<boolean> {
    return (await this.#enabled(accountId)).length > 0
  }

  /** @returns The kinds of its enabled factors. */
  async kinds(accountId: string): Promise<ReadonlySet<FactorKind>> {
    return new Set((await this.#enabled(accountId)).map(({ kind }) => kind))
  }

  /** @returns Its enabled factors, the oldest first. */
  async held(accountId: string): Promise<readonly UsableFactor[]> {
    return this.#withLocks(accountId, await this.#enabled(accountId))
  }

  /** @returns What the owner can prove, locked factors included: the one that was used last first, and recovery codes last, if one is left. */
  async usable(accountId: string): Promise<readonly UsableFactor[]> {
    const enabled = await this.#enabled(accountId)
    const lastFirst = enabled.toSorted((one, other) => (other.usedAt ?? 0) - (one.usedAt ?? 0))
    return this.#withLocks(accountId, [...lastFirst, ...(await this.#recoveryCodes(accountId))])
  }

  /** @returns Seconds until what stands in for a factor is checked again; 0 when it is not locked. */
  async lockedSeconds(accountId: string, kind: FactorKind): Promise<number> {
    const [factor] = await this.#withLocks(accountId, [{ kind, id: accountId }])
    return factor?.lockedSeconds ?? 0
  }

  // What no part knows any more opens no door. All are locked when together they had too many wrong codes, but for what has no code.
  async #withLocks<Found extends Pick<FoundFactor, 'kind' | 'id'>>(
    accountId: string,
    found: readonly Found[],
  ): Promise<readonly (Found & Pick<UsableFactor, 'is' | 'lockedSeconds'>)[]> {
    const known = found.flatMap((factor) => {
      const is = this.#kinds.find(factor.kind)
      return is === undefined ? [] : [{ factor, is, own: is.limit?.(accountId, factor.id) }]
    })
    const all = FACTOR_LIMIT.of(accountId)
    const waits = await this.#attempts.locks([all, ...known.flatMap(({ own }) => own ?? [])])
    const waitOf = ({ subject }: LimitedSubject): number => waits.get(subject) ?? 0
    return known.map(({ factor, is, own }) => {
      const lockedSeconds = own === undefined ? 0 : Math.max(waitOf(all), waitOf(own))
      return { ...factor, is, lockedSeconds }
    })
  }

  async #recoveryCodes(accountId: string): Promise<readonly FoundFactor[]> {
    const { rows } = await sql<{ left: number; usedAt: number | null }>`
      SELECT count(*) FILTER (WHERE used_at IS NULL) AS "left", max(used_at) AS "usedAt"
      FROM recovery_code WHERE account_id = ${accountId}`.execute(this.#database)
    const { left = 0, usedAt = null } = rows[0] ?? {}
    return left === 0 ? [] : [{ kind: 'recovery', id: accountId, label: '', usedAt }]
  }

  async #enabled(accountId: string): Promise<readonly FoundFactor[]> {
    const { rows } = await sql<FoundFactor>`
      SELECT kind, id, label, enabled_at AS "enabledAt", used_at AS "usedAt" FROM factor
      WHERE account_id = ${accountId} AND state = 'enabled' ORDER BY created_at, id`.execute(this.#database)
    return rows
  }
}
