import { Clock, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { prefersJson, TooManyRequestsException } from 'sallyport/http'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { PageController } from '../page-controller.ts'
import { z } from 'zod'
import type { Account } from '../../identity/accounts/account.ts'
import { type AuditEntry, AuditEvent, AuditTrail } from '../../identity/audit/audit-trail.ts'
import { Challenges } from '../../identity/challenges/challenges.ts'
import { LoginCompletion } from '../../identity/sessions/login-completion.ts'
import type { PasswordProof } from '../../identity/accounts/password-check.ts'
import {
  challengeIdentifier,
  discardPendingLogin,
  hasPendingLogin,
  pendingAccount,
  readPendingLogin,
} from '../../identity/challenges/pending-login.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { Users } from '../../identity/accounts/users.ts'
import { hasCurrentCredentials } from '../../identity/sessions/session-credentials.ts'
import { invalidCode } from '../../identity/factors/invalid-code.ts'
import { type PageMessage, toMinutes } from '../presentation.ts'

/** Fields of the challenge form. */
interface Code {
  readonly code: string
}

const codeSchema: z.ZodType<Code> = z.object({ code: z.string() })

/** The second door: a code from an authenticator. Only the session says whose. */
export class ChallengeController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<ChallengeController> = {
    index: [],
    indexPost: [form(codeSchema)],
    cancelPost: [],
  }

  readonly #sessions = inject(SessionAuthentication)
  readonly #users = inject(Users)
  readonly #factors = inject(TotpFactors)
  readonly #challenges = inject(Challenges)
  readonly #completion = inject(LoginCompletion)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /**
   * @returns The challenge page; a redirect to the login page when no challenge is pending.
   */
  async index(): Promise<View | Response> {
    const wasPending = await hasPendingLogin(this.context.session())
    const proof = await this.#proofOfPassword()
    if (proof === 'expired')
      return wasPending ? this.#restart(Restart.expired) : this.redirectToRoute('account:login')
    if (proof === 'unavailable') return this.#restart(Restart.unavailable)

    const wait = await this.#factors.lockedSeconds(proof.identifier)
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
    const proof = await this.#proofOfPassword()
    if (proof === 'expired') return this.#restart(Restart.expired)
    if (proof === 'unavailable') return this.#restart(Restart.unavailable)

    const challengeId = await challengeIdentifier(this.context.session())
    const triesLeft = await this.#challenges.reserve(challengeId, proof.identifier)
    if (triesLeft === undefined) return this.#restart(await this.#endOf(challengeId))

    const code = form.ok ? form.value.code : undefined
    let isAccepted: boolean
    try {
      const accepted = this.#completion.recording(this.context, proof)
      const factors = this.#factors.forChallenge({ id: challengeId, accepted })
      isAccepted = await factors.verifyAndConsume(proof.identity.principal, code, this.#clock)
    } catch (error) {
      await this.#challenges.takeBack(challengeId)
      return this.#refuseLocked(error, proof)
    }
    if (!isAccepted) {
      // Of two simultaneous codes, the other one may have ended the challenge; this one then stays valid.
      const isOver = await this.#challenges.hasEnded(challengeId)
      return isOver ? this.#restart(Restart.expired) : this.#refuse(proof, form, triesLeft)
    }
    return this.redirect(await this.#completion.enter(this.context, proof))
  }

  /**
   * Cancels the pending login.
   *
   * @returns A redirect to the login page.
   */
  async cancelPost(): Promise<Response> {
    const { context } = this
    // A user who is signed in has nothing to cancel: this page does not sign out.
    if (context.auth().isAuthenticated()) return this.#restart(Restart.expired)
    await this.#end(AuditEvent.ChallengeCancelled, () =>
      this.#sessions.logout(context.session(), context.auth()),
    )
    await context.flash().add('notice', 'sign-in.cancelled')
    return this.redirectToRoute('account:login')
  }

  // Reloads the account in the request that completes the login, because it may have changed since the password was checked.
  async #proofOfPassword(): Promise<PasswordProof | 'expired' | 'unavailable'> {
    const { context } = this
    const isAnonymous =
      !context.auth().isAuthenticated() && (await this.#sessions.identifier(context.session())) === null
    const pending = await readPendingLogin(context.session(), this.#clock)
    if (!isAnonymous || pending === undefined) return 'expired'
    const { identifier } = pending
    const identity = await this.#users.authenticationIdentity(identifier)
    if (identity === null) return 'unavailable'
    return (await hasCurrentCredentials(context.session(), identity)) ? { identifier, identity } : 'expired'
  }

  // Why no attempt is left: a code was accepted, or too many were wrong.
  async #endOf(challengeId: string): Promise<(typeof Restart)[keyof typeof Restart]> {
    return (await this.#challenges.hasEnded(challengeId)) ? Restart.expired : Restart.spent
  }

  async #restart({ kind, text }: (typeof Restart)[keyof typeof Restart]): Promise<Response> {
    const { context } = this
    await this.#end(kind)
    await context.flash().add('warning', context.auth().isAuthenticated() ? 'sign-in.already' : text)
    return this.redirectToRoute('account:login')
  }

  async #refuse(proof: PasswordProof, form: Submitted<Code>, triesLeft: number): Promise<View> {
    await this.#record(AuditEvent.CodeRefused)
    // Recorded once, when the lock begins: attempts during the lock would flood the trail.
    if ((await this.#factors.lockedSeconds(proof.identifier)) > 0) await this.#record(AuditEvent.CodeLocked)
    if (triesLeft === 0) await this.#end(Restart.spent.kind)
    if (prefersJson(this.context.header('accept'))) throw invalidCode()
    if (triesLeft === 0) return this.#loginPage(Restart.spent.text, proof.identity.principal)
    const refused = form.refuse({
      field: 'code',
      code: 'wrong_code',
      fallback: 'That code is wrong',
      domain: 'auth',
      parameters: { triesLeft },
    })
    return this.#challengePage(proof.identity.principal, { form: refused, status: 422 })
  }

  #refuseLocked(error: unknown, proof: PasswordProof): View {
    if (!(error instanceof TooManyRequestsException) || prefersJson(this.context.header('accept')))
      throw error
    const warning = lockedMessage(Number(error.headers['retry-after']))
    const state = { warning, status: 429, headers: error.headers }
    return this.#challengePage(proof.identity.principal, state)
  }

  async #record(kind: AuditEvent): Promise<void> {
    const entry = await this.#entry(kind)
    if (entry !== null) await this.#audit.record(entry)
  }

  // The challenge ends even if that cannot be recorded.
  async #end(kind: AuditEvent, leave?: () => Promise<void>): Promise<void> {
    const entry = await this.#entry(kind)
    await discardPendingLogin(this.context.session())
    await leave?.()
    if (entry !== null) await this.#audit.record(entry)
  }

  async #entry(kind: AuditEvent): Promise<AuditEntry | null> {
    const session = this.context.session()
    const accountId = await pendingAccount(session)
    if (accountId === null) return null
    const challengeId = await challengeIdentifier(session)
    return { kind, accountId, clientAddress: this.context.clientAddress(), challengeId }
  }

  #challengePage(account: Account, state: ChallengePage): View {
    const { form = blankForm(), warning, status = 200, headers = {} } = state
    const failed = warning !== undefined || form.violations.length > 0
    const page = { title: 'challenge.title', failed, page: 'login', narrow: true, door: 2 }
    const data = { ...page, form, warning, email: account.email }
    return this.page('account/challenge', data, { status, headers })
  }

  // Keeps the address of the previous page, so that only the password has to be typed again.
  #loginPage(warning: string, { email }: Account): View {
    const data = {
      title: 'sign-in.title',
      failed: true,
      page: 'login',
      narrow: true,
      door: 1,
      form: blankForm({ email }),
      warning: { id: warning },
      stranded: false,
    }
    return this.page('account/login', data, { status: 422 })
  }
}

interface ChallengePage {
  readonly form?: ShownForm
  // What does not concern the code.
  readonly warning?: PageMessage
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

// Why a login restarts at the password, and the message for the user in the catalogue.
const Restart = {
  expired: {
    kind: AuditEvent.ChallengeExpired,
    text: 'sign-in.expired',
  },
  unavailable: { kind: AuditEvent.AccountUnavailable, text: 'sign-in.unavailable' },
  spent: { kind: AuditEvent.ChallengeSpent, text: 'sign-in.spent' },
} as const

function lockedMessage(seconds: number): PageMessage {
  return { id: 'challenge.locked', values: { minutes: toMinutes(seconds) } }
}
