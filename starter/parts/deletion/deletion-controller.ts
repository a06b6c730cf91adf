import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted, ValidationException } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { OpenSessions } from 'sallyport-app/sessions'
import { emailKey } from 'sallyport-app/text'
import { AccountDeletion, DELETION_DAYS } from './account-deletion.ts'
import { Mails } from '../../core/mail/mails.ts'
import { signOut } from '../../core/login/sign-out.ts'
import { TIMES } from '../../core/messages/language.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { SecurityPage } from '../../core/security/security-page.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'

/** What shows that the owner means it. */
interface Typed {
  readonly email: string
}

const typedSchema: z.ZodType<Typed> = z.object({ email: z.string().trim().min(1).max(254) })

/** The deletion of the own account. */
export class DeletionController extends SecurityPage {
  static readonly actions: Actions<DeletionController> = { index: [], indexPost: [form(typedSchema)] }

  readonly #deletions = inject(AccountDeletion)
  readonly #sessions = inject(SessionAuthentication)
  readonly #open = inject(OpenSessions)
  readonly #mails = inject(Mails)

  index(): View {
    return this.#page({ form: blankForm() })
  }

  /**
   * Begins the waiting time and signs the account out everywhere.
   *
   * @returns A redirect to the start page, which says what happens next; the page with the error when it was refused.
   */
  async indexPost(form: Submitted<Typed>): Promise<View | Response> {
    if (!form.ok) return this.#page({ form, status: 422 })
    const { context } = this
    const account = this.account()
    if (emailKey(form.value.email) !== emailKey(account.email))
      return this.#page({ form: form.refuse(OTHER), status: 422 })
    const request = { ...this.owner(), held: await this.held() }
    try {
      const isAsked = await this.#deletions.request(request, async ({ token, dueAt }, transaction) => {
        // Where no mails are sent, signing in keeps the account.
        if (!this.#mails.areSent) return
        const url = this.#mails.linkTo(context.url('deletion:stop', { token }))
        const values = { url, at: TIMES.moment(dueAt, account.language).exact }
        await this.#mails.send({ kind: 'deletion-requested', to: account, values }, transaction)
      })
      if (!isAsked) return this.turnBack(TurnedAway.outOfDate)
    } catch (error) {
      if (!(error instanceof ValidationException)) throw error
      return this.#page({ form: form.refuse(...error.violations), status: 422 })
    }
    await this.#open.remove(account.id, context.session())
    await signOut(context, this.#sessions)
    return this.redirectSaying(context.url('site:home'), 'deletion.asked')
  }

  #page(state: FormPage): View {
    const { email } = this.account()
    const page = { title: 'deletion.title', page: 'deletion', narrow: true, email, days: DELETION_DAYS }
    return this.page('deletion::ask', page, state)
  }
}

const OTHER = {
  field: 'email',
  code: 'other_address',
  messageId: 'other_address',
  fallback: 'This is not the address of your account',
  domain: 'auth',
}
