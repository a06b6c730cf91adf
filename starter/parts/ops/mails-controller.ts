import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { clientOf } from 'sallyport-app/clients'
import { ALL_MAILS, MailDecisions } from 'sallyport-app/mail'
import { PageController } from '../../core/pages/page-controller.ts'
import { OPS_NAME } from './ops-credentials.ts'

/** Decides about the mails that could not be sent. */
export class MailsController extends PageController {
  static readonly actions: Actions<MailsController> = { retryPost: [], dropPost: [] }

  readonly #decisions = inject(MailDecisions)

  retryPost(): Promise<Response> {
    return this.#decide('retry', 'ops.mails.retried')
  }

  dropPost(): Promise<Response> {
    return this.#decide('drop', 'ops.mails.dropped')
  }

  async #decide(decision: 'retry' | 'drop', text: string): Promise<Response> {
    await this.#decisions.make(decision, ALL_MAILS, { ...clientOf(this.context), actor: OPS_NAME })
    return this.redirectSaying(this.context.url('ops:status'), text)
  }
}
