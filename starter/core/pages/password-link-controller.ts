import { inject } from 'sallyport'
import { type AcceptedForm, blankForm, type RefusedForm, type Violation } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import type { PasswordForm } from 'sallyport-app/passwords'
import { NewPasswords, type PasswordOwner } from '../accounts/new-passwords.ts'
import { type FormPage, PageController } from './page-controller.ts'

/** Base of the pages behind links of mails on which a password is chosen. */
export abstract class PasswordLinkController<
  Owner extends PasswordOwner,
  Fields extends PasswordForm & { readonly name?: string } = PasswordForm,
> extends PageController {
  readonly #passwords = inject(NewPasswords)

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
    const { password, name = owner.name } = form.value
    let chosen: string | Violation
    try {
      const by = { id: this.links.digest(token), clientAddress: clientOf(this.context).clientAddress }
      chosen = await this.#passwords.hash(password, { ...owner, name }, by)
    } catch (error) {
      return this.choicePage(token, owner, { ...this.locked(error, 'confirm.locked'), form: form.refuse() })
    }
    if (typeof chosen !== 'string')
      return this.choicePage(token, owner, { form: form.refuse(chosen), status: 422 })
    const saved = await this.save(token, chosen, form.value)
    return saved === undefined ? this.outdatedPage() : this.finish(saved)
  }
}
