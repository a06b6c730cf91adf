import { inject } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import { type Submitted, ValidationException } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../../identity/clients/client.ts'
import { RecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { SecondFactors } from '../../identity/factors/second-factors.ts'
import { SecurityPage } from './security-page.ts'
import { TurnedAway } from '../turned-away.ts'

/** The form below codes that were shown. */
interface Kept {
  readonly set: string
}

const keptSchema: z.ZodType<Kept> = z.object({ set: z.string().max(100) })

/** New recovery codes for a signed-in user who has just proven password and factor. */
export class RecoveryCodesController extends SecurityPage {
  /** Actions and their parameters. */
  static readonly actions: Actions<RecoveryCodesController> = {
    index: [],
    indexPost: [],
    keptPost: [form(keptSchema)],
  }

  readonly #codes = inject(RecoveryCodes)
  readonly #factors = inject(SecondFactors)

  /**
   * @returns The page that says how many codes are left; a redirect without an enabled factor.
   */
  async index(): Promise<View | Response> {
    const { id } = this.account()
    if (!(await this.#factors.isRequired(id))) return this.turnBack(TurnedAway.noFactor)
    const page = { title: 'new-codes.title', page: 'security', narrow: true }
    return this.page('security/recovery-codes', { ...page, left: await this.#codes.left(id) })
  }

  /**
   * Makes a new set. The old one stops counting, and the other sessions of the account end.
   *
   * @returns The codes, shown once; a redirect without an enabled factor.
   */
  async indexPost(): Promise<View | Response> {
    const { id } = this.account()
    if (!(await this.#factors.isRequired(id))) return this.turnBack(TurnedAway.noFactor)
    const asked = { ...clientOf(this.context), ...(await this.held()) }
    const renewed = await this.#codes.renew(id, asked)
    if (renewed === undefined) return this.turnBack(TurnedAway.credentialsChanged)
    await this.goOn(renewed.credentialVersion, {})
    await this.notices.tell(id, 'recovery-codes-renewed')
    return this.codesPage(renewed.set)
  }

  /**
   * Notes that the owner has kept the codes. It needs no further proof: it opens nothing.
   *
   * @param form The form, which names the set that was shown.
   * @returns A redirect to the overview. A set that was replaced since is not confirmed by the page of an earlier one.
   * @throws {ValidationException} If the form names no set, for a client that prefers JSON.
   * @throws {HttpException} If nothing of that set is to be confirmed, for a client that prefers JSON.
   */
  async keptPost(form: Submitted<Kept>): Promise<Response> {
    if (!form.ok && prefersJson(this.context.header('accept'))) throw new ValidationException(form.violations)
    const isKept = form.ok && (await this.#codes.keep(this.account().id, form.value.set))
    // A browser may have sent the form twice.
    if (!isKept) this.tellProgram(TurnedAway.codesReplaced)
    const unconfirmed = await this.#codes.unconfirmed(this.account().id)
    if (!isKept && unconfirmed !== undefined) return this.turnBack(TurnedAway.codesReplaced)
    return this.leave('codes.kept')
  }
}
