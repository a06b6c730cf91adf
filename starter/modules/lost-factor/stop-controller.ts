import { inject } from 'sallyport'
import { NotFoundException, prefersJson } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { Account } from '../../identity/accounts/account.ts'
import { clientOf } from '../../identity/clients/client.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { FactorRecovery } from '../../identity/recovery/factor-recovery.ts'
import { PageController } from '../page-controller.ts'

/** Stops the recovery of an account from one of its sessions. It protects, so it needs no further proof. */
export class StopController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<StopController> = { indexPost: [] }

  readonly #recoveries = inject(FactorRecovery)
  readonly #notices = inject(Notices)

  /**
   * @returns A redirect to the account page.
   * @throws {NotFoundException} If no recovery is under way, for a client that prefers JSON.
   */
  async indexPost(): Promise<Response> {
    const { context } = this
    const { id } = context.auth().principalAs(Account)
    const isStopped = await this.#recoveries.cancelOf(id, clientOf(context))
    if (isStopped) await this.#notices.tell(id, 'recovery-cancelled')
    if (!isStopped && prefersJson(context.header('accept')))
      throw new NotFoundException('No recovery of this account is under way')
    return this.redirectSaying(this.context.url('account:home'), {
      kind: 'notice',
      text: isStopped ? 'lost.cancelled' : 'lost.nothing',
    })
  }
}
