import { Clock, type HttpContext, inject } from 'sallyport'
import { ValidationException } from 'sallyport/input'
import { clientOf } from 'sallyport-app/clients'
import { Account } from '../accounts/account.ts'
import { PasswordCheck } from '../accounts/password-check.ts'
import { Users } from '../accounts/users.ts'
import { type AuditEntry, AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import { newChallengeIdentifier } from '../challenges/pending-login.ts'
import { CODE_PAGE, type FactorKind } from '../factors/factor-kinds.ts'
import { FactorLocks } from '../factors/factor-locks.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { type LockableFactor, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { type PendingChallenge, TotpFactors } from '../factors/totp-factors.ts'
import { Parts } from '../part.ts'
import { readProofs, recordProofs } from '../sessions/proofs.ts'
import { keptCredentialVersion } from '../sessions/session-credentials.ts'
import type { Proofs } from '../sign-in-step.ts'
import { assertStepUpRule, STEP_UP_SECONDS, type StepUpRule } from './step-up-rule.ts'

// Whoever lost the other factor puts a new one in its place, sees to the password and ends what somebody else may have open.
// What takes a factor away, lets programs in or concerns other accounts is not here: that waits for the new factor. Parts add theirs.
const RECOVERY_ACTIONS: readonly string[] = [
  'step-up.action.replace-factor',
  'step-up.action.add-factor',
  'step-up.action.recovery-codes',
  'step-up.action.password',
]

/** What must be proven before a protected action. */
export interface MissingProofs {
  /** Whether the password must be typed. */
  readonly password: boolean
  /** Whether a second factor must be proven. */
  readonly factor: boolean
  /** Whether the account holds none of the kinds that count, so that its owner must set one up first. */
  readonly holdsNone: boolean
}

/** What was typed to confirm, as far as it is asked for. */
export interface TypedProofs {
  readonly password?: string | undefined
  /** A code of any authenticator of the account. */
  readonly code?: string | undefined
  /** A recovery code in its place. */
  readonly recoveryCode?: string | undefined
  /** What the action that waits asks for. Default: nothing special. */
  readonly rule?: StepUpRule | undefined
}

/**
 * Recent full authentication: the password and, where the account has one, a second factor, both proven in this session within
 * the last {@link STEP_UP_SECONDS} or the time of its rule, with the present credentials of the account. Where a rule asks for a kind of
 * factor, a weaker one confirms nothing, as it opens no door. A code by mail opens the second door and confirms nothing. An account without
 * a password confirms with what is both factors, and with nothing else.
 */
export class StepUp {
  readonly #factors = inject(TotpFactors)
  readonly #secondFactors = inject(SecondFactors)
  readonly #users = inject(Users)
  readonly #codes = inject(RecoveryCodes)
  readonly #passwords = inject(PasswordCheck)
  readonly #challenges = inject(Challenges)
  readonly #audit = inject(AuditTrail)
  readonly #locks = inject(FactorLocks)
  readonly #policy = inject(FactorPolicy)
  readonly #kinds = inject(FactorKinds)
  readonly #clock = inject(Clock)
  readonly #recoveryActions: ReadonlySet<string> = new Set([
    ...RECOVERY_ACTIONS,
    ...inject(Parts).all.flatMap(({ recoveryActions = [] }) => recoveryActions),
  ])

  /** @throws {TypeError} If a rule cannot be kept. */
  assertRule(rule: StepUpRule): void {
    assertStepUpRule(rule, { held: this.#kinds.held, recoveryActions: this.#recoveryActions })
  }

  /**
   * @param rule That of the action. Default: any action.
   * @returns Whether a recovery code stands in for the factor that is lost. It never removes one, so that no recovery ends in an account
   *   that asks for the password only.
   */
  acceptsRecovery(rule: StepUpRule | undefined): boolean {
    if (rule === undefined) return true
    return this.#recoveryActions.has(rule.action) && rule.kinds?.includes('recovery') !== false
  }

  /** @returns What must be proven again. */
  async missing(context: HttpContext, rule?: StepUpRule): Promise<MissingProofs> {
    const { id } = context.auth().principalAs(Account)
    const proofs = await readProofs(context.session(), id)
    const { maxAge = STEP_UP_SECONDS, kinds } = rule ?? {}
    const hasPassword = await this.#users.hasPassword(id)
    const password = hasPassword && !this.#isFresh(proofs.password, maxAge)
    const { kind } = proofs
    const isProven =
      kind !== undefined &&
      this.#isFresh(proofs.factor, maxAge) &&
      (await this.#accepted(context, rule)).has(kind)
    if (isProven) return { password, factor: false, holdsNone: false }
    const holdsNone = kinds !== undefined && (await this.usable(context, rule)).length === 0
    const factor = holdsNone || !hasPassword || (await this.#secondFactors.isRequired(id))
    return { password, factor, holdsNone }
  }

  /** @returns What confirms the action, the factor that was used last first. In an unlocked browser nothing is locked. */
  async usable(context: HttpContext, rule?: StepUpRule): Promise<readonly UsableFactor[]> {
    const { id } = context.auth().principalAs(Account)
    const accepted = await this.#accepted(context, rule)
    const usable = (await this.#secondFactors.usable(id)).filter(({ kind }) => accepted.has(kind))
    const unlock = await this.#locks.unlockOf(context.session(), id)
    return unlock === undefined ? usable : usable.map((factor) => ({ ...factor, lockedSeconds: 0 }))
  }

  /**
   * Checks what was typed, all of it or nothing, under the limits of passwords and factors, and records it.
   *
   * @returns Whether everything that was missing is proven now. What was wrong is not told.
   * @throws {TooManyRequestsException} If the password or the factors of the account are locked; nothing is checked then.
   */
  async confirm(context: HttpContext, typed: TypedProofs): Promise<boolean> {
    const account = context.auth().principalAs(Account)
    const missing = await this.missing(context, typed.rule)
    const present = await keptCredentialVersion(context.session())
    const version = missing.password ? await this.#versionOf(context, account, typed.password) : present
    // Changed while the password was being checked: this session is over.
    if (version === undefined || version !== present) return false
    const kind = missing.factor ? await this.#provenBy(context, account, typed) : undefined
    if (missing.factor && kind === undefined) return false
    if (!missing.factor) await this.#audit.record(eventOf(context, account.id))
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
    const credentialVersion = (await keptCredentialVersion(session)) ?? 0
    await session.regenerateId()
    await recordProofs(session, { identifier, credentialVersion }, { ...known, ...proofs })
  }

  async #accepted(context: HttpContext, rule: StepUpRule | undefined): Promise<ReadonlySet<FactorKind>> {
    const accepted = await this.#policy.confirmingKinds(this.#policy.holderOf(context.auth()))
    const counts = (kind: FactorKind): boolean =>
      kind === 'recovery' ? this.acceptsRecovery(rule) : rule?.kinds?.includes(kind) !== false
    const counted = [...accepted].filter(counts)
    const isMet = counted.some((kind) => kind !== 'recovery')
    // What is demanded of the account is the stronger one, where it leaves none of the kinds of the rule.
    return new Set(isMet ? counted : [...accepted].filter((kind) => kind !== 'recovery' || counts(kind)))
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
    account: Account,
    { code, recoveryCode, rule }: TypedProofs,
  ): Promise<FactorKind | undefined> {
    const kinds = await this.#accepted(context, rule)
    if (recoveryCode !== undefined && !kinds.has('recovery')) return undefined
    const id = newChallengeIdentifier()
    await this.#challenges.open(id, account.id)
    let proven: FactorKind | undefined
    const unlock = await this.#locks.unlockOf(context.session(), account.id)
    const challenge: PendingChallenge = {
      id,
      unlock,
      kinds,
      reserve: (database) => this.#challenges.isOpen(id, database),
      accepted: async (database, kind) => {
        await this.#audit.record(eventOf(context, account.id, kind), database)
        proven = kind
      },
    }
    const client = clientOf(context)
    const compared = (await this.usable(context, rule)).filter(
      ({ is, lockedSeconds }) => is.page === CODE_PAGE && lockedSeconds === 0,
    )
    const isProven =
      recoveryCode === undefined
        ? await this.#factors.verifyFor(challenge, account, code)
        : await this.#codes.verifyAndConsume(account, { code: recoveryCode, ...client, challenge })
    if (isProven) return proven
    const isCode = recoveryCode === undefined
    const kind = isCode ? AuditEvent.CodeRefused : AuditEvent.RecoveryCodeRefused
    await this.#audit.record({ ...eventOf(context, account.id, soleKind(compared, isCode)), kind })
    const now = await this.usable(context, rule)
    const [first] = compared
    const locked = compared.find(({ id }) => now.some((each) => each.id === id && each.lockedSeconds > 0))
    const factor: LockableFactor = isCode ? (locked ?? first ?? { kind: 'totp' }) : { kind: 'recovery' }
    await this.#locks.refused({ accountId: account.id, factor, unlock, client })
    return undefined
  }
}

// The code was compared with those of every authenticator.
function soleKind(compared: readonly UsableFactor[], isCode: boolean): FactorKind | undefined {
  const kinds = [...new Set(compared.map(({ kind }) => kind))]
  return isCode && kinds.length === 1 ? kinds[0] : undefined
}

function eventOf(context: HttpContext, accountId: string, factor?: FactorKind): AuditEntry {
  const entry = { kind: AuditEvent.StepUpConfirmed, accountId, ...clientOf(context) }
  return factor === undefined ? entry : { ...entry, detail: factor }
}
