import { type HttpContext, inject } from 'sallyport'
import { clientOf } from 'sallyport-app/clients'
import type { Completion, SigningIn, SignInStep } from '../../core/sign-in-step.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'
import { FactorRecovery } from './factor-recovery.ts'

/** Who signs in with a factor has not lost it: that stops the recovery. */
export class StoppingSignIn implements SignInStep {
  readonly #recoveries = inject(FactorRecovery)
  readonly #kinds = inject(FactorKinds)

  /** @returns What stops its recovery, if one is open, and says so. */
  complete(context: HttpContext, { identifier }: SigningIn): Completion {
    let told: string | undefined
    return {
      record: async (transaction, kind) => {
        if (!this.#kinds.endsLoss(kind)) return
        if (!(await this.#recoveries.cancelIn(transaction, identifier, clientOf(context)))) return
        told = kind === 'recovery' ? 'lost.cancelled-by-code' : 'lost.cancelled-by-sign-in'
      },
      after: async () => {
        if (told !== undefined) await context.flash().add('warning', told)
      },
    }
  }
}
