import { setImmediate as nextTurn } from 'node:timers/promises'
import { inject } from 'sallyport'
import { type OperatorActor, operatorName } from '../audit/operator.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { reasonOf } from '../audit/reason.ts'
import { Database } from '../database/database.ts'
import { FactorVault } from './factor-vault.ts'

// Secrets that are read at once. Each is written alone, so the application goes on meanwhile.
const BATCH = 100

/** How the secrets of factors are sealed. */
export interface SealedSecrets {
  /** Sealed with the first key. */
  readonly current: number
  /** Sealed with a later key, which is still needed. */
  readonly earlier: number
  /** Sealed with a key that is not configured, or damaged. */
  readonly unreadable: number
}

interface SealedSecret {
  readonly id: string
  readonly account_id: string
  readonly secret: string
}

/** The sealed secrets of all factors, and the replacement of the key that seals them. */
export class FactorKeys {
  readonly #audit = inject(AuditTrail)
  readonly #database = inject(Database)
  readonly #vault = inject(FactorVault)

  /** @returns How many secrets are sealed with which key. */
  async status(): Promise<SealedSecrets> {
    const count = { current: 0, earlier: 0, unreadable: 0 }
    for await (const { account_id: accountId, secret } of this.#secrets()) {
      if (this.#vault.tryToOpen(accountId, secret) === undefined) count.unreadable += 1
      else if (this.#vault.isCurrent(secret)) count.current += 1
      else count.earlier += 1
    }
    return count
  }

  /** @returns What an operator has to do about secrets that no key opens; undefined when there is none. */
  async warning(): Promise<string | undefined> {
    const { unreadable } = await this.status()
    if (unreadable === 0) return undefined
    return `no key opens the secrets of some factors (${unreadable}): append the key that sealed them to FACTOR_KEY, or their owners cannot use them`
  }

  /**
   * Seals every secret with the first key. The application may run meanwhile, if it has both keys: a secret that changes in
   * between is left alone. Interrupted, it goes on where it was when it is called again.
   *
   * @returns How the secrets are sealed now, and how many were `resealed`.
   * @throws {ValidationException} If no reason is given.
   */
  async rotate(
    operator: OperatorActor,
    reason: string,
  ): Promise<SealedSecrets & { readonly resealed: number }> {
    // Recorded first: whoever interrupts it has begun it.
    await this.#audit.record({
      kind: AuditEvent.FactorKeyRotated,
      accountId: null,
      clientAddress: '',
      device: '',
      actor: operatorName(operator),
      reason: reasonOf(reason),
      detail: this.#vault.currentKey,
    })
    let resealed = 0
    for await (const { id, account_id: accountId, secret } of this.#secrets()) {
      const opened = this.#vault.isCurrent(secret) ? undefined : this.#vault.tryToOpen(accountId, secret)
      if (opened === undefined) continue
      const { numUpdatedRows } = await this.#database
        .updateTable('factor')
        .set({ secret: this.#vault.seal(accountId, opened) })
        .where('id', '=', id)
        .where('secret', '=', secret)
        .executeTakeFirst()
      resealed += Number(numUpdatedRows)
    }
    return { ...(await this.status()), resealed }
  }

  async *#secrets(): AsyncGenerator<SealedSecret> {
    for (let last = ''; ;) {
      const rows = await this.#database
        .selectFrom('factor')
        .select(['id', 'account_id', 'secret'])
        .where('id', '>', last)
        .where('secret', 'is not', null)
        .$narrowType<{ secret: string }>()
        .orderBy('id')
        .limit(BATCH)
        .execute()
      yield* rows
      const end = rows.at(-1)?.id
      if (end === undefined) break
      last = end
      // The database answers at once: without a pause, no request would be served meanwhile.
      await nextTurn()
    }
  }
}
