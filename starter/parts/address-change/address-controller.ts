import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { type AddressForm, addressForm } from 'sallyport-app/text'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { SecurityPage } from '../../core/security/security-page.ts'
import { AddressRequests } from './address-requests.ts'

const SAME = {
  field: 'email',
  code: 'same_address',
  messageId: 'same_address',
  fallback: 'This is your present address',
  domain: 'auth',
}

/** The change of an address: nothing changes before the link in the mail to the new one is used. */
export class AddressController extends SecurityPage {
  static readonly actions: Actions<AddressController> = {
    index: [],
    indexPost: [form(addressForm)],
    sent: [],
  }

  readonly #requests = inject(AddressRequests)

  index(): View {
    return this.#page({ form: blankForm() })
  }

  /** Sends a link to the new address. The answer is the same whether or not somebody has it; only its mailbox is told. */
  async indexPost(form: Submitted<AddressForm>): Promise<View | Response> {
    if (!form.ok) return this.#page({ form, status: 422 })
    const { context } = this
    const { email } = form.value
    const { credentialVersion } = await this.held()
    try {
      const address = { email, language: context.locale(), credentialVersion, ...clientOf(context) }
      const isAsked = await this.#requests.request(this.account(), address)
      if (!isAsked) return this.#page({ form: form.refuse(SAME), status: 422 })
    } catch (error) {
      return this.#page({ form: form.refuse(), ...this.locked(error, 'sign-up.locked') })
    }
    return this.redirectToRoute('address:sent')
  }

  sent(): View {
    const words = { title: 'address.sent.title', lead: 'address.sent.text' }
    return this.sentPage('address', words, 'address:change')
  }

  #page(state: FormPage): View {
    const page = { title: 'address.title', page: 'address', narrow: true, email: this.account().email }
    return this.page('address-change::change', page, state)
  }
}
