import { inject } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import type { PasswordProof } from '../../core/accounts/password-check.ts'
import { challengeIdentifier } from '../../core/challenges/pending-login.ts'
import { clientOf } from '../../core/clients/client.ts'
import { Restart } from '../../core/sign-in/restart.ts'
import type { Refusal, TypedCode } from '../../core/sign-in/door-page.ts'
import { SecondDoor } from '../../core/sign-in/second-door.ts'
import type { TurnedAway } from '../../core/sessions/turned-away.ts'
import { isMailCode, MAIL_CODE_SECONDS, MailCodes } from './mail-codes.ts'

const eightDigits = z.stringFormat('eight_digits', (text) => isMailCode(text))
const codeSchema: z.ZodType<TypedCode> = z.object({ code: eightDigits })
const FACTOR = { kind: 'mail' } as const
const NOT_OFFERED: TurnedAway = {
  status: 409,
  code: 'ERR_STARTER_NO_MAIL_CODE',
  detail: 'No code by mail is offered for this sign-in',
}

/** The second door with a code by mail, where an installation offers it. */
export class MailCodeController extends SecondDoor {
  /** Actions and their parameters. */
  static readonly actions: Actions<MailCodeController> = {
    index: [],
    indexPost: [form(codeSchema)],
    sendPost: [],
  }

  readonly #codes = inject(MailCodes)

  /**
   * @returns The page that says what a code by mail is worth, and asks for it once it was sent; a redirect to the second door for an
   * account that none is offered to, and to the login page when no challenge is pending.
   */
  async index(): Promise<View | Response> {
    const proof = await this.#offered()
    if ('kind' in proof) return this.restart(proof)
    if ('redirect' in proof) return this.turnAway(NOT_OFFERED, 'account:challenge')
    return this.pageOf('mail', proof, {})
  }

  /**
   * Sends a code, for this pending login only. An earlier one works no more. None is sent while none is accepted.
   *
   * @returns A redirect to the page that asks for it.
   */
  async sendPost(): Promise<View | Response> {
    const proof = await this.#offered()
    if ('kind' in proof) return this.restart(proof)
    if ('redirect' in proof) return this.turnAway(NOT_OFFERED, 'account:challenge')
    const { principal } = proof.identity
    const wait = await this.#lockedSeconds(proof)
    if (wait > 0) return this.pageWhenLocked(proof, FACTOR, new TooManyRequestsException(wait))
    const challengeId = await challengeIdentifier(this.context.session())
    try {
      const pending = { challengeId, client: clientOf(this.context) }
      const code = await this.#codes.create(principal, pending)
      const values = { code: `${code.slice(0, 4)} ${code.slice(4)}`, minutes: MAIL_CODE_SECONDS / 60 }
      await this.notices.tell(principal.id, 'sign-in-code', values)
    } catch (error) {
      return this.pageOf('mail', proof, this.locked(error, 'mail-code.too-many'))
    }
    return this.redirectToRoute('mail-code:start')
  }

  /**
   * Checks a code and completes the login.
   *
   * @param form The form. What is not eight digits is refused at once, and is no attempt.
   * @returns A redirect to the next page; for a browser with a wrong code the page with the error.
   */
  async indexPost(form: Submitted<TypedCode>): Promise<View | Response> {
    const proof = await this.#offered()
    if ('kind' in proof) return this.restart(proof)
    if ('redirect' in proof) return this.turnAway(NOT_OFFERED, 'account:challenge')
    if (!form.ok) return this.pageOf('mail', proof, { form, status: 422 })
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
        client: clientOf(this.context),
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
      const target = await login.enter(this.provenBy(proof, 'mail'))
      return this.redirect(target)
    }
    if (!(await this.challenges.isOpen(challengeId))) return this.restart(Restart.over)
    const refusal: Refusal = { factor: FACTOR, unlock, kind: 'mail-code-refused', triesLeft }
    return (await this.refused(proof, refusal)) ?? this.pageWhenWrong(proof, FACTOR, { form, triesLeft })
  }

  // Asked in every request: what is offered may have changed since the page was opened.
  async #offered(): Promise<PasswordProof | Restart | { readonly redirect: true }> {
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return proof
    return (await this.asked(proof.identity, 'mail')) === undefined ? { redirect: true } : proof
  }

  #lockedSeconds({ identifier }: PasswordProof): Promise<number> {
    return this.locks.lockedSeconds(this.context.session(), identifier, FACTOR)
  }
}
