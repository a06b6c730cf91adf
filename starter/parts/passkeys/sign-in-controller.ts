import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { TooManyRequestsException } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { PasswordProof } from '../../core/accounts/password-check.ts'
import { Users } from '../../core/accounts/users.ts'
import { AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { discardPendingLogin, newChallengeIdentifier } from '../../core/challenges/pending-login.ts'
import { clientOf } from '../../core/clients/client.ts'
import { discardEnrollment } from '../../core/login/pending-enrollment.ts'
import { LoginCompletion } from '../../core/login/login-completion.ts'
import { ReturnTargets } from '../../core/sessions/return-target.ts'
import { keepCredentialVersion } from '../../core/sessions/session-credentials.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { beginPendingPasskey, discardPendingPasskey } from './pending-passkey.ts'
import { type PasskeyProof, PasskeyProofs } from './proofs.ts'
import { type PostedPasskey, postedSchema } from './response.ts'

/** A passkey as the whole login. */
export class PasskeySignInController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<PasskeySignInController> = { indexPost: [form(postedSchema)] }

  readonly #sessions = inject(SessionAuthentication)
  readonly #proofs = inject(PasskeyProofs)
  readonly #users = inject(Users)
  readonly #completion = inject(LoginCompletion)
  readonly #audit = inject(AuditTrail)
  readonly #targets = inject(ReturnTargets)

  /**
   * Signs in with a passkey that has verified its user: possession, and a PIN, a fingerprint or a face, are both factors. One
   * that has not is one factor: the session stays anonymous, and the password is asked for.
   *
   * @param form The form. Whatever is wrong with the response of a known passkey, the answer is the same.
   * @returns A redirect: to the next page, or to the login page.
   */
  async indexPost(form: Submitted<PostedPasskey>): Promise<Response> {
    const { context } = this
    // First of all: whatever the outcome of this login, an earlier one ends.
    await discardPendingLogin(context.session())
    await discardEnrollment(context.session())
    await discardPendingPasskey(context.session())
    if ((await this.#sessions.identifier(context.session())) !== null) return this.#askToLogOutFirst()
    let passkey: PasskeyProof | 'unknown' | undefined
    try {
      const response = form.ok ? form.value.response : ''
      passkey = await this.#proofs.proveAnyone({ session: context.session(), response, ...clientOf(context) })
    } catch (error) {
      return this.#refuseLocked(error)
    }
    if (passkey === undefined || passkey === 'unknown') return this.#refuse(undefined, passkey)
    const identifier = passkey.accountId
    const identity = await this.#users.authenticationIdentity(identifier)
    if (identity === null) return this.#refuse(passkey)
    await this.#targets.remember(context, form.ok ? form.value.return_url : undefined)
    return this.#goOn(passkey, { identifier, identity })
  }

  async #goOn(passkey: PasskeyProof, account: PasswordProof): Promise<Response> {
    if (!passkey.isUserVerified) return this.#askForPassword(passkey, account)
    const { context } = this
    const client = clientOf(context)
    const proven = { factor: this.clock.timestamp(), kind: 'passkey' as const }
    const target = await this.#completion.completeOnce(context, { ...account, proven }, (database) =>
      this.#proofs.useUp(database, passkey, client),
    )
    if (target === undefined) return this.#refuse(passkey)
    await this.#proofs.tellUsed(passkey)
    return this.redirect(target)
  }

  async #askForPassword(passkey: PasskeyProof, { identifier, identity }: PasswordProof): Promise<Response> {
    const { context } = this
    const challengeId = newChallengeIdentifier()
    const use = { ...clientOf(context), challengeId }
    if (!(await this.#proofs.useUpForPassword(passkey, use))) return this.#refuse(passkey)
    // logout() instead of regenerateId(): nothing of an earlier identity may remain in this session.
    await this.#sessions.logout(context.session(), context.auth(), { keepNewer: true })
    await beginPendingPasskey(context.session(), { identifier, challengeId }, this.clock)
    await keepCredentialVersion(context.session(), identity.credentialVersion)
    return this.redirectSaying(this.context.url('account:login'), {
      kind: 'notice',
      text: 'passkey.sign-in.password',
    })
  }

  // The browser is not told to forget an unknown passkey: another installation on this host may know it.
  async #refuse(passkey: PasskeyProof | undefined, why?: 'unknown'): Promise<never> {
    const accountId = passkey?.accountId ?? null
    await this.#audit.record({ kind: 'passkey-refused', accountId, ...clientOf(this.context) })
    return this.turnAway(why === undefined ? REFUSED : UNKNOWN, 'account:login')
  }

  #refuseLocked(error: unknown): never {
    // A program is told how long to wait.
    if (!(error instanceof TooManyRequestsException)) throw error
    return this.turnAway(LOCKED, 'account:login', error.headers)
  }

  async #askToLogOutFirst(): Promise<never> {
    const accountId = await this.#sessions.identifier(this.context.session())
    await this.#audit.record({ kind: AuditEvent.LoginRefused, accountId, ...clientOf(this.context) })
    // An account that may no longer sign in has no page, and its session still names it.
    const route = this.context.auth().isAuthenticated() ? 'account:home' : 'account:login'
    return this.turnAway({ ...TurnedAway.signedIn, text: 'sign-in.sign-out-first' }, route)
  }
}

const REFUSED: TurnedAway = {
  status: 422,
  code: 'ERR_STARTER_PASSKEY_REFUSED',
  detail: 'This passkey signs nobody in',
  text: 'passkey.sign-in.refused',
}
const UNKNOWN: TurnedAway = { ...REFUSED, text: 'passkey.sign-in.unknown' }
const LOCKED: TurnedAway = { ...REFUSED, status: 429, text: 'passkey.sign-in.locked' }
