import { inject } from 'sallyport'
import { FactorPolicy } from './factor-policy.ts'
import { Database } from '../database/database.ts'
import { allOrNothing } from '../database/all-or-nothing.ts'
import { CredentialVersions, type HeldCredentials } from '../accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { dropCodesWithoutFactor } from './drop-factors.ts'
import { removeFactor } from './factor-setups.ts'
import { SecondFactors } from './second-factors.ts'

/** A factor of an account, and who asks. */
export interface OwnFactor extends Client {
  /** Account reference. */
  readonly accountId: string
  /** Identifier of the factor. */
  readonly id: string
}

/** Why a factor was not removed: the account must hold one, or has no such one by now. */
export type RemovalRefusal = 'last' | 'unknown'

/** Names and removal of factors, whatever their kind. */
export class FactorChanges {
  readonly #database = inject(Database)
  readonly #secondFactors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #audit = inject(AuditTrail)
  readonly #versions = inject(CredentialVersions)

  /** @returns Whether the account has it. */
  async rename({ accountId, id, clientAddress, device }: OwnFactor, label: string): Promise<boolean> {
    const renamed = await allOrNothing(this.#database, async (transaction) => {
      const result = await transaction
        .updateTable('factor')
        .set({ label })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('state', '=', 'enabled')
        .executeTakeFirst()
      if (result.numUpdatedRows !== 1n) return undefined
      await this.#audit.record(
        { kind: AuditEvent.FactorRenamed, accountId, clientAddress, device },
        transaction,
      )
      return true
    })
    return renamed === true
  }

  /** @returns Whether the account may do without it. */
  async mayRemove(accountId: string, id: string): Promise<boolean> {
    const usable = await this.#secondFactors.usable(accountId)
    const left = usable.filter((factor) => factor.is.isHeld && factor.id !== id)
    if (left.length === 0) return this.#policy.mayRemoveLastFactor(accountId)
    return this.#policy.mayDoWith(accountId, new Set(left.map(({ kind }) => kind)))
  }

  /** @returns Whether the account has one factor only, recovery codes aside. */
  async isLast(accountId: string): Promise<boolean> {
    const usable = await this.#secondFactors.usable(accountId)
    return usable.filter(({ is }) => is.isHeld).length <= 1
  }

  /**
   * Removes a factor. It stops counting at once, and every other session and pending login of the account ends. With the
   * last factor of all, the recovery codes go too: they open a door that is not there.
   *
   * @returns Its name and the new version; otherwise why nothing was removed.
   */
  async remove(
    { accountId, id, clientAddress, device }: OwnFactor,
    held: HeldCredentials,
  ): Promise<{ readonly label: string; readonly credentialVersion: number } | RemovalRefusal> {
    if (!(await this.mayRemove(accountId, id))) return 'last'
    const removed = await allOrNothing(this.#database, async (transaction) => {
      // Compared first: as long as it is the same, no other factor has gone since.
      const credentialVersion = await this.#versions.advance(transaction, accountId, held)
      if (credentialVersion === undefined) return undefined
      const label = await removeFactor(transaction, accountId, id)
      if (label === undefined) return undefined
      await dropCodesWithoutFactor(transaction, accountId)
      await this.#audit.record(
        { kind: AuditEvent.FactorRemoved, accountId, clientAddress, device },
        transaction,
      )
      return { label, credentialVersion }
    })
    return removed ?? 'unknown'
  }
}
