import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../../identity/clients/client.ts'
import { Account } from '../../identity/accounts/account.ts'
import { FactorChanges } from '../../identity/factors/factor-changes.ts'
import { type OwnPasskey, Passkeys, type PasskeySummary } from '../../identity/factors/passkeys.ts'
import { RelyingParty } from '../../identity/factors/relying-party.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { OpenSessions } from '../../identity/sessions/open-sessions.ts'
import { keepCredentialVersion, heldCredentials } from '../../identity/sessions/session-credentials.ts'
import { PageController } from '../page-controller.ts'
import { labelField } from '../label-field.ts'
import { TurnedAway } from '../../identity/sessions/turned-away.ts'

/** The new name. */
interface NewName {
  readonly label: string
}

const nameSchema: z.ZodType<NewName> = z.object({ label: labelField })

/** Renames and removes a passkey of the signed-in user. One of another account is not found. */
export class PasskeyController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<PasskeyController> = {
    rename: [param.string('id')],
    renamePost: [param.string('id'), form(nameSchema)],
    remove: [param.string('id')],
    removePost: [param.string('id')],
  }

  readonly #passkeys = inject(Passkeys)
  readonly #changes = inject(FactorChanges)
  readonly #notices = inject(Notices)
  readonly #open = inject(OpenSessions)
  readonly #site = inject(RelyingParty)

  /**
   * @param id Identifier of the passkey.
   * @returns The page that asks for a new name.
   * @throws {NotFoundException} If the account has no such passkey.
   */
  async rename(id: string): Promise<View> {
    const { label } = await this.#find(id)
    return this.#renamePage(id, { form: blankForm({ label }) })
  }

  /**
   * @param id Identifier of the passkey.
   * @param form The form.
   * @returns A redirect to the list; the page with the error for a name that is none.
   * @throws {NotFoundException} If the account has no such passkey.
   */
  async renamePost(id: string, form: Submitted<NewName>): Promise<View | Response> {
    await this.#find(id)
    if (!form.ok) return this.#renamePage(id, { form, status: 422 })
    if (!(await this.#passkeys.rename(this.#own(id), form.value.label))) throw new NotFoundException()
    return this.redirectSaying(this.context.url('security:home'), {
      kind: 'notice',
      text: 'passkeys.renamed',
    })
  }

  /**
   * @param id Identifier of the passkey.
   * @returns The page that asks whether it shall be removed; a redirect if it is the last factor and a rule asks for one, or is gone.
   */
  async remove(id: string): Promise<View | Response> {
    const passkey = await this.#passkeys.find(this.#own(id).accountId, id)
    if (passkey === undefined) return this.#turnBack(TurnedAway.noSuchPasskey)
    const { label } = passkey
    if (!(await this.#changes.mayRemove(this.#own(id).accountId, id)))
      return this.#turnBack(TurnedAway.lastFactor)
    const page = { title: 'passkeys.remove', page: 'security', narrow: true }
    const isLast = await this.#changes.isLast(this.#own(id).accountId)
    return this.page('passkeys/remove', { ...page, id, label, isLast, back: this.#back() })
  }

  /**
   * Removes the passkey, which works no more from then on. The other sessions of the account end, and its owner gets a mail.
   *
   * @param id Identifier of the passkey.
   * @returns A redirect to the list, which says what was done, or why nothing was.
   */
  async removePost(id: string): Promise<Response> {
    const own = this.#own(id)
    const isLast = await this.#changes.isLast(own.accountId)
    const passkey = await this.#passkeys.find(own.accountId, id)
    if (passkey === undefined) return this.#turnBack(TurnedAway.noSuchPasskey)
    if (!(await this.#changes.mayRemove(own.accountId, id))) return this.#turnBack(TurnedAway.lastFactor)
    const session = this.context.session()
    const handle = await this.#open.handleOf(session, own.accountId)
    const version = await this.#passkeys.remove(own, { ...(await heldCredentials(session)), handle })
    if (version === undefined) return this.#turnBack(TurnedAway.outOfDate)
    // Proofs are not carried on: what was proven may have been the passkey that is gone.
    await session.regenerateId()
    await keepCredentialVersion(session, version)
    const { label, credentialId } = passkey
    await this.#haveForgotten(credentialId)
    await this.#notices.tell(own.accountId, isLast ? 'last-factor-removed' : 'factor-removed', { label })
    return this.redirectSaying(this.context.url('security:home'), {
      kind: 'notice',
      text: isLast ? 'remove.done-last' : 'passkeys.removed',
    })
  }

  // The next page has the browser forget it, and says nothing of it. Passkeys belong to the name of the host: where others may be
  // on it, such as a copy with the same accounts, theirs must stay.
  async #haveForgotten(credentialId: string): Promise<void> {
    const { context } = this
    const site = this.#site.name()
    if (site?.origin !== context.origin() || new URL(site.origin).port !== '' || context.basePath !== '')
      return
    await context.flash().add('removed-passkey', JSON.stringify({ rpId: site.id, credentialId }))
  }

  #turnBack(why: TurnedAway): never {
    return this.turnAway(why, 'security:home')
  }

  async #find(id: string): Promise<PasskeySummary> {
    const passkey = await this.#passkeys.find(this.#own(id).accountId, id)
    if (passkey === undefined) throw new NotFoundException()
    return passkey
  }

  #own(id: string): OwnPasskey {
    const { id: accountId } = this.context.auth().principalAs(Account)
    return { accountId, id, ...clientOf(this.context) }
  }

  #back(): string {
    return this.context.url('security:home')
  }

  #renamePage(
    id: string,
    { form, status = 200 }: { readonly form: ShownForm; readonly status?: number },
  ): View {
    const page = { title: 'passkeys.rename.title', failed: status !== 200, page: 'security', narrow: true }
    return this.page('passkeys/rename', { ...page, id, form, back: this.#back() }, { status })
  }
}
