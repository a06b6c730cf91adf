import { randomUUID } from 'node:crypto'
import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { TurnedAwayException } from 'sallyport-app/pages'
import { type AddedFactor, FactorSetups } from '../factors/factor-setups.ts'
import type { HeldKind } from '../factors/factor-kinds.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { isAuthenticator, SecondFactors } from '../factors/second-factors.ts'
import { ShownSecrets } from '../factors/shown-secrets.ts'
import { type NamedCode, namedCodeSchema, pictureOf, proveFirstCode } from '../pages/set-up.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { SecurityPage } from './security-page.ts'

// Session key of the authenticator that is set up: its identifier, and what for.
const SETUP_KEY = 'totp_setup'

/** Which authenticator a page sets up. */
interface Setup {
  readonly kind: HeldKind
  /** Identifier of the one whose place it takes; null for none. */
  readonly replaces: string | null
  readonly label: string
  /** Path of the page. */
  readonly path: string
}

/** Sets up an authenticator for a signed-in user: an additional one, the first one, or one in the place of another. */
export class SetupController extends SecurityPage {
  static readonly actions: Actions<SetupController> = {
    index: [],
    indexPost: [form(namedCodeSchema)],
    replace: [param.string('id')],
    replacePost: [param.string('id'), form(namedCodeSchema)],
  }

  readonly #setups = inject(FactorSetups)
  readonly #shown = inject(ShownSecrets)
  readonly #factors = inject(SecondFactors)
  readonly #kinds = inject(FactorKinds)

  /** The page with the secret of an additional authenticator: of the kind in the query, or an app. */
  async index(): Promise<View | Response> {
    return this.#show(await this.#addition())
  }

  async indexPost(form: Submitted<NamedCode>): Promise<View | Response> {
    return this.#prove(await this.#addition(), form)
  }

  async replace(id: string): Promise<View | Response> {
    return this.#show(await this.#replacement(id))
  }

  async replacePost(id: string, form: Submitted<NamedCode>): Promise<View | Response> {
    return this.#prove(await this.#replacement(id), form)
  }

  async #addition(): Promise<Setup> {
    const asked = new URLSearchParams(this.context.query()).get('kind')
    const kind = this.#kinds.authenticators.find((each) => each === asked) ?? 'totp'
    const known = await this.#factors.held(this.account().id)
    const { length } = known.filter((factor) => factor.kind === kind)
    const name = this.translate(`setup.name.${kind}`)
    const path = kind === 'totp' ? this.context.path() : this.context.url('security:add', { kind })
    return { kind, replaces: null, label: length === 0 ? name : `${name} ${length + 1}`, path }
  }

  async #replacement(id: string): Promise<Setup> {
    const known = await this.#factors.held(this.account().id)
    const replaced = known.find((factor) => factor.id === id && isAuthenticator(factor))
    if (replaced === undefined) return this.turnBack(TurnedAway.noSuchFactor)
    const kind = replaced.kind as HeldKind
    return { kind, replaces: id, label: this.shownLabel(replaced.label), path: this.context.path() }
  }

  async #show(setup: Setup): Promise<View | Response> {
    if (setup.replaces === null && (await this.#setups.isFull(this.account().id)))
      return this.turnBack(TurnedAway.tooManyAuthenticators)
    const id = (await this.#begun(setup)) ?? randomUUID()
    await this.context.session().set(SETUP_KEY, { id, purpose: this.#purposeOf(setup) })
    return this.#setupPage(setup, id, { form: blankForm({ label: setup.label }) })
  }

  async #prove(setup: Setup, form: Submitted<NamedCode>): Promise<View | Response> {
    const id = await this.#begun(setup)
    if (id === undefined) throw new TurnedAwayException(TurnedAway.outOfDate, setup.path)
    if (!form.ok) return this.#setupPage(setup, id, { form, status: 422 })
    const typed = { ...form.value, factorId: id, replaces: setup.replaces, ...(await this.changing()) }
    const proven = await proveFirstCode(
      form,
      () => this.#setups.prove(typed),
      (error) => this.locked(error, 'enrollment.locked'),
    )
    if (proven === 'outdated') throw new TurnedAwayException(TurnedAway.outOfDate, setup.path)
    if (proven === 'full') return this.turnBack(TurnedAway.tooManyAuthenticators)
    return 'form' in proven ? this.#setupPage(setup, id, proven) : this.#finish(setup, proven)
  }

  async #finish(
    { replaces }: Setup,
    { credentialVersion, kind, set }: AddedFactor,
  ): Promise<View | Response> {
    await this.context.session().remove(SETUP_KEY)
    // The code was one of an authenticator that counts now.
    await this.goOn(credentialVersion, { factor: this.clock.timestamp(), kind })
    if (set !== undefined) return this.codesPage(set.codes)
    return this.leave(replaces === null ? `setup.added.${kind}` : 'setup.replaced')
  }

  // Its identifier; undefined when this session has begun none.
  async #begun(setup: Setup): Promise<string | undefined> {
    const begun = await this.context.session().get<{ id: string; purpose: string }>(SETUP_KEY)
    return begun?.purpose === this.#purposeOf(setup) ? begun.id : undefined
  }

  // What was begun as an addition is not finished as a replacement.
  #purposeOf({ kind, replaces }: Setup): string {
    return [this.account().id, kind, ...(replaces === null ? [] : [replaces])].join(' ')
  }

  async #setupPage(setup: Setup, id: string, state: FormPage): Promise<View | Response> {
    const { kind, replaces, path } = setup
    const shown = await this.#shown.show(this.account(), id, kind)
    if (shown === undefined) {
      await this.context.session().remove(SETUP_KEY)
      return this.turnBack(TurnedAway.outOfDate)
    }
    const isNew = replaces === null
    const data = {
      title: isNew ? `setup.title.${kind}` : 'setup.replace.title',
      lead: isNew ? `setup.lead.${kind}` : `setup.replace.lead.${kind}`,
      page: 'security',
      narrow: true,
      action: path,
      setup,
      kind,
      others: isNew && kind === 'totp' ? this.#kinds.authenticators.filter((each) => each !== kind) : [],
      ...pictureOf(shown),
    }
    return this.page('security/setup', data, state)
  }
}
