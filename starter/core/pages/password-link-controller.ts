import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { type AcceptedForm, blankForm, type RefusedForm } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Attempts, hashedFor } from 'sallyport-app/limits'
import { type PasswordForm, SAME_PASSWORD } from 'sallyport-app/passwords'
import { PASSWORD_RULE } from '../accounts/password-rule.ts'
import { HASH_LIMIT } from '../limits/limits.ts'
import { type FormPage, PageController } from './page-controller.ts'

/** Who chooses a password: what everybody knows of them, and what it must not be. */
export interface PasswordOwner {
  readonly email: string
  /** Default: it is a field of the form. */
  readonly name?: string
  /** Hash of the present password, which is none to choose again. Default: there is none. */
  readonly passwordHash?: string | null
}

/** Base of the pages behind links of mails on which a password is chosen. */
export abstract class PasswordLinkController<
  Owner extends PasswordOwner,
  Fields extends PasswordForm & { readonly name?: string } = PasswordForm,
> extends PageController {
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)

  /** The links: the hashes that one of them costs are counted by its digest. */
  protected abstract readonly links: { digest(token: string): string }
  /** @returns Whose link it is; undefined when it is outdated. Nothing is used up. */
  protected abstract ownerOf(token: string): Promise<Owner | undefined>
  protected abstract choicePage(token: string, owner: Owner, state: FormPage): View | Promise<View>
  /** Uses the link up and stores the hash. Returns the account; undefined when the link is outdated. */
  protected abstract save(token: string, passwordHash: string, fields: Fields): Promise<string | undefined>
  protected abstract outdatedPage(): View
  /** Leads on. */
  protected abstract finish(accountId: string): Promise<Response>

  /** The page behind the link. It changes nothing: programs that check mails open links, too. */
  async choose(token: string): Promise<View> {
    const owner = await this.ownerOf(token)
    return owner === undefined ? this.outdatedPage() : this.choicePage(token, owner, { form: blankForm() })
  }

  /** @returns What follows the new password; the page with the error when it may not be used. */
  async choosePost(token: string, form: AcceptedForm<Fields> | RefusedForm): Promise<View | Response> {
    const owner = await this.ownerOf(token)
    if (owner === undefined) return this.outdatedPage()
    if (!form.ok) return this.choicePage(token, owner, { form, status: 422 })
    const { password, name = owner.name ?? '' } = form.value
    const violation = PASSWORD_RULE.violation(password, [name, owner.email])
    if (violation !== undefined)
      return this.choicePage(token, owner, { form: form.refuse(violation), status: 422 })
    let saved: string | false | undefined
    try {
      const limited = [HASH_LIMIT.of(this.links.digest(token))]
      saved = await this.#attempts.spend(limited, () => this.#save(token, owner, form.value))
    } catch (error) {
      return this.choicePage(token, owner, { ...this.locked(error, 'confirm.locked'), form: form.refuse() })
    }
    if (saved === false)
      return this.choicePage(token, owner, { form: form.refuse(SAME_PASSWORD), status: 422 })
    return saved === undefined ? this.outdatedPage() : this.finish(saved)
  }

  // False for the present password.
  async #save(token: string, owner: Owner, fields: Fields): Promise<string | false | undefined> {
    const { passwordHash: present = null } = owner
    const { password } = fields
    const turn = hashedFor(clientOf(this.context).clientAddress)
    if (present !== null && (await this.#hasher.verify(password, present, turn))) return false
    return this.save(token, await this.#hasher.hash(password, turn), fields)
  }
}
