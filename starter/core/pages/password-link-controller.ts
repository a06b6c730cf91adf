import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import type { AcceptedForm, RefusedForm } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Attempts, hashedFor } from 'sallyport-app/limits'
import { SAME_PASSWORD } from 'sallyport-app/passwords'
import { PASSWORD_RULE } from '../accounts/password-rule.ts'
import { HASH_LIMIT } from '../limits/limits.ts'
import { type FormPage, PageController } from './page-controller.ts'

/** A password that is chosen behind a link that was found. */
export interface PasswordChoice<Fields> {
  /** Digest of the link: the hashes that it costs are counted. */
  readonly link: string
  /** What everybody knows of the owner of the password. */
  readonly wordsOf: (fields: Fields) => readonly string[]
  /** Hash of the present password, which is none to choose again. Default: there is none. */
  readonly present?: string | null
  /** The page with the form. */
  readonly page: (state: FormPage) => View | Promise<View>
  /** Uses the link up and stores the hash. Returns the account; undefined when the link is outdated. */
  readonly save: (passwordHash: string, fields: Fields) => Promise<string | undefined>
  /** The page of an outdated link. */
  readonly outdated: () => View
  /** Leads on. */
  readonly finish: (accountId: string) => Promise<Response>
}

/** Base of the pages behind links of mails on which a password is chosen. */
export abstract class PasswordLinkController extends PageController {
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)

  /** @returns What follows the new password; the page with the error when it may not be used. */
  protected async choosePassword<Fields extends { readonly password: string }>(
    form: AcceptedForm<Fields> | RefusedForm,
    choice: PasswordChoice<Fields>,
  ): Promise<View | Response> {
    const { page } = choice
    if (!form.ok) return page({ form, status: 422 })
    const violation = PASSWORD_RULE.violation(form.value.password, choice.wordsOf(form.value))
    if (violation !== undefined) return page({ form: form.refuse(violation), status: 422 })
    let saved: { readonly id: string } | 'same' | undefined
    try {
      saved = await this.#attempts.spend([HASH_LIMIT.of(choice.link)], () => this.#save(form.value, choice))
    } catch (error) {
      return page({ form: form.refuse(), ...this.locked(error, 'confirm.locked') })
    }
    if (saved === 'same') return page({ form: form.refuse(SAME_PASSWORD), status: 422 })
    return saved === undefined ? choice.outdated() : choice.finish(saved.id)
  }

  async #save<Fields extends { readonly password: string }>(
    fields: Fields,
    { present = null, save }: PasswordChoice<Fields>,
  ): Promise<{ readonly id: string } | 'same' | undefined> {
    const { password } = fields
    const turn = hashedFor(clientOf(this.context).clientAddress)
    if (present !== null && (await this.#hasher.verify(password, present, turn))) return 'same'
    const id = await save(await this.#hasher.hash(password, turn), fields)
    return id === undefined ? undefined : { id }
  }
}
