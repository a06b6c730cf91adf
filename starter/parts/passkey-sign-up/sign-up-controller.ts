import { createHash } from 'node:crypto'
import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { ownerNameField } from 'sallyport-app/text'
import { Account } from '../../core/accounts/account.ts'
import { EnrollingController } from '../../core/enrollment/enrolling-controller.ts'
import { RecoveryCodes } from '../../core/factors/recovery-codes.ts'
import { languageOf } from '../../core/messages/language.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { CONFIRMATIONS, SignUp } from '../../core/sign-up/sign-up.ts'
import { UNNAMED } from '../passkeys/forms.ts'
import { type AddedPasskey, Passkeys, type PasskeyRefusal, WHOLE_SIGN_IN } from '../passkeys/passkeys.ts'

/** What the owner of the address chooses. */
interface Profile {
  readonly name: string
  /** The new passkey, as JSON. */
  readonly response: string
}

const profileSchema: z.ZodType<Profile> = z.object({ name: ownerNameField, response: z.string() })

/** The page behind the link of a sign-up, with a passkey in place of a password. */
export class PasskeySignUpController extends EnrollingController {
  static readonly actions: Actions<PasskeySignUpController> = {
    index: [param.string('token')],
    indexPost: [param.string('token'), form(profileSchema)],
  }

  readonly #signUp = inject(SignUp)
  readonly #passkeys = inject(Passkeys)
  readonly #codes = inject(RecoveryCodes)

  /** Uses nothing up, as every page behind a link. */
  async index(token: string): Promise<View> {
    const account = await this.#newcomer(token)
    return account === undefined ? this.#outdated() : this.#page(token, account, { form: blankForm() })
  }

  /** Creates the account, and shows its recovery codes: nobody is signed in before they are acknowledged. */
  async indexPost(token: string, form: Submitted<Profile>): Promise<View> {
    const account = await this.#newcomer(token)
    if (account === undefined) return this.#outdated()
    if (!form.ok) return this.#page(token, account, { form, status: 422 })
    let added: AddedPasskey | PasskeyRefusal | undefined
    try {
      added = await this.#create(token, account, form.value)
    } catch (error) {
      return this.#page(token, account, { form: form.refuse(), ...this.locked(error, 'confirm.locked') })
    }
    if (added === undefined) return this.#outdated()
    if (typeof added === 'string') {
      const warning = { id: `passkeys.refused.${added}` }
      return this.#page(token, account, { form: form.refuse(), warning, status: 422 })
    }
    return this.#shown(account.id, added)
  }

  // In one transaction: the end of the link, the account, its passkey, its recovery codes and the record of all.
  async #create(
    token: string,
    account: Account,
    { name, response }: Profile,
  ): Promise<AddedPasskey | PasskeyRefusal | undefined> {
    const { context } = this
    const client = clientOf(context)
    const posted = { session: context.session(), response }
    const checked = await this.#passkeys.check(account, posted, WHOLE_SIGN_IN)
    if (typeof checked === 'string') return checked
    const set = await this.#codes.prepare(account.id, client)
    const unnamed = this.translate(UNNAMED)
    let stored: AddedPasskey | PasskeyRefusal | undefined
    await this.#signUp.confirm(token, {
      id: account.id,
      name,
      passwordHash: null,
      language: languageOf(context.locale()),
      ...client,
      also: async (transaction) => {
        stored = await this.#passkeys.store(transaction, checked, { ...client, unnamed, set })
        return typeof stored === 'object'
      },
    })
    return stored
  }

  // What a new passkey proves is signed by nothing that was known before: a protected action asks for it.
  async #shown(accountId: string, added: AddedPasskey): Promise<View> {
    await this.start.begin(this.context, accountId)
    return this.showCodes(await this.enrolling(), added, {})
  }

  /** @returns Who has the account then, which authenticators keep with the passkey; undefined when the link is outdated. */
  async #newcomer(token: string): Promise<Account | undefined> {
    const email = await this.#signUp.confirmable(token)
    return email === undefined ? undefined : new Account({ id: accountOf(token), name: email, email })
  }

  #outdated(): View {
    return this.outdatedLink('sign-up', { lead: 'confirm.outdated.text', start: 'sign-up:start' })
  }

  async #page(token: string, account: Account, state: FormPage): Promise<View> {
    const passkey = await this.#passkeys.creationOptions(this.context.session(), account, WHOLE_SIGN_IN)
    const page = { title: 'passkey-sign-up.title', page: 'sign-up', narrow: true, email: account.email }
    return this.page('passkey-sign-up::new', { ...page, token, passkey }, state)
  }
}

/**
 * An authenticator keeps the reference of the account before there is one. It follows from the link, which makes one account at most, and
 * says nothing of the token.
 *
 * @returns A UUID (RFC 9562, version 8).
 */
function accountOf(token: string): string {
  const digest = createHash('sha256')
    .update(`account:${CONFIRMATIONS.digest(token)}`)
    .digest('hex')
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
  ]
  return [...parts, digest.slice(20, 32)].join('-')
}
