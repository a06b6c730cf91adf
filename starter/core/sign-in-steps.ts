import { type HttpContext, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import { Parts } from './part.ts'
import type { Completion, SigningIn, SignInStep, StandIn } from './sign-in-step.ts'

/** What the parts do at sign-in, one after the other. */
export class SignInSteps {
  readonly #steps: readonly SignInStep[] = inject(Parts).all.flatMap(({ signIn }) =>
    signIn === undefined ? [] : [inject(signIn)],
  )

  /** @returns The first thing that stands in for the second factor; undefined for none. */
  async standIn(context: HttpContext, proof: SigningIn): Promise<StandIn | undefined> {
    for (const step of this.#steps) {
      const found = await step.standIn?.(context, proof)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** @returns All that happens with its sign-in. */
  complete(context: HttpContext, proof: SigningIn): Required<Completion> {
    const all = this.#steps.map((step) => step.complete?.(context, proof))
    return {
      record: async (transaction, kind) => {
        for (const each of all) await each?.record?.(transaction, kind)
      },
      after: async () => {
        for (const each of all) await each?.after?.()
      },
    }
  }

  /** @returns Why it has ended; undefined when it has not. */
  async endOf(session: Session, accountId: string): Promise<string | undefined> {
    for (const step of this.#steps) {
      const cause = await step.endOf?.(session, accountId)
      if (cause !== undefined) return cause
    }
    return undefined
  }
}
