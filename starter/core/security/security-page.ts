import { inject } from 'sallyport'
import { addProofs, OpenSessions } from 'sallyport-app/sessions'
import type { Changing } from '../accounts/credential-change.ts'
import type { HeldCredentials } from '../accounts/credential-version.ts'
import type { Proofs } from '../sign-in-step.ts'
import { PageController } from '../pages/page-controller.ts'
import type { TurnedAway } from '../sessions/turned-away.ts'

/** What the pages that change credentials have in common. */
export class SecurityPage extends PageController {
  readonly #open = inject(OpenSessions)

  /** @returns The credentials that this session was begun and confirmed with, as long as it stands. */
  protected held(): Promise<HeldCredentials> {
    return this.#open.held(this.context.session(), this.account().id)
  }

  /** @returns The same, with whose they are, for a change of them. */
  protected async changing(): Promise<Changing> {
    return { ...this.owner(), ...(await this.held()) }
  }

  /**
   * Lets this session, and no other, go on after a change of credentials, with a new identifier.
   *
   * @param proofs What was proven with the change itself, which counts on with the earlier proofs; `drop`: both are asked for
   *   again.
   */
  protected async goOn(credentialVersion: number, proofs: Proofs | 'drop'): Promise<void> {
    const proven = proofs === 'drop' ? NOTHING : proofs
    await addProofs(this.context.session(), this.account().id, { ...proven, credentialVersion })
  }

  /** Leads back to the overview, which says what happened. */
  protected async leave(text: string): Promise<Response> {
    return this.redirectSaying(this.context.url('security:home'), text)
  }

  /** Turns back to the overview, which says why nothing happened. */
  protected turnBack(why: TurnedAway): never {
    return this.turnAway(why, 'security:home')
  }
}

const NOTHING: Proofs = { password: undefined, factor: undefined, kind: undefined }
