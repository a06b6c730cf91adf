import { randomUUID } from 'node:crypto'
import { Clock, type HttpContext, inject } from 'sallyport'
import { ValidationException } from 'sallyport/input'
import { clientOf } from 'sallyport-app/clients'
import type { LimitedSubject } from 'sallyport-app/limits'
import { Account } from '../accounts/account.ts'
import { PasswordCheck } from '../accounts/password-check.ts'
import { Users } from '../accounts/users.ts'
import { type AuditEntry, AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import type { PendingChallenge } from '../factors/code-check.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { FactorLocks } from '../factors/factor-locks.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { isAuthenticator, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import { readProofs, recordProofs } from '../sessions/proofs.ts'
import { keptCredentialVersion } from '../sessions/session-credentials.ts'
import type { Proofs } from '../sign-in-step.ts'
import { STEP_UP_SECONDS, type StepUpRule } from './step-up-rule.ts'

/** What must be proven before a protected action, and how that can be done in this browser. */
export interface MissingProofs {
  readonly hasPassword: boolean
  /** Whether the password must be typed. */
  readonly password: boolean
  /** Whether a second factor must be proven. */
  readonly factor: boolean
  /** Whether the account holds none of the kinds that count, so that its owner must set one up first. */
  readonly holdsNone: boolean
  /** The kinds that count. */
  readonly accepted: ReadonlySet<FactorKind>
  /** The factors that count, the one that was used last first. In an unlocked browser nothing is locked. */
  readonly usable: readonly UsableFactor[]
  /** What counts the tries of an unlocked browser. */
  readonly unlock: LimitedSubject | undefined
}

/** What was typed to confirm, as far as it is asked for. */
export interface TypedProofs {
  readonly password?: string | undefined
  /** A code of any authenticator of the account. */
  readonly code?: string | undefined
  /** A recovery code in its place. */
  readonly recoveryCode?: string | undefined
}

/**
 * Recent full authentication: the password and, where the account has one, a second factor, both proven in this session lately, with the
 * present credentials of the account. What stands in for a factor at the second door confirms nothing. An account without a password
 * confirms with what is both factors, and with nothing else.
 */
export class StepUp {
  readonly #codes = inject(TotpFactors)
  readonly #recoveryCodes = inject(RecoveryCodes)
  readonly #factors = inject(SecondFactors)
  readonly #users = inject(Users)
  readonly #passwords = inject(PasswordCheck)
  readonly #challenges = inject(Challenges)
  readonly #audit = inject(AuditTrail)
  readonly #locks = inject(FactorLocks)
  readonly #policy = inject(FactorPolicy)
  readonly #clock = inject(Clock)

  /** @returns What must be proven again. */
  async missing(context: HttpContext, rule?: StepUpRule): Promise<MissingProofs> {
    const { id } = context.auth().principalAs(Account)
    const { maxAge = STEP_UP_SECONDS, kinds } = rule ?? {}
    const proofs = await readProofs(context.session(), id)
    const hasPassword = await this.#users.hasPassword(id)
    const password = hasPassword && !this.#isFresh(proofs.password, maxAge)
    const accepted = await this.#accepted(context, rule)
    const isProven =
      proofs.kind !== undefined && this.#isFresh(proofs.factor, maxAge) && accepted.has(proofs.kind)
    const known = { hasPassword, password, accepted }
    if (isProven) return { ...known, factor: false, holdsNone: false, usable: [], unlock: undefined }
    const unlock = await this.#locks.unlockOf(context.session(), id)
    const counted = (await this.#factors.usable(id)).filter(({ kind }) => accepted.has(kind))
    const usable = unlock === undefined ? counted : counted.map((factor) => ({ ...factor, lockedSeconds: 0 }))
    const holdsNone = kinds !== undefined && usable.length === 0
    const factor = holdsNone || !hasPassword || (await this.#factors.isRequired(id))
    return { ...known, factor, holdsNone, usable, unlock }
  }

  /**
   * Checks what was typed, all of it or nothing, under the limits of passwords and factors, and records it.
   *
   * @param missing What is asked for in this request.
   * @returns Whether all of that is proven now. What was wrong is not told.
   * @throws {TooManyRequestsException} If the password or the factors of the account are locked; nothing is checked then.
   */
  async confirm(context: HttpContext, missing: MissingProofs, typed: TypedProofs): Promise<boolean> {
    const account = context.auth().principalAs(Account)
    const present = await keptCredentialVersion(context.session())
    const version = missing.password ? await this.#versionOf(context, account, typed.password) : present
    // Changed while the password was being checked: this session is over.
    if (version === undefined || version !== present) return false
    const kind = missing.factor ? await this.#provenBy(context, missing, typed) : undefined
    if (missing.factor && kind === undefined) return false
    if (!missing.factor) await this.#audit.record(confirmed(context))
    const now = this.#clock.timestamp()
    await this.record(context, {
      ...(missing.password && { password: now }),
      ...(kind !== undefined && { factor: now, kind }),
    })
    return true
  }

  /**
   * Notes in the session what was proven, after that was recorded durably. The session gets a new identifier before it is worth more
   * than its identifier was.
   */
  async record(context: HttpContext, proofs: Proofs): Promise<void> {
    const session = context.session()
    const { id: identifier } = context.auth().principalAs(Account)
    const known = await readProofs(session, identifier)
    await session.regenerateId()
    await recordProofs(session, identifier, { ...known, ...proofs })
  }

  // Without a rule, as on a page that waits for no action, all count.
  async #accepted(
    context: HttpContext,
    { kinds, mendsLoss = false }: Partial<StepUpRule> = { mendsLoss: true },
  ): Promise<ReadonlySet<FactorKind>> {
    const accepted = await this.#policy.confirmingKinds(this.#policy.holderOf(context.auth()))
    const factors = [...accepted].filter((kind) => kind !== 'recovery')
    const counted = factors.filter((kind) => kinds?.some((each) => each === kind) !== false)
    const codes = mendsLoss && accepted.has('recovery') ? (['recovery'] as const) : []
    // What is demanded of the account is the stronger one, where it leaves none of the kinds of the rule.
    return new Set([...(counted.length > 0 ? counted : factors), ...codes])
  }

  // A moment in the future is none: the clock was set back since.
  #isFresh(at: number | undefined, maxAge: number): boolean {
    if (at === undefined) return false
    const age = this.#clock.timestamp() - at
    return age >= 0 && age < maxAge
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
    { accepted: kinds, usable, unlock }: MissingProofs,
    { code, recoveryCode }: TypedProofs,
  ): Promise<FactorKind | undefined> {
    const account = context.auth().principalAs(Account)
    const isCode = recoveryCode === undefined
    // Of a kind that does not count nothing is checked.
    if (isCode ? !usable.some(isAuthenticator) : !kinds.has('recovery')) return undefined
    const id = randomUUID()
    await this.#challenges.open(id, account.id)
    let proven: FactorKind | undefined
    const challenge: PendingChallenge = {
      id,
      client: clientOf(context),
      unlock,
      kinds,
      reserve: (database) => this.#challenges.isOpen(id, database),
      accepted: async (database, kind) => {
        await this.#audit.record({ ...confirmed(context), detail: kind }, database)
        proven = kind
      },
    }
    const isProven = isCode
      ? await this.#codes.for(challenge).verifyAndConsume(account, code, this.#clock)
      : await this.#recoveryCodes.verifyAndConsume(account, recoveryCode, challenge)
    return isProven ? proven : undefined
  }
}

function confirmed(context: HttpContext): AuditEntry {
  const { id: accountId } = context.auth().principalAs(Account)
  return { kind: AuditEvent.StepUpConfirmed, accountId, ...clientOf(context) }
}
