import { inject } from 'sallyport'
import { prefersJson, TooManyRequestsException } from 'sallyport/http'
import type { ShownForm } from 'sallyport/input'
import { Account } from '../../identity/accounts/account.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { keptCredentialVersion, keepCredentialVersion } from '../../identity/sessions/session-credentials.ts'
import { carryProofs, discardProofs, type Proofs } from '../../identity/step-up/proofs.ts'
import { PageController } from '../page-controller.ts'
import { type PageMessage, toMinutes } from '../presentation.ts'

/** State of a page with a form. */
export interface FormPage {
  /** The form. */
  readonly form: ShownForm
  /** What concerns no field. Default: nothing. */
  readonly warning?: PageMessage
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What the pages that change credentials have in common. */
export class SecurityPage extends PageController {
  protected readonly notices: Notices = inject(Notices)

  /**
   * @returns The signed-in account.
   */
  protected account(): Account {
    return this.context.auth().principalAs(Account)
  }

  /**
   * @returns Version of the credentials that this session was begun and confirmed with.
   */
  protected async version(): Promise<number> {
    return (await keptCredentialVersion(this.context.session())) ?? 0
  }

  /**
   * Lets this session, and no other, go on after a change of credentials, with a new identifier.
   *
   * @param credentialVersion The version after the change.
   * @param proofs What was proven with the change itself, which counts on with the earlier proofs; `drop`: both are asked for
   *   again.
   */
  protected async goOn(credentialVersion: number, proofs: Proofs | 'drop'): Promise<void> {
    const session = this.context.session()
    await session.regenerateId()
    if (proofs === 'drop') await discardProofs(session)
    else await carryProofs(session, { identifier: this.account().id, credentialVersion }, proofs)
    await keepCredentialVersion(session, credentialVersion)
  }

  /**
   * @param error What a limited attempt threw.
   * @returns What the page says when it was a lock.
   * @throws {Error} Any other error, and every error for a client that prefers JSON.
   */
  protected locked(error: unknown): Omit<FormPage, 'form'> {
    if (!(error instanceof TooManyRequestsException) || prefersJson(this.context.header('accept')))
      throw error
    const minutes = toMinutes(Number(error.headers['retry-after']))
    return { warning: { id: 'enrollment.locked', values: { minutes } }, status: 429, headers: error.headers }
  }

  /**
   * Leads back to the overview, which says what happened.
   *
   * @param kind `notice` or `warning`.
   * @param text The message.
   * @returns The redirect.
   */
  protected async leave(kind: 'notice' | 'warning', text: string): Promise<Response> {
    await this.context.flash().add(kind, text)
    return this.redirectToRoute('security:home')
  }
}
