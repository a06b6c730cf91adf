import { inject } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { Account } from '../../identity/accounts/account.ts'
import { invalidPasskey } from '../../identity/factors/invalid-passkey.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { keepCredentialVersion } from '../../identity/sessions/session-credentials.ts'
import { carryProofs } from '../../identity/step-up/proofs.ts'
import { PageController } from '../page-controller.ts'
import type { PageMessage } from '../presentation.ts'
import { passkeyName } from './passkey-name.ts'

/** The form that a script fills in with the answer of the browser. */
interface NewPasskey {
  readonly label: string
  readonly response: string
}

const newSchema: z.ZodType<NewPasskey> = z.object({ label: passkeyName, response: z.string() })

/** Adds a passkey or security key. */
export class AddPasskeyController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<AddPasskeyController> = { index: [], indexPost: [form(newSchema)] }

  readonly #passkeys = inject(Passkeys)
  readonly #notices = inject(Notices)

  /**
   * @returns The page that asks for a name and the passkey.
   */
  index(): Promise<View> {
    return this.#newPage({ form: blankForm() })
  }

  /**
   * Adds the passkey. The other sessions of the account end, and its owner gets a mail.
   *
   * @param form The form.
   * @returns A redirect to the list; the page with the error when the response was not right.
   * @throws {ValidationException} With the violation `invalid_passkey`, for a client that prefers JSON.
   */
  async indexPost(form: Submitted<NewPasskey>): Promise<View | Response> {
    const { context } = this
    if (!form.ok) return this.#newPage({ form, status: 422 })
    const account = context.auth().principalAs(Account)
    const { label, response } = form.value
    const [session, clientAddress] = [context.session(), context.clientAddress()]
    const added = await this.#passkeys.add(account, { session, label, response, clientAddress })
    if (typeof added === 'string') {
      if (prefersJson(context.header('accept'))) throw invalidPasskey()
      const warning = { id: `passkeys.refused.${added}` }
      return this.#newPage({ form: form.refuse(), warning, status: 422 })
    }
    const { credentialVersion } = added
    await carryProofs(session, { identifier: account.id, credentialVersion })
    await keepCredentialVersion(session, credentialVersion)
    await this.#notices.tell(account.id, 'factor-added', { label })
    await context.flash().add('notice', 'passkeys.added')
    return this.redirectToRoute('security:home')
  }

  async #newPage({ form, warning, status = 200 }: NewPage): Promise<View> {
    const account = this.context.auth().principalAs(Account)
    const site = this.#passkeys.elsewhere(this.context.origin())
    const options =
      site === undefined ? await this.#passkeys.creationOptions(this.context.session(), account) : undefined
    const passkey = options === undefined ? undefined : JSON.stringify(options)
    const page = { title: 'passkeys.add', failed: status !== 200, page: 'security', narrow: true }
    const back = this.context.url('security:home')
    const elsewhere = site === undefined ? undefined : site + this.context.url('passkeys:new')
    return this.page('passkeys/new', { ...page, form, warning, passkey, elsewhere, back }, { status })
  }
}

interface NewPage {
  readonly form: ShownForm
  readonly warning?: PageMessage
  readonly status?: number
}
