import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AddressChange, type AddressRequest } from './address-change.ts'
import { emailField } from '../../core/text/email-address.ts'
import { clientOf } from '../../core/clients/client.ts'
import { Mails } from '../../core/mail/mails.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { SecurityPage } from '../../core/security/security-page.ts'

/** The new address. */
interface Address {
  readonly email: string
}

const addressSchema: z.ZodType<Address> = z.object({ email: emailField })

/** The change of an address: nothing changes before the link in the mail to the new one is used. */
export class AddressController extends SecurityPage {
  /** Actions and their parameters. */
  static readonly actions: Actions<AddressController> = {
    index: [],
    indexPost: [form(addressSchema)],
    sent: [],
  }

  readonly #changes = inject(AddressChange)
  readonly #mails = inject(Mails)

  /** @returns The page that asks for the new address. */
  index(): View {
    return this.#page({ form: blankForm() })
  }

  /**
   * Sends a link to the new address. The answer is the same whether or not somebody has it; only its mailbox is told.
   *
   * @returns A redirect to the page that says where to look; the page with the error when the address cannot be used.
   */
  async indexPost(form: Submitted<Address>): Promise<View | Response> {
    if (!form.ok) return this.#page({ form, status: 422 })
    const { context } = this
    const { email } = form.value
    const { credentialVersion } = await this.held()
    const address = { email, credentialVersion, ...clientOf(context) }
    try {
      const request = await this.#changes.request(this.account(), address)
      if (request.kind === 'same') return this.#page({ form: form.refuse(SAME), status: 422 })
      this.#send(email, request)
    } catch (error) {
      return this.#page({ form: form.refuse(), ...this.locked(error, 'sign-up.locked') })
    }
    return this.redirectToRoute('address:sent')
  }

  /** @returns The page that says where to look. */
  sent(): View {
    return this.page('address-change::sent', { title: 'address.sent.title', page: 'address', narrow: true })
  }

  #send(email: string, request: Exclude<AddressRequest, { readonly kind: 'same' }>): void {
    const { context } = this
    if (request.kind !== 'new') {
      const mail = request.kind === 'known' ? 'address-known' : 'address-known-disabled'
      return this.#mails.send(mail, { email, language: request.language })
    }
    const url = this.#mails.linkTo(context.url('address:confirm', { token: request.token }))
    this.#mails.send('address-confirm', { email, language: context.locale() }, { url })
  }

  #page({ form, warning, status = 200, headers = {} }: FormPage): View {
    const page = { title: 'address.title', failed: status !== 200, page: 'address', narrow: true }
    const data = { ...page, form, warning, email: this.account().email }
    return this.page('address-change::change', data, { status, headers })
  }
}

const SAME = {
  field: 'email',
  code: 'same_address',
  messageId: 'same_address',
  fallback: 'This is your present address',
  domain: 'auth',
}
