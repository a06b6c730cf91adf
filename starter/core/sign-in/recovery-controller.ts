import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { recoveryCode } from '../pages/code-fields.ts'
import type { TypedCode } from './door.ts'
import { SecondDoor } from './second-door.ts'

const codeSchema: z.ZodType<TypedCode> = z.object({ code: recoveryCode })

/** The second door without the authenticator: a recovery code. */
export class RecoveryController extends SecondDoor {
  static readonly actions: Actions<RecoveryController> = { index: [], indexPost: [form(codeSchema)] }

  readonly #codes = inject(RecoveryCodes)

  async index(): Promise<View | Response> {
    return this.pageOf('recovery', await this.door())
  }

  /** Uses a recovery code up. The owner gets a mail at once, and is told how many codes are left. */
  async indexPost(form: Submitted<TypedCode>): Promise<View | Response> {
    const door = await this.door()
    if (!form.ok) return this.pageOf('recovery', door, { form, status: 422 })
    const { code } = form.value
    return this.attempt(door, form, {
      factor: { kind: 'recovery' },
      verify: (principal, challenge) => this.#codes.verifyAndConsume(principal, code, challenge),
      after: () => this.#warn(door.proof.identifier),
    })
  }

  async #warn(accountId: string): Promise<void> {
    const left = await this.#codes.left(accountId)
    await this.context.flash().add('warning', left === 0 ? 'recovery.used-last' : 'recovery.used')
  }
}
