import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { ALL_MAILS, GivenUpMails, MailDecisions } from 'sallyport-app/mail'
import { PageController } from '../../core/pages/page-controller.ts'
import { TIMES } from '../../core/messages/language.ts'
import { OPS_NAME } from './ops-credentials.ts'
import { ProgramStatus } from './program-status.ts'

/** How the program is doing. What else is to be done about it, commands do. */
export class StatusController extends PageController {
  static readonly actions: Actions<StatusController> = { index: [], retryPost: [] }

  readonly #status = inject(ProgramStatus)
  readonly #mails = inject(GivenUpMails)
  readonly #decisions = inject(MailDecisions)

  async index(): Promise<View> {
    const facts = await this.#status.read()
    const locale = this.context.locale()
    const mails = await this.#mails.status()
    const list = await this.#mails.list()
    const givenUp = list.map(({ kind, failure, givenUpAt }) => ({
      kind,
      failure,
      at: TIMES.moment(givenUpAt, locale),
    }))
    const times = {
      started: TIMES.moment(facts.startedAt, locale),
      oldest: TIMES.moment(facts.oldest, locale),
      waitingSince: TIMES.moment(mails.oldest, locale),
    }
    const shown = { facts, mails, givenUp, ...times, node: process.version }
    return this.page('ops::status', { title: 'ops.title', ...shown })
  }

  /** Has the mails that could not be sent tried again. */
  async retryPost(): Promise<Response> {
    await this.#decisions.make('retry', ALL_MAILS, { ...clientOf(this.context), actor: OPS_NAME })
    return this.redirectSaying(this.context.url('ops:status'), 'ops.mails.retried')
  }
}
