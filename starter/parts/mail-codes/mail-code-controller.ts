import { inject } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import type { UsableFactor } from '../../core/factors/second-factors.ts'
import type { TurnedAway } from '../../core/sessions/turned-away.ts'
import type { Door } from '../../core/sign-in/door.ts'
import { SecondDoor } from '../../core/sign-in/second-door.ts'
import { isMailCode, MailCodes } from './mail-codes.ts'

/** The field of the form. */
interface TypedCode {
  readonly code: string
}

const eightDigits = z.stringFormat('eight_digits', (text) => isMailCode(text))
const codeSchema: z.ZodType<TypedCode> = z.object({ code: eightDigits })
const NOT_OFFERED: TurnedAway = {
  status: 409,
  code: 'ERR_APP_NO_MAIL_CODE',
  detail: 'No code by mail is offered for this sign-in',
}

/** The second door with a code by mail, where an installation offers it. */
export class MailCodeController extends SecondDoor {
  static readonly actions: Actions<MailCodeController> = {
    index: [],
    indexPost: [form(codeSchema)],
    sendPost: [],
  }

  readonly #codes = inject(MailCodes)

  /** The page that says what a code by mail is worth, and asks for it once it was sent. */
  async index(): Promise<View | Response> {
    return this.pageOf('mail', await this.#offered())
  }

  /** Sends a code, for this pending login only. An earlier one works no more. None is sent while none is accepted. */
  async sendPost(): Promise<View | Response> {
    const door = await this.#offered()
    const wait = factorOf(door)?.lockedSeconds ?? 0
    if (wait > 0) {
      const locked = this.locked(new TooManyRequestsException(wait), 'challenge.locked')
      return this.pageOf('mail', door, locked)
    }
    const { principal } = door.proof.identity
    try {
      const pending = { challengeId: door.challengeId, client: clientOf(this.context) }
      await this.#codes.send(principal, pending)
    } catch (error) {
      return this.pageOf('mail', door, this.locked(error, 'mail-code.too-many'))
    }
    return this.redirectToRoute('mail-code:start')
  }

  /** Checks a code and completes the login. What is not eight digits is refused at once, and is no attempt. */
  async indexPost(form: Submitted<TypedCode>): Promise<View | Response> {
    const door = await this.#offered()
    if (!form.ok) return this.pageOf('mail', door, { form, status: 422 })
    const { principal } = door.proof.identity
    return this.attempt(door, form, {
      kind: 'mail',
      verify: (challenge) => this.#codes.verifyAndConsume(principal, form.value.code, challenge),
    })
  }

  // Asked in every request: what is offered may have changed since the page was opened.
  async #offered(): Promise<Door> {
    const door = await this.door()
    if (factorOf(door) === undefined) this.turnAway(NOT_OFFERED, 'account:challenge')
    return door
  }
}

function factorOf({ usable }: Door): UsableFactor | undefined {
  return usable.find(({ kind }) => kind === 'mail')
}
