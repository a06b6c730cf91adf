import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { clientOf } from '../../core/clients/client.ts'
import { ALL_MAILS, GivenUpMails, type MailActor } from '../../core/mail/given-up-mails.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { OPS_NAME } from './ops-credentials.ts'

/** Decides about the mails that could not be sent. */
export class MailsController extends PageController {
  static readonly actions: Actions<MailsController> = { retryPost: [], dropPost: [] }

  readonly #mails = inject(GivenUpMails)

  async retryPost(): Promise<Response> {
    await this.#mails.retry(ALL_MAILS, this.#actor())
    return this.#say('ops.mails.retried')
  }

  async dropPost(): Promise<Response> {
    await this.#mails.drop(ALL_MAILS, this.#actor())
    return this.#say('ops.mails.dropped')
  }

  #actor(): MailActor {
    return { ...clientOf(this.context), actor: OPS_NAME }
  }

  #say(text: string): Promise<Response> {
    return this.redirectSaying(this.context.url('ops:status'), { kind: 'notice', text })
  }
}
