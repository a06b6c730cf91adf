import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { labelField } from 'sallyport-app/text'
import { type AddedFactor, FactorSetups } from '../factors/factor-setups.ts'
import type { HeldKind } from '../factors/factor-kinds.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { finishSetup, keepSetup, readSetup, type SetupPurpose } from '../factors/pending-setup.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import { authenticatorCode } from '../pages/code-fields.ts'
import { pictureOf } from '../pages/totp-picture.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { SecurityPage } from './security-page.ts'
import { TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'

/** Fields of the form. */
interface FirstCode {
  readonly label: string
  readonly code: string
}

const codeSchema: z.ZodType<FirstCode> = z.object({ label: labelField, code: authenticatorCode })

/** Which authenticator a page sets up. */
interface Setup {
  readonly kind: HeldKind
  /** Identifier of the one whose place it takes; null for none. */
  readonly replaces: string | null
  readonly label: string
}

/** Sets up an authenticator for a signed-in user: an additional one, the first one, or one in the place of another. */
export class SetupController extends SecurityPage {
  static readonly actions: Actions<SetupController> = {
    index: [],
    indexPost: [form(codeSchema)],
    replace: [param.string('id')],
    replacePost: [param.string('id'), form(codeSchema)],
  }

  readonly #setups = inject(FactorSetups)
  readonly #factors = inject(TotpFactors)
  readonly #kinds = inject(FactorKinds)

  /** The page with the secret of an additional authenticator: of the kind in the query, or an app. */
  async index(): Promise<View | Response> {
    return this.#show(await this.#addition())
  }

  async indexPost(form: Submitted<FirstCode>): Promise<View | Response> {
    return this.#prove(await this.#addition(), form)
  }

  async replace(id: string): Promise<View | Response> {
    return this.#show(await this.#replacement(id))
  }

  async replacePost(id: string, form: Submitted<FirstCode>): Promise<View | Response> {
    return this.#prove(await this.#replacement(id), form)
  }

  async #addition(): Promise<Setup> {
    const asked = new URLSearchParams(this.context.query()).get('kind')
    const kind = this.#kinds.authenticators.find((each) => each === asked) ?? 'totp'
    const known = await this.#factors.list(this.account().id)
    const { length } = known.filter((factor) => factor.kind === kind)
    const name = this.translate(`setup.name.${kind}`)
    return { kind, replaces: null, label: length === 0 ? name : `${name} ${length + 1}` }
  }

  async #replacement(id: string): Promise<Setup> {
    const known = await this.#factors.list(this.account().id)
    const replaced = known.find((factor) => factor.id === id)
    if (replaced === undefined) return this.turnBack(TurnedAway.noSuchFactor)
    return { kind: replaced.kind, replaces: id, label: this.shownLabel(replaced.label) }
  }

  async #show(setup: Setup): Promise<View | Response> {
    const { label, replaces } = setup
    if (replaces === null && (await this.#setups.isFull(this.account().id)))
      return this.turnBack(TurnedAway.tooManyAuthenticators)
    const id = await keepSetup(this.context.session(), this.#purposeOf(setup), this.clock)
    return this.#setupPage(setup, id, { form: blankForm({ label }) })
  }

  async #prove(setup: Setup, form: Submitted<FirstCode>): Promise<View | Response> {
    const account = this.account()
    const { replaces } = setup
    const id = await readSetup(this.context.session(), this.#purposeOf(setup), this.clock)
    if (id === undefined) throw new TurnedAwayException(TurnedAway.outOfDate, this.#pathOf(setup))
    if (!form.ok) return this.#setupPage(setup, id, { form, status: 422 })
    const { label, code } = form.value
    const client = clientOf(this.context)
    const held = await this.held()
    let added: Awaited<ReturnType<FactorSetups['prove']>>
    try {
      const typed = { factorId: id, replaces, label, code, ...client, ...held }
      added = await this.#setups.prove(account, typed)
    } catch (error) {
      const locked = this.locked(error, 'enrollment.locked')
      return this.#setupPage(setup, id, { form: form.refuse(), ...locked })
    }
    if (added === 'outdated') throw new TurnedAwayException(TurnedAway.outOfDate, this.#pathOf(setup))
    if (added === 'full') return this.turnBack(TurnedAway.tooManyAuthenticators)
    if (added === null) {
      return this.#setupPage(setup, id, { form: form.refuse(WRONG_CODE), status: 422 })
    }
    return this.#finish(added)
  }

  #pathOf({ kind, replaces }: Setup): string {
    return replaces === null && kind !== 'totp'
      ? this.context.url('security:add', { kind })
      : this.context.path()
  }

  #purposeOf({ kind, replaces }: Setup): SetupPurpose {
    return { accountId: this.account().id, kind, replaces }
  }

  async #finish(added: AddedFactor): Promise<View | Response> {
    const { credentialVersion, kind, set, replaced } = added
    await finishSetup(this.context.session())
    // The code was one of an authenticator that counts now.
    await this.goOn(credentialVersion, { factor: this.clock.timestamp(), kind })
    if (set !== undefined) return this.codesPage(set)
    return this.leave(replaced === undefined ? `setup.added.${kind}` : 'setup.replaced')
  }

  async #setupPage(setup: Setup, id: string, state: FormPage): Promise<View | Response> {
    const { form, warning, status = 200, headers = {} } = state
    const { kind, label, replaces } = setup
    const shown = await this.#setups.show(this.account(), { id, label, kind })
    if (shown === undefined) return this.turnBack(TurnedAway.outOfDate)
    const [title, lead] =
      replaces === null
        ? [`setup.title.${kind}`, `setup.lead.${kind}`]
        : ['setup.replace.title', `setup.replace.lead.${kind}`]
    const others =
      kind === 'totp' && replaces === null ? this.#kinds.authenticators.filter((each) => each !== kind) : []
    const page = {
      title,
      failed: status !== 200,
      page: 'security',
      narrow: true,
      action: this.#pathOf(setup),
    }
    const data = { ...page, lead, form, warning, setup, kind, others, ...pictureOf(shown) }
    return this.page('security/setup', data, { status, headers })
  }
}

const WRONG_CODE = {
  field: 'code',
  code: 'wrong_first_code',
  fallback: 'That code is wrong',
  domain: 'auth',
}
