import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import type { Account } from '../../identity/accounts/account.ts'
import { AuditEvent } from '../../identity/audit/audit-trail.ts'
import { challengeIdentifier, hasPendingLogin } from '../../identity/challenges/pending-login.ts'
import { invalidCode } from '../../identity/factors/invalid-code.ts'
import type { PageMessage } from '../presentation.ts'
import { lockedMessage, Restart, SecondDoor } from './second-door.ts'

/** Fields of the challenge form. */
interface Code {
  readonly code: string
}

const codeSchema: z.ZodType<Code> = z.object({ code: z.string() })

/** The second door: a code from an authenticator. */
export class ChallengeController extends SecondDoor {
  /** Actions and their parameters. */
  static readonly actions: Actions<ChallengeController> = {
    index: [],
    indexPost: [form(codeSchema)],
    cancelPost: [],
  }

  /**
   * @returns The challenge page; a redirect to the login page when no challenge is pending.
   */
  async index(): Promise<View | Response> {
    const wasPending = await hasPendingLogin(this.context.session())
    const proof = await this.proofOfPassword()
    if (proof === Restart.expired && !wasPending) return this.redirectToRoute('account:login')
    if ('kind' in proof) return this.restart(proof)

    const wait = await this.factors.lockedSeconds(proof.identifier)
    return this.#challengePage(proof.identity.principal, wait === 0 ? {} : { warning: lockedMessage(wait) })
  }

  /**
   * Checks a code. Only a correct code gets past the check.
   *
   * @param form The form. One without a code is a wrong code.
   * @returns A redirect to the next page; for a browser with a wrong code the challenge page with the error.
   * @throws {ValidationException} With the violation `invalid_code`, for a client that prefers JSON.
   * @throws {TooManyRequestsException} If the account is locked, for a client that prefers JSON.
   */
  async indexPost(form: Submitted<Code>): Promise<View | Response> {
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return this.restart(proof)

    const challengeId = await challengeIdentifier(this.context.session())
    const triesLeft = await this.challenges.reserve(challengeId, proof.identifier)
    if (triesLeft === undefined) return this.restart(await this.endOf(challengeId))

    const { principal } = proof.identity
    const code = form.ok ? form.value.code : undefined
    let isAccepted: boolean
    try {
      const accepted = this.completion.recording(this.context, proof)
      const factors = this.factors.forChallenge({ id: challengeId, accepted })
      isAccepted = await factors.verifyAndConsume(principal, code, this.clock)
    } catch (error) {
      await this.challenges.takeBack(challengeId)
      return this.#challengePage(principal, this.locked(error))
    }
    if (isAccepted) return this.redirect(await this.completion.enter(this.context, proof))
    // Of two simultaneous codes, the other one may have ended the challenge; this one then stays valid.
    if (await this.challenges.hasEnded(challengeId)) return this.restart(Restart.expired)
    const refusal = { kind: AuditEvent.CodeRefused, triesLeft, error: invalidCode() }
    return (await this.refused(proof, refusal)) ?? this.#refusedPage(principal, form, triesLeft)
  }

  /**
   * Cancels the pending login.
   *
   * @returns A redirect to the login page.
   */
  async cancelPost(): Promise<Response> {
    const { context } = this
    // A user who is signed in has nothing to cancel: this page does not sign out.
    if (context.auth().isAuthenticated()) return this.restart(Restart.expired)
    await this.end(AuditEvent.ChallengeCancelled, () =>
      this.sessions.logout(context.session(), context.auth()),
    )
    await context.flash().add('notice', 'sign-in.cancelled')
    return this.redirectToRoute('account:login')
  }

  #refusedPage(principal: Account, form: Submitted<Code>, triesLeft: number): View {
    const refused = form.refuse({
      field: 'code',
      code: 'wrong_code',
      fallback: 'That code is wrong',
      domain: 'auth',
      parameters: { triesLeft },
    })
    return this.#challengePage(principal, { form: refused, status: 422 })
  }

  #challengePage(account: Account, state: ChallengePage): View {
    const { form = blankForm(), warning, status = 200, headers = {} } = state
    const failed = warning !== undefined || form.violations.length > 0
    const page = { title: 'challenge.title', failed, page: 'login', narrow: true, door: 2 }
    const data = { ...page, form, warning, email: account.email }
    return this.page('account/challenge', data, { status, headers })
  }
}

interface ChallengePage {
  readonly form?: ShownForm
  // What does not concern the code.
  readonly warning?: PageMessage
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}
