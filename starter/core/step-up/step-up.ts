import type { Kysely } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import { ValidationException } from 'sallyport/input'
import type { Session } from 'sallyport/session'
import type { Schema } from '../database/schema.ts'
import { CODE_PAGE, type FactorKind } from '../factors/factor-kinds.ts'
import { Account } from '../accounts/account.ts'
import { PasswordCheck } from '../accounts/password-check.ts'
import { type AuditEntry, AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import { newChallengeIdentifier } from '../challenges/pending-login.ts'
import { clientOf } from '../clients/client.ts'
import { FactorLocks } from '../factors/factor-locks.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { keptCredentialVersion } from '../sessions/session-credentials.ts'
import { readProofs, recordProofs } from '../sessions/proofs.ts'
import { acceptsRecovery } from './recovery-actions.ts'

/** How long a proof counts. At that second it counts no more. */
export const STEP_UP_SECONDS: number = 5 * 60

/** What must be proven before a protected action. */
export interface MissingProofs {
  /** Whether the password must be typed. */
  readonly password: boolean
  /** Whether a second factor must be proven. */
  readonly factor: boolean
}

/** What was typed to confirm. */
export interface TypedProofs {
  /** The password, where it is asked for. */
  readonly password?: string | undefined
  /** The code, where it is asked for. */
  readonly code?: string | undefined
  /** Identifier of the authenticator that the code is of. Default: any of the account. */
  readonly factorId?: string | undefined
  /** A recovery code in its place. */
  readonly recoveryCode?: string | undefined
  /** Message that names the action that waits. Default: any. */
  readonly action?: string | undefined
}

/** What became of what was typed: `before`: a copy of the same form has confirmed, and this one was not checked. */
export type Confirmation = 'confirmed' | 'refused'

/**
 * Recent full authentication: the password and, where the account has one, a second factor, both proven in this session within
 * the last {@link STEP_UP_SECONDS}, with the present credentials of the account. Where a rule asks for a kind of factor, a weaker one
 * confirms nothing, as it opens no door. A recovery code is a second factor for the actions that end the loss of the other one,
 * see {@link acceptsRecovery}, and for no other. A code by mail, where it is allowed, opens the second door and confirms nothing.
 */
export class StepUp {
  readonly #factors = inject(TotpFactors)
  readonly #secondFactors = inject(SecondFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #passwords = inject(PasswordCheck)
  readonly #challenges = inject(Challenges)
  readonly #audit = inject(AuditTrail)
  readonly #locks = inject(FactorLocks)
  readonly #policy = inject(FactorPolicy)
  readonly #clock = inject(Clock)

  /**
   * @param action Message that names the action that waits. Default: any.
   * @returns What must be proven again.
   */
  async missing(context: HttpContext, action?: string): Promise<MissingProofs> {
    const { id } = context.auth().principalAs(Account)
    const { password, factor, kind } = await readProofs(context.session(), id)
    const isProven =
      kind !== undefined && this.#isFresh(factor) && (await this.acceptedKinds(context, action)).has(kind)
    return {
      password: !this.#isFresh(password),
      factor: !isProven && (await this.#secondFactors.isRequired(id)),
    }
  }

  /**
   * @param action Message that names the action that waits. Default: any.
   * @returns The kinds of factors that confirm it.
   */
  async acceptedKinds(context: HttpContext, action?: string): Promise<ReadonlySet<FactorKind>> {
    const kinds = await this.#policy.acceptedKinds(this.#policy.holderOf(context.auth()))
    return new Set([...kinds].filter((kind) => kind !== 'recovery' || acceptsRecovery(action)))
  }

  /**
   * @param action Message that names the action that waits. Default: any.
   * @returns What confirms it, the factor that was used last first. In an unlocked browser nothing is locked.
   */
  async usable(context: HttpContext, action?: string): Promise<readonly UsableFactor[]> {
    const { id } = context.auth().principalAs(Account)
    const accepted = await this.acceptedKinds(context, action)
    const usable = (await this.#secondFactors.usable(id)).filter(({ kind }) => accepted.has(kind))
    const isUnlocked = (await this.#locks.unlockOf(context.session(), id)) !== undefined
    return isUnlocked ? usable.map((factor) => ({ ...factor, lockedSeconds: 0 })) : usable
  }

  /**
   * Checks what was typed, all of it or nothing, under the limits of passwords and factors. Then the session gets a new
   * identifier, and records the time.
   *
   * @returns Whether everything that was missing is proven now. What was wrong is not told.
   * @throws {TooManyRequestsException} If the password or the factors of the account are locked; nothing is checked then.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash, or the session store fails.
   */
  async confirm(context: HttpContext, account: Account, typed: TypedProofs): Promise<Confirmation> {
    const session = context.session()
    const missing = await this.missing(context, typed.action)
    const known = await readProofs(session, account.id)
    const present = await keptCredentialVersion(session)
    const version = missing.password ? await this.#versionOf(context, account, typed.password) : present
    // Changed while the password was being checked: this session is over.
    if (version === undefined || version !== present) return 'refused'
    const kind = missing.factor ? await this.#provenBy(context, account, typed) : known.kind
    if (missing.factor && kind === undefined) return 'refused'
    if (!missing.factor) await this.#audit.record(eventOf(context, account))

    // After it is recorded, and before the session is worth more than its identifier was.
    await session.regenerateId()
    const now = this.#clock.timestamp()
    await recordProofs(
      session,
      { identifier: account.id, credentialVersion: version },
      {
        password: missing.password ? now : known.password,
        factor: missing.factor ? now : known.factor,
        kind,
      },
    )
    return 'confirmed'
  }

  /**
   * @param kind What is asked for. Default: a code of an authenticator.
   * @returns Seconds until second factors of the account are checked again; 0 when they are not locked.
   */
  async lockedSeconds(session: Session, accountId: string, kind: FactorKind = 'totp'): Promise<number> {
    return this.#locks.lockedSeconds(session, accountId, { kind })
  }

  // A moment in the future is none: the clock was set back since.
  #isFresh(at: number | undefined): boolean {
    if (at === undefined) return false
    const age = this.#clock.timestamp() - at
    return age >= 0 && age < STEP_UP_SECONDS
  }

  // The version of the credentials that were proven; undefined for a wrong password.
  async #versionOf(context: HttpContext, account: Account, password = ''): Promise<number | undefined> {
    const attempt = { email: account.email, password, ...clientOf(context) }
    try {
      const { identifier, identity } = await this.#passwords.verify(attempt)
      return identifier === account.id ? identity.credentialVersion : undefined
    } catch (error) {
      if (error instanceof ValidationException) return undefined
      throw error
    }
  }

  // The code is used up in the transaction that records the confirmation. Returns the kind of factor whose code it was.
  async #provenBy(
    context: HttpContext,
    account: Account,
    typed: TypedProofs,
  ): Promise<FactorKind | undefined> {
    const { code, factorId, recoveryCode, action } = typed
    const session = context.session()
    const kinds = await this.acceptedKinds(context, action)
    const kind = recoveryCode === undefined ? 'totp' : 'recovery'
    if (kind === 'recovery' && !kinds.has(kind)) return undefined
    const id = newChallengeIdentifier()
    await this.#challenges.open(id, account.id)
    let proven: FactorKind | undefined
    const accepted = async (database: Kysely<Schema>, kind: FactorKind): Promise<void> => {
      await this.#audit.record(eventOf(context, account, kind), database)
      proven = kind
    }
    const unlock = await this.#locks.unlockOf(session, account.id)
    const reserve = (database: Kysely<Schema>): Promise<boolean> => this.#challenges.isOpen(id, database)
    const challenge = { id, factorId, unlock, accepted, kinds, reserve }
    const client = clientOf(context)
    const isProven =
      recoveryCode === undefined
        ? await this.#factors.verifyAndConsume(account, code, this.#clock, challenge)
        : await this.#codes.verifyAndConsume(account, { code: recoveryCode, ...client, challenge })
    if (isProven) return proven
    const refused = kind === 'totp' ? AuditEvent.CodeRefused : AuditEvent.RecoveryCodeRefused
    const detail = kind === 'totp' ? await this.#kindOf(account.id, factorId) : undefined
    await this.#audit.record({ ...eventOf(context, account, detail), kind: refused })
    await this.#locks.refused({ accountId: account.id, factor: { kind, id: factorId }, unlock, client })
    return undefined
  }

  // Without a name, a code may be of any authenticator of the account.
  async #kindOf(accountId: string, factorId: string | undefined): Promise<FactorKind | undefined> {
    const usable = await this.#secondFactors.usable(accountId)
    const codes = usable.filter(({ is, id }) => is.page === CODE_PAGE && id === (factorId ?? id))
    const kinds = new Set(codes.map(({ kind }) => kind))
    return kinds.size === 1 ? [...kinds][0] : undefined
  }
}

function eventOf(context: HttpContext, account: Account, factor?: FactorKind): AuditEntry {
  return {
    kind: AuditEvent.StepUpConfirmed,
    accountId: account.id,
    ...clientOf(context),
    ...(factor !== undefined && { detail: factor }),
  }
}
