import { Clock, inject } from 'sallyport'
import type { AccountCondition } from '../../core/account-condition.ts'
import { Parts } from '../../core/part.ts'
import { Database } from '../../core/database/database.ts'
import { Attempts } from '../../core/limits/attempts.ts'
import type { LimitedSubject } from '../../core/limits/limit.ts'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, PASSWORD_LIMIT } from '../../core/limits/limits.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'

const LOCK = 'lock'

/** An account, and the address under which its passwords are limited. */
export interface NamedAccount {
  /** Account reference. */
  readonly id: string
  /** Its e-mail address. */
  readonly email: string
}

/** A limit, and what it locks of which account. */
type Lockable = LimitedSubject & Omit<AccountCondition, 'until'>

/** Tells what is under way with accounts, for those who administer them: few questions, for however many accounts. */
export class AccountConditions {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)
  readonly #parts = inject(Parts).all

  /** @returns What is under way with them, by account reference; nothing for the others. */
  async of(accounts: readonly NamedAccount[]): Promise<ReadonlyMap<string, readonly AccountCondition[]>> {
    const ids = accounts.map(({ id }) => id)
    if (ids.length === 0) return new Map()
    const found = [...(await this.#deletions(ids))]
    for (const { conditions } of this.#parts)
      found.push(...((await conditions?.(this.#database, ids, this.#clock.timestamp())) ?? []))
    found.push(...(await this.#locks(accounts)))
    return Map.groupBy(found, ({ accountId }) => accountId)
  }

  async #deletions(ids: readonly string[]): Promise<readonly AccountCondition[]> {
    const rows = await this.#database
      .selectFrom('account')
      .select(['id', 'leaves_at'])
      .where('id', 'in', [...ids])
      .execute()
    return rows.flatMap(({ id: accountId, leaves_at: until }) =>
      until === null ? [] : [{ kind: 'deletion', mark: 'deletion', accountId, until, label: '' }],
    )
  }

  async #locks(accounts: readonly NamedAccount[]): Promise<readonly AccountCondition[]> {
    const lockable = [
      ...accounts.flatMap(locksOf),
      ...accounts.flatMap((account) => this.#standIns(account)),
      ...(await this.#authenticators(accounts)),
    ]
    const waits = await this.#attempts.locks(lockable)
    const now = this.#clock.timestamp()
    return lockable.flatMap(({ subject, kind, mark, accountId, label }) => {
      const seconds = waits.get(subject)
      return seconds === undefined ? [] : [{ kind, mark, accountId, label, until: now + seconds }]
    })
  }

  #standIns({ id }: NamedAccount): readonly Lockable[] {
    return this.#kinds.standIns.flatMap(({ kind, limit }) =>
      limit === undefined
        ? []
        : [{ ...limit(id, id), kind: `${kind}-locked`, mark: LOCK, accountId: id, label: '' }],
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
      return { ...limited, kind: 'authenticator-locked', mark: LOCK, accountId, label }
    })
  }
}

function locksOf({ id: accountId, email }: NamedAccount): readonly Lockable[] {
  const of = { mark: LOCK, accountId, label: '' }
  return [
    { ...of, kind: 'password-locked', ...PASSWORD_LIMIT.ofAddress(email) },
    { ...of, kind: 'codes-locked', ...FACTOR_LIMIT.of(accountId) },
  ]
}
