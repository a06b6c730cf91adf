import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely'
import { inject } from 'sallyport'
import { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { Attempts, type LimitedSubject } from '../limits/attempts.ts'
import {
  AUTHENTICATOR_LIMIT,
  authenticatorSubject,
  FACTOR_LIMIT,
  factorSubject,
  MAIL_CODE_LIMIT,
  mailCodeSubject,
  RECOVERY_LIMIT,
  recoverySubject,
} from '../limits/limits.ts'
import { type FactorKind, isHeld } from './factor-kinds.ts'

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
}

/** A factor of an account that may be locked. */
export interface LockableFactor {
  /** What is asked for. */
  readonly kind: FactorKind
  /** Identifier of the authenticator. Default: any of the account. */
  readonly id?: string | undefined
}

type FoundFactor = Omit<UsableFactor, 'lockedSeconds'>

/**
 * Asks in a query of accounts what `isRequired()` asks for one.
 *
 * @param select Builder of the query.
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

  /**
   * Checks whether an account must prove a second factor to sign in. An unverified factor does not count, and recovery codes
   * alone are none.
   *
   * @param accountId Account reference.
   * @returns Whether it has an enabled factor.
   */
  async isRequired(accountId: string): Promise<boolean> {
    return (await this.#enabled(accountId)).length > 0
  }

  /**
   * @param accountId Account reference.
   * @returns The kinds of its enabled factors.
   */
  async kinds(accountId: string): Promise<ReadonlySet<FactorKind>> {
    return new Set((await this.#enabled(accountId)).map(({ kind }) => kind))
  }

  /**
   * Lists what the owner can prove, locked factors included: a locked one is shown with its deadline.
   *
   * @param accountId Account reference.
   * @returns The enabled factors, the one that was used last first, and then the recovery codes if one is left.
   */
  async usable(accountId: string): Promise<readonly UsableFactor[]> {
    const enabled = await this.#enabled(accountId)
    const lastFirst = enabled.toSorted((one, other) => (other.usedAt ?? 0) - (one.usedAt ?? 0))
    const recovery = await this.#database
      .selectFrom('recovery_code')
      .select((select) => [
        select.fn.countAll<number>().filterWhere('used_at', 'is', null).as('left'),
        select.fn.max('used_at').as('usedAt'),
      ])
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    const codes: readonly FoundFactor[] =
      recovery === undefined || recovery.left === 0
        ? []
        : [{ kind: 'recovery', id: accountId, label: '', usedAt: recovery.usedAt }]
    const all = { subject: factorSubject(accountId), limit: FACTOR_LIMIT }
    const found = [...lastFirst, ...codes].map((factor) => ({ factor, own: ownLimit(accountId, factor) }))
    const waits = await this.#attempts.locks([all, ...found.map(({ own }) => own)])
    const waitOf = ({ subject }: LimitedSubject): number => waits.get(subject) ?? 0
    return found.map(({ factor, own }) => ({
      ...factor,
      lockedSeconds: canBeGuessed(factor.kind) ? Math.max(waitOf(all), waitOf(own)) : 0,
    }))
  }

  /**
   * @param accountId Account reference.
   * @param factor What would be proven.
   * @returns Seconds until it is checked again; 0 when it is not locked. The codes of the account are locked only when all its
   *   factors together had too many wrong ones.
   */
  async lockedSeconds(accountId: string, { kind, id }: LockableFactor): Promise<number> {
    const ofAll = await this.#attempts.lockedSeconds(factorSubject(accountId), FACTOR_LIMIT)
    return this.#lockedSeconds(accountId, { kind, id }, ofAll)
  }

  async #lockedSeconds(accountId: string, { kind, id }: LockableFactor, ofAll: number): Promise<number> {
    if (!canBeGuessed(kind)) return 0
    return Math.max(ofAll, await this.#ownLock(accountId, { kind, id }))
  }

  async #ownLock(accountId: string, { kind, id }: LockableFactor): Promise<number> {
    const isOne = !isHeld(kind) || id !== undefined
    const found = isOne
      ? [{ kind, id: id ?? accountId }]
      : (await this.#enabled(accountId)).filter((factor) => factor.kind === kind)
    const limits = found.map((factor) => ownLimit(accountId, factor))
    const waits = await this.#attempts.locks(limits)
    return limits.length === 0 ? 0 : Math.min(...limits.map(({ subject }) => waits.get(subject) ?? 0))
  }

  #enabled(accountId: string): Promise<readonly FoundFactor[]> {
    return this.#database
      .selectFrom('factor')
      .select(['kind', 'id', 'label', 'used_at as usedAt'])
      .where('account_id', '=', accountId)
      .where('state', '=', sql.lit('enabled'))
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  }
}

// A passkey cannot be guessed, so nobody can keep its owner out with wrong responses.
function canBeGuessed(kind: FactorKind): boolean {
  return kind !== 'passkey'
}

function ownLimit(accountId: string, { kind, id }: Pick<FoundFactor, 'kind' | 'id'>): LimitedSubject {
  if (kind === 'recovery') return { subject: recoverySubject(accountId), limit: RECOVERY_LIMIT }
  if (kind === 'mail') return { subject: mailCodeSubject(accountId), limit: MAIL_CODE_LIMIT }
  return { subject: authenticatorSubject(id), limit: AUTHENTICATOR_LIMIT }
}
