import { type HttpContext, inject } from 'sallyport'
import { clientOf } from 'sallyport-app/clients'
import type { Completion, SigningIn, SignInStep } from '../../core/sign-in-step.ts'
import { AccountDeletion } from './account-deletion.ts'

/** Who signs in wants the account: a completed sign-in stops its deletion. */
export class StoppingSignIn implements SignInStep {
  readonly #deletions = inject(AccountDeletion)

  /** @returns What stops its deletion, if there is one, and says so. */
  complete(context: HttpContext, { identifier }: SigningIn): Completion {
    let isStopped = false
    return {
      record: async (transaction) => {
        isStopped = await this.#deletions.stopIn(transaction, identifier, clientOf(context))
      },
      after: async () => {
        if (isStopped) await context.flash().add('warning', 'deletion.stopped-by-sign-in')
      },
    }
  }
}
