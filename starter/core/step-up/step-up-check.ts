import { randomUUID } from 'node:crypto'
import { Clock, type HttpContext, inject } from 'sallyport'
import { ValidationException } from 'sallyport/input'
import { clientOf } from 'sallyport-app/clients'
import { addProofs, keptCredentialVersion } from 'sallyport-app/sessions'
import { Account } from '../accounts/account.ts'
import { PasswordCheck } from '../accounts/password-check.ts'
import { type AuditEntry, AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
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
}

/** A password and a code that are typed before a protected action. */
export class StepUpCheck {
  readonly #codes = inject(TotpFactors)
  readonly #recoveryCodes = inject(RecoveryCodes)
  readonly #passwords = inject(PasswordCheck)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

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
    let proven: FactorKind | undefined
    const challenge: PendingChallenge = {
      id: randomUUID(),
      client: clientOf(context),
      unlock,
      kinds,
      reserve: async () => true,
      accepted: async (database, kind) => {
        await this.#audit.record({ ...confirmed(context), detail: kind }, database)
        proven = kind
        return true
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
