import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../clients/client.ts'
import type { Account } from '../accounts/account.ts'
import { AuditEvent } from '../audit/audit-trail.ts'
import { challengeIdentifier } from '../challenges/pending-login.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { recoveryCode } from '../pages/code-fields.ts'
import { waitMessage } from '../pages/page-controller.ts'
import { Restart } from './restart.ts'
import type { Refusal, TypedCode } from './door-page.ts'
import { SecondDoor } from './second-door.ts'

const codeSchema: z.ZodType<TypedCode> = z.object({ code: recoveryCode })
const FACTOR = { kind: 'recovery' } as const

/** The second door without the authenticator: a recovery code. */
export class RecoveryController extends SecondDoor {
  /** Actions and their parameters. */
  static readonly actions: Actions<RecoveryController> = { index: [], indexPost: [form(codeSchema)] }

  readonly #codes = inject(RecoveryCodes)

  /** @returns The page that asks for a recovery code; a redirect to the login page when no challenge is pending. */
  async index(): Promise<View | Response> {
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return this.restart(proof)
    const { identifier } = proof
    const usable = await this.usable(proof.identity)
    // Codes that are not there, or not any more, can be guessed too often all the same.
    const hasCodes = usable.some(({ kind }) => kind === FACTOR.kind)
    const wait = hasCodes ? 0 : await this.locks.lockedSeconds(this.context.session(), identifier, FACTOR)
    const state = wait === 0 ? {} : { warning: waitMessage('challenge.locked', wait) }
    return this.pageOf('recovery', proof, { ...state, usable })
  }

  /**
   * Uses a recovery code up, and completes the login. The owner gets a mail at once, and is told how many codes are left.
   *
   * @param form The form. What is not twelve letters and digits is refused at once, and is no attempt.
   * @returns A redirect to the next page; for a browser with a wrong code the page with the error.
   */
  async indexPost(form: Submitted<TypedCode>): Promise<View | Response> {
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return this.restart(proof)
    if (!form.ok) return this.pageOf('recovery', proof, { form, status: 422 })
    const challengeId = await challengeIdentifier(this.context.session())
    const triesLeft = await this.challenges.reserve(challengeId, proof.identifier)
    if (triesLeft === undefined) return this.restart(Restart.over)

    const { principal } = proof.identity
    const unlock = await this.unlockOf(principal.id)
    const login = await this.completion.prepare(this.context, proof)
    let isAccepted: boolean
    try {
      isAccepted = await this.#codes.verifyAndConsume(principal, {
        code: form.value.code,
        ...clientOf(this.context),
        challenge: {
          id: challengeId,
          unlock,
          accepted: login.record,
        },
      })
    } catch (error) {
      await this.challenges.takeBack(challengeId)
      return this.pageWhenLocked(proof, FACTOR, error)
    }
    if (isAccepted) {
      const target = await login.enter(this.provenBy(proof, 'recovery'))
      await this.#tell(principal)
      return this.redirect(target)
    }
    if (!(await this.challenges.isOpen(challengeId))) return this.restart(Restart.over)
    const refusal: Refusal = {
      factor: FACTOR,
      unlock,
      kind: AuditEvent.RecoveryCodeRefused,
      triesLeft,
    }
    return (await this.refused(proof, refusal)) ?? this.pageWhenWrong(proof, FACTOR, { form, triesLeft })
  }

  async #tell(principal: Account): Promise<void> {
    const left = await this.#codes.left(principal.id)
    await this.notices.tell(principal.id, 'recovery-code-used', { left })
    await this.context.flash().add('warning', left === 0 ? 'recovery.used-last' : 'recovery.used')
  }
}
