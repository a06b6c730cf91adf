import { randomUUID } from 'node:crypto'
import { Clock, type HttpContext, inject } from 'sallyport'
import { ValidationException } from 'sallyport/input'
import { clientOf } from 'sallyport-app/clients'
import { addProofs, keptCredentialVersion } from 'sallyport-app/sessions'
import { Account } from '../accounts/account.ts'
import { PasswordCheck } from '../accounts/password-check.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import type { PendingChallenge } from '../factors/code-check.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { isAuthenticator } from '../factors/second-factors.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import type { MissingProofs } from './step-up.ts'

/** What was typed to confirm, as far as it is asked for. */
export interface TypedProofs {
  readonly password?: string | undefined
  /** A code of any authenticator of the account. */
  readonly code?: string | undefined
  /** A recovery code in its place. */
  readonly recoveryCode?: string | undefined
  /** Identifier of the form: of several copies of one, one confirms. Default: it is not known, and was sent once. */
  readonly formId?: string | undefined
}

/** A password and a code that are typed before a protected action. */
export class StepUpCheck {
  readonly #codes = inject(TotpFactors)
  readonly #recoveryCodes = inject(RecoveryCodes)
  readonly #passwords = inject(PasswordCheck)
  readonly #challenges = inject(Challenges)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /**
   * Checks what was typed, all of it or nothing, under the limits of passwords and factors, and records it.
   *
   * @param missing What is asked for in this request.
   * @returns Whether all of that is proven now, by this form or by a copy that was faster. What was wrong is not told.
   * @throws {TooManyRequestsException} If the password or the factors of the account are locked; nothing is checked then.
   */
  async confirm(context: HttpContext, missing: MissingProofs, typed: TypedProofs): Promise<boolean> {
    const account = context.auth().principalAs(Account)
    const present = await keptCredentialVersion(context.session())
    const version = missing.password ? await this.#versionOf(context, account, typed.password) : present
    // Changed while the password was being checked: this session is over.
    if (version === undefined || version !== present) return false
    const { is, kind } = await this.#prove(context, missing, typed)
    if (is !== 'proven') return is === 'over'
    const now = this.#clock.timestamp()
    await addProofs(context.session(), account.id, {
      ...(missing.password && { password: now }),
      ...(kind !== undefined && { factor: now, kind }),
    })
    return true
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

  // A code is used up in the transaction that records the confirmation. Of several copies of a form one confirms.
  async #prove(
    context: HttpContext,
    { factor, accepted: kinds, usable, unlock }: MissingProofs,
    { code, recoveryCode, formId = randomUUID() }: TypedProofs,
  ): Promise<{ readonly is: Outcome; readonly kind: FactorKind | undefined }> {
    const account = context.auth().principalAs(Account)
    const [id, client] = [`${account.id} ${formId}`, clientOf(context)]
    let is: Outcome = 'wrong'
    let proven: FactorKind | undefined
    const reserve = async (database?: InTransaction): Promise<boolean> => {
      const left = await this.#challenges.reserve(id, account.id, database)
      if (left === undefined) is = 'over'
      return left !== undefined
    }
    const accepted = async (database?: InTransaction, kind?: FactorKind): Promise<boolean> => {
      if (!(await this.#challenges.end(id, database))) return false
      const entry = { kind: AuditEvent.StepUpConfirmed, accountId: account.id, ...client }
      await this.#audit.record({ ...entry, ...(kind !== undefined && { detail: kind }) }, database)
      is = 'proven'
      proven = kind
      return true
    }
    const challenge = { id, client, unlock, kinds, reserve, accepted }
    // Of a kind that does not count nothing is checked.
    if (!factor) {
      if (await reserve()) await accepted()
    } else if (recoveryCode !== undefined && kinds.has('recovery'))
      await this.#recoveryCodes.verifyAndConsume(account, recoveryCode, challenge)
    else if (recoveryCode === undefined && usable.some(isAuthenticator))
      await this.#codes.for(challenge).verifyAndConsume(account, code, this.#clock)
    return { is, kind: proven }
  }
}

type InTransaction = Parameters<PendingChallenge['reserve']>[0]
// Over: another copy of the form has confirmed, or no attempt is left to it.
type Outcome = 'proven' | 'over' | 'wrong'
