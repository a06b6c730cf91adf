import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { Account } from '../../identity/accounts/account.ts'
import { clientOf } from '../../identity/clients/client.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { FactorRecovery } from '../../identity/recovery/factor-recovery.ts'
import { PageController } from '../page-controller.ts'
import { TurnedAway } from '../../identity/sessions/turned-away.ts'

/** Stops the recovery of an account from one of its sessions. It protects, so it needs no further proof. */
export class StopController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<StopController> = { indexPost: [] }

  readonly #recoveries = inject(FactorRecovery)
  readonly #notices = inject(Notices)

  /**
   * @returns A redirect to the account page.
   */
  async indexPost(): Promise<Response> {
    const { context } = this
    const { id } = context.auth().principalAs(Account)
    if (!(await this.#recoveries.cancelOf(id, clientOf(context))))
      return this.turnAway(TurnedAway.notThere, 'account:home')
    await this.#notices.tell(id, 'recovery-cancelled')
    return this.redirectSaying(context.url('account:home'), { kind: 'notice', text: 'lost.cancelled' })
  }
}
