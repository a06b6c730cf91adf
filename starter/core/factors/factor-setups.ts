import type { Kysely, Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Attempts } from 'sallyport-app/limits'
import { type Changing, CredentialChanges } from '../accounts/credential-change.ts'
import { AuditEvent } from '../audit/audit-trail.ts'
import type { Schema } from '../database/schema.ts'
import { ENROLLMENT_LIMIT } from '../limits/limits.ts'
import type { Notice } from '../mail/notices.ts'
import { removeFactor } from './factor-changes.ts'
import type { HeldKind } from './factor-kinds.ts'
import { FactorPolicy } from './factor-policy.ts'
import { RecoveryCodes, type RecoveryCodeSet, replaceRecoveryCodes } from './recovery-codes.ts'
import { isAuthenticator, SecondFactors } from './second-factors.ts'
import { type FirstCode, ShownSecrets } from './shown-secrets.ts'

/** How many authenticators an account may have at once. */
export const MAX_AUTHENTICATORS = 25

/** The first code of an authenticator. */
export interface TypedSetup extends Changing {
  /** Identifier of the set-up, as the session keeps it. */
  readonly factorId: string
  readonly label: string
  readonly code: unknown
  /** Identifier of the authenticator whose place it takes. Default: none. */
  readonly replaces?: string | null
  /** Whether it is set up before a sign-in. New recovery codes come with it then. Default: by a signed-in user. */
  readonly isEnrollment?: boolean
  /** Removes, in the same transaction, all factors that are lost, and uses up what allows that. Default: the others stay. */
  readonly replacesAll?: ((transaction: Transaction<Schema>) => Promise<boolean>) | undefined
}

/** An authenticator that counts from now on. */
export interface AddedFactor {
  /** The new one: every other session of the account has ended. */
  readonly credentialVersion: number
  readonly kind: HeldKind
  /** The recovery codes that come with the first one, to be shown once. */
  readonly set: RecoveryCodeSet | undefined
}

/**
 * Why none was added. `wrong`: the code, which is counted. `full`: the account has `MAX_AUTHENTICATORS`. `outdated`: the secret does not
 * wait for a code any more, or the credentials have changed meanwhile.
 */
export type SetupRefusal = 'wrong' | 'full' | 'outdated'

/** Authenticators that are set up: each counts once a code of its secret was proven. */
export class FactorSetups {
  readonly #shown = inject(ShownSecrets)
  readonly #factors = inject(SecondFactors)
  readonly #attempts = inject(Attempts)
  readonly #codes = inject(RecoveryCodes)
  readonly #changes = inject(CredentialChanges)
  readonly #policy = inject(FactorPolicy)
  readonly #clock = inject(Clock)

  /** @returns Whether the account has as many authenticators as it may. */
  async isFull(accountId: string): Promise<boolean> {
    return (await this.#factors.held(accountId)).filter(isAuthenticator).length >= MAX_AUTHENTICATORS
  }

  /**
   * Enables the authenticator with its first code, which counts as used: in one transaction with the removal of those that it replaces,
   * the recovery codes that come with it, the end of every other session of the account, and the record.
   *
   * @throws {TooManyRequestsException} If there were too many wrong codes.
   * @throws {ServiceUnavailableException} If the secret cannot be opened, or too many callers wait for a hash; nothing is counted then.
   */
  async prove(typed: TypedSetup): Promise<AddedFactor | SetupRefusal> {
    const { accountId } = typed
    const limited = [ENROLLMENT_LIMIT.of(accountId)]
    await this.#attempts.assertOpen(limited)
    const first = await this.#shown.match(accountId, typed.factorId, typed.code)
    if (first === undefined) return 'outdated'
    if (first === 'wrong') {
      await this.#attempts.count(limited)
      return 'wrong'
    }
    await this.#attempts.assertOpen(limited)
    const isAddition = (typed.replaces ?? null) === null && typed.replacesAll === undefined
    // The version that the session has kept is older than this count: one that is added meanwhile makes it outdated.
    if (isAddition && (await this.isFull(accountId))) return 'full'
    return (await this.#enable(typed, first)) ?? 'outdated'
  }

  async #enable(typed: TypedSetup, first: FirstCode): Promise<AddedFactor | undefined> {
    const { accountId, label, replaces = null, replacesAll, isEnrollment } = typed
    const needsCodes = isEnrollment === true || !(await this.#factors.isRequired(accountId))
    const set = needsCodes ? await this.#codes.prepare(accountId, typed) : undefined
    const credentialVersion = await this.#changes.make(typed, async (transaction) => {
      if ((await replacesAll?.(transaction)) === false) return undefined
      if (!(await this.#setEnabled(transaction, typed, first))) return undefined
      const replaced = replaces === null ? undefined : await removeFactor(transaction, accountId, replaces)
      if (replaces !== null && replaced === undefined) return undefined
      if (set !== undefined) await replaceRecoveryCodes(transaction, accountId, set)
      await this.#policy.fulfilled(transaction, accountId)
      const notice = (kind: 'factor-added' | 'factor-removed', name: string): Notice => ({
        kind,
        accountId,
        values: { label: name },
      })
      return {
        event: replaces === null ? AuditEvent.FactorEnabled : AuditEvent.FactorReplaced,
        notices: [
          // What took the place of all others has a mail of its own.
          ...(replacesAll === undefined ? [notice('factor-added', label)] : []),
          ...(replaced === undefined ? [] : [notice('factor-removed', replaced)]),
        ],
      }
    })
    return credentialVersion === undefined ? undefined : { credentialVersion, kind: first.kind, set }
  }

  // The row count decides: of several codes sent at once, one does it.
  async #setEnabled(
    database: Kysely<Schema>,
    { accountId, factorId, label }: TypedSetup,
    { step }: FirstCode,
  ): Promise<boolean> {
    const now = this.#clock.timestamp()
    const enabled = await database
      .updateTable('factor')
      .set({ state: 'enabled', label, enabled_at: now, used_at: now, last_step: step })
      .where('id', '=', factorId)
      .where('account_id', '=', accountId)
      .where('state', '=', 'unverified')
      .executeTakeFirst()
    if (enabled.numUpdatedRows !== 1n) return false
    await database.insertInto('used_step').values({ factor_id: factorId, step }).execute()
    return true
  }
}
