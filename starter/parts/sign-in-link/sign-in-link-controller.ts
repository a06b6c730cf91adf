import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, input, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { type AddressForm, emailField } from 'sallyport-app/text'
import { Mails } from '../../core/mail/mails.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { returnToSchema, returnUrlField, type ReturnTo } from 'sallyport-app/pages'
import { ReturnTargets } from '../../core/sessions/return-target.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import { FirstDoor } from '../../core/sign-in/first-door.ts'
import { SIGN_IN_LINK_SECONDS, SignInLinks } from './sign-in-links.ts'

// Session key: the digest of the link that this browser asked for last. Nobody is led into the account of somebody else by a link.
const LINK_KEY = 'sign_in_link'

const requestSchema: z.ZodType<AddressForm & ReturnTo> = z.object({
  email: emailField,
  return_url: returnUrlField,
})

/** A sign-in that begins with a link in a mail in place of the password. */
export class SignInLinkController extends FirstDoor {
  static readonly actions: Actions<SignInLinkController> = {
    index: [input(returnToSchema)],
    indexPost: [form(requestSchema)],
    sent: [],
    confirm: [param.string('token')],
    confirmPost: [param.string('token')],
  }

  readonly #links = inject(SignInLinks)
  readonly #targets = inject(ReturnTargets)
  readonly #mails = inject(Mails)

  index(query: ReturnTo): View {
    this.#assertSignedOut()
    return this.#addressPage({ form: blankForm({ return_url: query.return_url ?? '' }) })
  }

  /** Sends a link. The answer is the same whether or not the address has an account; only its mailbox is told. */
  async indexPost(form: Submitted<AddressForm & ReturnTo>): Promise<View | Response> {
    this.#assertSignedOut()
    if (!form.ok) return this.#addressPage({ form, status: 422 })
    const { context } = this
    const session = context.session()
    const { email, return_url: returnTo } = form.value
    try {
      const token = await this.#links.request(email, clientOf(context), async (link, transaction) => {
        const { to } = link
        const path =
          to === 'unknown'
            ? context.url('account:login')
            : context.url('sign-in-link:confirm', { token: link.token })
        const values = { url: this.#mails.linkTo(path) }
        const seconds = SIGN_IN_LINK_SECONDS
        if (to === 'unknown') {
          const unknown = { email, language: context.locale() }
          await this.#mails.send({ kind: 'sign-in-link-unknown', to: unknown, values, seconds }, transaction)
        } else if (to !== undefined)
          await this.#mails.send({ kind: 'sign-in-link', to, values, seconds }, transaction)
      })
      // From now on it can do more than before.
      await session.regenerateId()
      await session.set(LINK_KEY, this.#links.digest(token))
    } catch (error) {
      return this.#addressPage({ form: form.refuse(), ...this.locked(error, 'sign-in-link.locked') })
    }
    await this.#targets.remember(context, returnTo)
    return this.redirectToRoute('sign-in-link:sent')
  }

  sent(): View {
    const words = { title: 'sign-in-link.sent.title', lead: 'sign-in-link.sent.text' }
    return this.sentPage('login', words, 'sign-in-link:start')
  }

  /** The page with the button. It changes nothing: programs that check mails open links, too. */
  async confirm(token: string): Promise<View> {
    this.#assertSignedOut()
    if (!(await this.#isOfThisBrowser(token))) return this.#elsewhere()
    const email = await this.#links.addressOf(token)
    if (email === undefined) return this.#outdated()
    const page = { title: 'sign-in-link.confirm.title', page: 'login', narrow: true, here: '' }
    return this.page('sign-in-link::confirm', { ...page, token, email })
  }

  /** Uses the link up, and goes on as after the password. */
  async confirmPost(token: string): Promise<View | Response> {
    this.#assertSignedOut()
    const { context } = this
    if (!(await this.#isOfThisBrowser(token))) return this.#elsewhere()
    // A second click finds the link used, and must not end the sign-in that the first one began.
    if ((await this.#links.addressOf(token)) === undefined) return this.#outdated()
    await this.begin()
    const proof = await this.#links.use(token, clientOf(context))
    const path = proof && (await this.goOn(proof))
    return path === undefined ? this.#outdated() : this.redirect(path)
  }

  #assertSignedOut(): void {
    if (this.context.auth().isAuthenticated()) this.turnAway(TurnedAway.signedIn, 'account:home')
  }

  async #isOfThisBrowser(token: string): Promise<boolean> {
    return (await this.context.session().get(LINK_KEY)) === this.#links.digest(token)
  }

  #elsewhere(): View {
    const link = { title: 'sign-in-link.elsewhere.title', lead: 'sign-in-link.elsewhere.text' }
    return this.outdatedLink('login', { ...link, start: 'sign-in-link:start' })
  }

  #outdated(): View {
    return this.outdatedLink('login', { lead: 'sign-in-link.outdated.text', start: 'sign-in-link:start' })
  }

  #addressPage(state: FormPage): View {
    const page = { title: 'sign-in-link.title', page: 'login', narrow: true }
    return this.page('sign-in-link::start', page, state)
  }
}
