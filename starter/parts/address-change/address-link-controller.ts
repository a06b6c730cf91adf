import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { OpenSessions } from 'sallyport-app/sessions'
import { AddressChange } from './address-change.ts'
import { AddressRestore } from './address-restore.ts'
import { signOutOf } from '../../core/login/sign-out.ts'
import { SecurityPage } from '../../core/security/security-page.ts'

// Another account has the address.
const TAKEN = { title: 'address.taken.title', lead: 'address.taken.text', status: 409 }
const NOT_RESTORED = { title: 'address.not-restored.title', lead: 'address.not-restored.text', status: 409 }

/** The links in the mails about a changed address. Opening one changes nothing: programs that check mails open them, too. */
export class AddressLinkController extends SecurityPage {
  static readonly actions: Actions<AddressLinkController> = {
    confirm: [param.string('token')],
    confirmPost: [param.string('token')],
    restore: [param.string('token')],
    restorePost: [param.string('token')],
  }

  readonly #changes = inject(AddressChange)
  readonly #restores = inject(AddressRestore)
  readonly #open = inject(OpenSessions)
  readonly #sessions = inject(SessionAuthentication)

  async confirm(token: string): Promise<View> {
    const email = await this.#changes.confirmable(token)
    if (email === undefined) return this.#outdated()
    return this.#linkPage('address-change::confirm', { title: 'address.confirm.title', token, email })
  }

  /** Changes the address, and tells the owner at both. The session of this browser goes on if it is one of the account. */
  async confirmPost(token: string): Promise<View | Response> {
    const mark = this.context.auth().isAuthenticated() ? (await this.held()).mark : undefined
    const changed = await this.#changes.confirm(token, { ...clientOf(this.context), mark })
    if (changed === undefined) return this.#outdated()
    if (changed.kind === 'taken') return this.outdatedLink('address', TAKEN)
    const { context } = this
    const isSignedIn = context.auth().isAuthenticated()
    if (!isSignedIn || this.account().id !== changed.accountId) {
      const path = context.url(isSignedIn ? 'account:home' : 'account:login')
      return this.redirectSaying(path, 'address.done.elsewhere')
    }
    // Password and factor are what they were, so what was proven stays proven.
    await this.goOn(changed.credentialVersion, {})
    return this.redirectSaying(this.context.url('account:home'), 'address.done')
  }

  async restore(token: string): Promise<View> {
    const email = await this.#restores.restorable(token)
    if (email === undefined) return this.#outdated()
    return this.#linkPage('address-change::restore', { title: 'address.restore.title', token, email })
  }

  /** Brings the former address back, ends every session, tells both addresses, and leads to the page for a new password. */
  async restorePost(token: string): Promise<View | Response> {
    const { context } = this
    const restored = await this.#restores.restore(token, clientOf(context))
    if (restored === undefined) return this.#outdated()
    const { accountId, isRestored } = restored
    await this.#open.remove(accountId, context.session())
    await signOutOf(accountId, context, this.#sessions)
    if (!isRestored) return this.outdatedLink('address', NOT_RESTORED)
    return this.redirectSaying(context.url('reset:start'), 'address.restored')
  }

  #linkPage(
    template: string,
    data: { readonly title: string; readonly token: string; readonly email: string },
  ): View {
    return this.page(template, { ...data, page: 'address', narrow: true, here: '' })
  }

  #outdated(): View {
    return this.outdatedLink('address', { lead: 'address.outdated.text' })
  }
}
