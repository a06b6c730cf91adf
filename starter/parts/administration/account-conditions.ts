import { Clock, inject } from 'sallyport'
import type { AccountCondition } from '../../core/account-condition.ts'
import { Database } from '../../core/database/database.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'
import { Attempts } from '../../core/limits/attempts.ts'
import type { LimitedSubject } from '../../core/limits/limit.ts'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, PASSWORD_LIMIT } from '../../core/limits/limits.ts'
import { Parts } from '../../core/part.ts'

/** An account, and the address under which its passwords are limited. */
export interface NamedAccount {
  readonly id: string
  readonly email: string
}

/** A limit, and what it locks of which account. */
type Lockable = LimitedSubject & Pick<AccountCondition, 'kind' | 'accountId' | 'label'>

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
    const leaving = await this.#database
      .selectFrom('account')
      .select(['id as accountId', 'leaves_at as until'])
      .where('id', 'in', ids)
      .where('leaves_at', 'is not', null)
      .$narrowType<{ until: number }>()
      .execute()
    const found: AccountCondition[] = leaving.map((row) => ({
      ...row,
      kind: 'deletion',
      mark: 'deletion',
      label: '',
    }))
    for (const { conditions } of this.#parts)
      found.push(...((await conditions?.(this.#database, ids, this.#clock.timestamp())) ?? []))
    found.push(...(await this.#locks(accounts)))
    return Map.groupBy(found, ({ accountId }) => accountId)
  }

  async #locks(accounts: readonly NamedAccount[]): Promise<readonly AccountCondition[]> {
    const authenticators = await this.#database
      .selectFrom('factor')
      .select(['id', 'account_id as accountId', 'label'])
      .where(
        'account_id',
        'in',
        accounts.map(({ id }) => id),
      )
      .where('state', '=', 'enabled')
      .execute()
    const lockable: readonly Lockable[] = [
      ...accounts.flatMap((account) => this.#lockableOf(account)),
      ...authenticators.map(({ id, accountId, label }) => ({
        ...AUTHENTICATOR_LIMIT.of(id),
        kind: 'authenticator-locked',
        accountId,
        label,
      })),
    ]
    const waits = await this.#attempts.locks(lockable)
    const now = this.#clock.timestamp()
    return lockable.flatMap(({ subject, kind, accountId, label }) => {
      const seconds = waits.get(subject)
      return seconds === undefined ? [] : [{ kind, mark: 'lock', accountId, label, until: now + seconds }]
    })
  }

  #lockableOf({ id: accountId, email }: NamedAccount): readonly Lockable[] {
    const of = { accountId, label: '' }
    return [
      { ...of, kind: 'password-locked', ...PASSWORD_LIMIT.ofAddress(email) },
      { ...of, kind: 'codes-locked', ...FACTOR_LIMIT.of(accountId) },
      ...this.#kinds.standIns.flatMap(({ kind, limit }) =>
        limit === undefined ? [] : [{ ...of, kind: `${kind}-locked`, ...limit(accountId, accountId) }],
      ),
    ]
  }
}
