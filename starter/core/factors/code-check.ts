import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import { Attempts, hashedFor, type LimitedSubject } from 'sallyport-app/limits'
import { type AuditEntry, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { codeLimits, FACTOR_LIMIT } from '../limits/limits.ts'
import type { FactorKind } from './factor-kinds.ts'
import { FactorLocks } from './factor-locks.ts'

/** What waits for a code: a sign-in at the second door, or an action. */
export interface PendingChallenge {
  readonly id: string
  readonly client: Client
  /** What counts the tries of this browser in place of the locks, which do not hold in it. Default: they do. */
  readonly unlock?: LimitedSubject | undefined
  /** Kinds of factors that count for it. Default: all. */
  readonly kinds?: ReadonlySet<FactorKind>
  /** Asks, in the transaction that uses up the code and before it is checked, whether it still waits. */
  readonly reserve: (transaction: Transaction<Schema>) => Promise<boolean>
  /** What else happens in that transaction, with the kind of the factor. Returns false where another code was faster: this one stays unused. */
  readonly accepted: (transaction: Transaction<Schema>, kind: FactorKind) => Promise<boolean>
}

/** A factor with which a code is compared. */
export interface ComparedFactor {
  readonly kind: FactorKind
  /** Identifier of the factor. Default: it has none. */
  readonly id?: string
  /** Name given by its owner. Default: it has none. */
  readonly label?: string
  /** What counts its wrong codes. */
  readonly limit: LimitedSubject
}

/** A typed code. */
export interface TypedCode {
  readonly accountId: string
  readonly challenge: PendingChallenge
  readonly compared: readonly ComparedFactor[]
  /** What a wrong one is recorded as. */
  readonly refused: Pick<AuditEntry, 'kind' | 'detail'>
}

/** A code of which a hash is stored. */
export interface HashedCode<Row> {
  /** What of it is hashed. Default: it cannot be one. */
  readonly code: string | undefined
  readonly find: () => Promise<Row | undefined>
  /** Uses it up: of several callers, one returns true. */
  readonly useUp: (transaction: Transaction<Schema>, row: Row) => Promise<boolean>
}

/** What happens with every typed code, whatever its kind. */
export class CodeCheck {
  readonly #database = inject(Database)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #locks = inject(FactorLocks)

  /**
   * The same for a code that is stored hashed. It costs one hash, whatever was typed, and none while the limits do not admit it.
   *
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  async judgeHashed<Row extends { readonly hash: string }>(
    typed: TypedCode,
    { code = 'none', find, useUp }: HashedCode<Row>,
  ): Promise<boolean> {
    await this.#attempts.assertOpen(limitsOf(typed))
    const row = await find()
    const turn = hashedFor(typed.challenge.client.clientAddress)
    const isRight = await this.#hasher.verify(code, row?.hash ?? null, turn)
    return this.judge(typed, async (transaction) =>
      row !== undefined && isRight && (await useUp(transaction, row)) ? typed.compared[0] : undefined,
    )
  }

  /**
   * Uses up a right code, and counts and records a wrong one, in one transaction: if the process is killed before its end, nobody has
   * learned which it was. Nothing is counted for a challenge that is over.
   *
   * @param useUp Uses the code up, if it is right: of several callers, one does. Returns the factor whose code it was.
   * @returns Whether it was right.
   * @throws {TooManyRequestsException} If the limits do not admit it.
   */
  async judge(
    typed: TypedCode,
    useUp: (transaction: Transaction<Schema>) => Promise<ComparedFactor | undefined>,
  ): Promise<boolean> {
    const { accountId, challenge } = typed
    const isRight = await allOrNothing(this.#database, async (transaction) => {
      await this.#attempts.assertOpen(limitsOf(typed), transaction)
      if (!(await challenge.reserve(transaction))) return false
      const used = await useUp(transaction)
      if (used === undefined) {
        await this.#refuse(transaction, typed)
        return false
      }
      await this.#attempts.forget([FACTOR_LIMIT.of(accountId), used.limit], transaction)
      return (await challenge.accepted(transaction, used.kind)) || undefined
    })
    return isRight === true
  }

  // Of several wrong codes at once, one begins a lock.
  async #refuse(transaction: Transaction<Schema>, typed: TypedCode): Promise<void> {
    const { accountId, challenge, compared, refused } = typed
    const { id: challengeId, client, unlock } = challenge
    await this.#audit.record({ ...refused, accountId, ...client, challengeId }, transaction)
    const begun = await this.#attempts.count(limitsOf(typed), transaction)
    // The spent tries of an unlocked browser lock nothing but that browser.
    if (begun.size === 0 || unlock !== undefined) return
    const factor = compared.find(({ limit }) => begun.has(limit.subject)) ?? compared[0]
    const seconds = Math.max(...begun.values())
    if (factor === undefined) return
    await this.#locks.tell(transaction, { accountId, factor, seconds, client, challengeId })
  }
}

function limitsOf({ accountId, compared, challenge }: TypedCode): readonly LimitedSubject[] {
  return codeLimits(
    accountId,
    compared.map(({ limit }) => limit),
    challenge.unlock,
  )
}
