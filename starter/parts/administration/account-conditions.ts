import { Clock, inject } from 'sallyport'
import { Database } from '../../database/database.ts'
import { Attempts } from '../../identity/limits/attempts.ts'
import type { LimitedSubject } from '../../identity/limits/limit.ts'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, PASSWORD_LIMIT } from '../../identity/limits/limits.ts'
import type { StandInKinds } from '../../identity/factors/factor-kinds.ts'
import { FactorKinds } from '../../identity/factors/known-kinds.ts'
import { hasPresentVersion } from '../../identity/recovery/recovery-rows.ts'

/** What is under way with an account: its deletion, the recovery of lost factors, or a lock. */
export type ConditionKind =
  | 'deletion'
  | 'recovery-asked'
  | 'recovery-waiting'
  | 'recovery-ready'
  | 'password-locked'
  | 'codes-locked'
  | 'authenticator-locked'
  | `${keyof StandInKinds}-locked`

/** Something that is under way with an account, and ends at a time. */
export interface AccountCondition {
  /** What it is. */
  readonly kind: ConditionKind
  /** Unix timestamp: from then on the account is erased, or else it is over. */
  readonly until: number
  /** Name of the locked authenticator; empty for everything else. */
  readonly label: string
}

/** An account, and the address under which its passwords are limited. */
export interface NamedAccount {
  /** Account reference. */
  readonly id: string
  /** Its e-mail address. */
  readonly email: string
}

/** A condition and whose it is. */
type Found = AccountCondition & { readonly accountId: string }

/** A limit, and what it locks of which account. */
type Lockable = LimitedSubject & Omit<Found, 'until'>

/** Tells what is under way with accounts, for those who administer them: few questions, for however many accounts. */
export class AccountConditions {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)

  /**
   * @param accounts The accounts of a page.
   * @returns What is under way with them, by account reference; nothing for the others.
   */
  async of(accounts: readonly NamedAccount[]): Promise<ReadonlyMap<string, readonly AccountCondition[]>> {
    const ids = accounts.map(({ id }) => id)
    if (ids.length === 0) return new Map()
    const found = [
      ...(await this.#deletions(ids)),
      ...(await this.#recoveries(ids)),
      ...(await this.#locks(accounts)),
    ]
    return Map.groupBy(found, ({ accountId }) => accountId)
  }

  async #deletions(ids: readonly string[]): Promise<readonly Found[]> {
    const rows = await this.#database
      .selectFrom('account')
      .select(['id', 'leaves_at'])
      .where('id', 'in', [...ids])
      .execute()
    return rows.flatMap(({ id: accountId, leaves_at: until }) =>
      until === null ? [] : [{ kind: 'deletion', accountId, until, label: '' }],
    )
  }

  async #recoveries(ids: readonly string[]): Promise<readonly Found[]> {
    const now = this.#clock.timestamp()
    const rows = await this.#database
      .selectFrom('factor_recovery')
      .select(['account_id', 'ready_at', 'expires_at'])
      .where('account_id', 'in', [...ids])
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where(hasPresentVersion)
      .execute()
    return rows.map(({ account_id: accountId, ready_at: readyAt, expires_at: expiresAt }) => {
      if (readyAt === null) return { kind: 'recovery-asked', accountId, until: expiresAt, label: '' }
      if (readyAt > now) return { kind: 'recovery-waiting', accountId, until: readyAt, label: '' }
      return { kind: 'recovery-ready', accountId, until: expiresAt, label: '' }
    })
  }

  async #locks(accounts: readonly NamedAccount[]): Promise<readonly Found[]> {
    const lockable = [
      ...accounts.flatMap(locksOf),
      ...accounts.flatMap((account) => this.#standIns(account)),
      ...(await this.#authenticators(accounts)),
    ]
    const waits = await this.#attempts.locks(lockable)
    const now = this.#clock.timestamp()
    return lockable.flatMap(({ subject, kind, accountId, label }) => {
      const seconds = waits.get(subject)
      return seconds === undefined ? [] : [{ kind, accountId, label, until: now + seconds }]
    })
  }

  #standIns({ id }: NamedAccount): readonly Lockable[] {
    return this.#kinds.standIns.flatMap(({ kind, limit }) =>
      limit === undefined
        ? []
        : [{ ...limit(id, id), kind: `${kind}-locked` as const, accountId: id, label: '' }],
    )
  }

  async #authenticators(accounts: readonly NamedAccount[]): Promise<readonly Lockable[]> {
    const rows = await this.#database
      .selectFrom('factor')
      .select(['id', 'account_id', 'label'])
      .where(
        'account_id',
        'in',
        accounts.map(({ id }) => id),
      )
      .where('state', '=', 'enabled')
      .execute()
    return rows.map(({ id, account_id: accountId, label }) => {
      const limited = AUTHENTICATOR_LIMIT.of(id)
      return { ...limited, kind: 'authenticator-locked', accountId, label }
    })
  }
}

function locksOf({ id: accountId, email }: NamedAccount): readonly Lockable[] {
  const of = { accountId, label: '' }
  return [
    { ...of, kind: 'password-locked', ...PASSWORD_LIMIT.ofAddress(email) },
    { ...of, kind: 'codes-locked', ...FACTOR_LIMIT.of(accountId) },
  ]
}
