import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { FactorSetups, type TypedSetup } from '../factors/factor-setups.ts'
import { ShownSecrets } from '../factors/shown-secrets.ts'
import { AUTHENTICATOR } from '../messages/factor-names.ts'
import { authenticatorCode } from '../factors/totp-code.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { pictureOf, proveFirstCode } from '../pages/set-up.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from './enrolling-controller.ts'

interface Code {
  readonly code: string
}

const codeSchema: z.ZodType<Code> = z.object({ code: authenticatorCode })

/** An authenticator that is set up before anybody is signed in: scan, prove, and see the recovery codes. */
export class EnrollmentController extends EnrollingController {
  static readonly actions: Actions<EnrollmentController> = {
    index: [],
    indexPost: [form(codeSchema)],
  }

  readonly #setups = inject(FactorSetups)
  readonly #shown = inject(ShownSecrets)

  /** @returns The page with the secret; once it is proven, the page that offers the recovery codes again. */
  async index(): Promise<View | Response> {
    const enrolling = await this.enrolling()
    const { isProven, link } = enrolling.enrollment
    if (isProven) return this.provenPage()
    if (link !== null) return this.mailPage(enrolling)
    const route = await this.setUpRoute(enrolling)
    return route === HERE ? this.#setupPage(enrolling, { form: blankForm() }) : this.redirectToRoute(route)
  }

  /** Proves the secret with its first code, and shows the recovery codes. */
  async indexPost(form: Submitted<Code>): Promise<View | Response> {
    const enrolling = await this.enrolling()
    const { enrollment, held, proof } = enrolling
    const route = await this.setUpRoute(enrolling)
    if (enrollment.isProven || enrollment.link !== null || route !== HERE)
      return this.turnAway(TurnedAway.outOfDate, route)
    if (!form.ok) return this.#setupPage(enrolling, { form, status: 422 })
    const { identifier: accountId } = proof
    const from = { ...clientOf(this.context), label: this.translate(AUTHENTICATOR) }
    const { replacement } = this
    const replacesAll: TypedSetup['replacesAll'] =
      enrollment.reason === 'replacement' && replacement !== undefined
        ? (transaction) => replacement.useUp(transaction, accountId, from)
        : undefined
    const typed = {
      ...form.value,
      accountId,
      factorId: enrollment.id,
      isEnrollment: true,
      replacesAll,
      ...held,
      ...from,
    }
    const proven = await proveFirstCode(
      form,
      () => this.#setups.prove(typed),
      (error) => this.locked(error, 'enrollment.locked'),
    )
    if (typeof proven === 'string') return this.turnAway(TurnedAway.outOfDate, HERE)
    if ('form' in proven) return this.#setupPage(enrolling, proven)
    // In place of lost factors nothing counts: what allowed that was an earlier password, a link in a mail and a waiting time.
    const reached = { ...enrollment.proven, factor: this.clock.timestamp(), kind: proven.kind }
    return this.showCodes(enrolling, proven, enrollment.reason === 'replacement' ? {} : reached)
  }

  async #setupPage({ enrollment, proof }: Enrolling, state: FormPage): Promise<View | Response> {
    const { id, reason } = enrollment
    const setup = await this.#shown.show(proof.identity.principal, id)
    if (setup === undefined) return this.turnAway(TurnedAway.outOfDate, HERE)
    const page = { title: 'enrollment.title', page: 'enrollment', narrow: true, kind: 'totp', reason }
    return this.page('enrollment/setup', { ...page, ...pictureOf(setup) }, state)
  }
}

// Its own page.
const HERE = 'enrollment:start'
