import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Mails, type WriteMail } from '../../core/mail/mails.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import { FactorRecovery, type WaitingRecovery } from './factor-recovery.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { TIMES } from '../../core/messages/language.ts'

const OUTDATED = { lead: 'lost.outdated.text' }

/**
 * The links in the mails about a recovery, and the button that stops it. Opening a link changes nothing: programs that check mails open
 * them, too.
 */
export class RecoveryLinkController extends PageController {
  static readonly actions: Actions<RecoveryLinkController> = {
    confirm: [param.string('token')],
    confirmPost: [param.string('token')],
    cancel: [param.string('token')],
    cancelPost: [param.string('token')],
    stopPost: [],
  }

  readonly #recoveries = inject(FactorRecovery)
  readonly #mails = inject(Mails)

  /** @returns The page that confirms. */
  async confirm(token: string): Promise<View> {
    const account = await this.#recoveries.confirmable(token)
    if (account === undefined) return this.outdatedLink('lost', OUTDATED)
    return this.#linkPage('lost-factor::confirm', 'lost.confirm.title', { token, email: account.email })
  }

  /**
   * Begins the waiting time, and tells the owner at once.
   *
   * @returns The page that says when it ends.
   */
  async confirmPost(token: string): Promise<View> {
    const { context } = this
    const write: WriteMail<WaitingRecovery> = ({ account, readyAt, cancel }, transaction) => {
      const url = this.#mails.linkTo(context.url('lost:cancel', { token: cancel }))
      const values = { url, at: TIMES.moment(readyAt, context.locale()).exact }
      return this.#mails.send({ kind: 'lost-waiting', to: account, values }, transaction)
    }
    const waiting = await this.#recoveries.confirm(token, clientOf(context), write)
    if (waiting === undefined) return this.outdatedLink('lost', OUTDATED)
    const ready = TIMES.moment(waiting.readyAt, context.locale())
    return this.#linkPage('lost-factor::waiting', 'lost.waiting.title', { ready })
  }

  /** @returns The page that stops the recovery. */
  async cancel(token: string): Promise<View> {
    const account = await this.#recoveries.cancellable(token)
    if (account === undefined) return this.outdatedLink('lost', OUTDATED)
    return this.#linkPage('lost-factor::cancel', 'lost.cancel.title', { token, email: account.email })
  }

  /**
   * Stops the recovery.
   *
   * @returns The page that says what to do next.
   */
  async cancelPost(token: string): Promise<View> {
    if (!(await this.#recoveries.cancel(token, clientOf(this.context))))
      return this.outdatedLink('lost', OUTDATED)
    return this.#linkPage('lost-factor::stopped', 'lost.stopped.title')
  }

  /**
   * Stops the recovery of the signed-in account. It protects, so it needs no further proof.
   *
   * @returns A redirect to the account page.
   */
  async stopPost(): Promise<Response> {
    const { context } = this
    if (!(await this.#recoveries.cancelOf(this.account().id, clientOf(context))))
      return this.turnAway(TurnedAway.notThere, 'account:home')
    return this.redirectSaying(context.url('account:home'), 'lost.cancelled')
  }

  #linkPage(template: string, title: string, data: Readonly<Record<string, unknown>> = {}): View {
    return this.page(template, { title, page: 'lost', narrow: true, here: '', ...data })
  }
}
