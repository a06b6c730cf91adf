import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { isSeen } from 'sallyport/http'
import { blankForm, type ShownForm, type Submitted, ValidationException } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import { SessionPolicy } from 'sallyport/session'
import type { View } from 'sallyport/view'
import { NO_WAY_ON } from '../factor-replacement.ts'
import { PageSlots } from '../page-slots.ts'
import { Parts } from '../part.ts'
import type { StandIn } from '../sign-in-step.ts'
import { SignInSteps } from '../sign-in-steps.ts'
import { PageController } from '../pages/page-controller.ts'
import { z } from 'zod'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { MailPasswords } from '../accounts/mail-password.ts'
import { EnrollmentStart } from '../enrollment/enrollment-start.ts'
import { clientOf } from '../clients/client.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import {
  type Credentials,
  credentialsSchema,
  invalidCredentials,
  PasswordCheck,
  type PasswordProof,
} from '../accounts/password-check.ts'
import {
  beginPendingLogin,
  discardPendingLogin,
  newChallengeIdentifier,
  readPendingLogin,
} from '../challenges/pending-login.ts'
import { endOfSession, forgetSeen } from '../sessions/last-seen.ts'
import { ReturnTargets } from '../sessions/return-target.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'
import { discardEnrollment } from '../login/pending-enrollment.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import type { PageMessage } from '../pages/presentation.ts'
import { TurnedAway } from '../sessions/turned-away.ts'

/** The page to return to after the login. */
interface ReturnTo {
  readonly return_url?: string | undefined
}

// Anything but one page is ignored, as a page that a login must not return to.
const returnUrl = z.string().optional().catch(undefined)
const returnToSchema: z.ZodType<ReturnTo> = z.object({ return_url: returnUrl })

/** Fields of the login form. */
interface SignIn extends Credentials, ReturnTo {}

const signInSchema: z.ZodType<SignIn> = credentialsSchema.extend({ return_url: returnUrl })

/** The first door: e-mail address and password. */
export class LoginController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<LoginController> = {
    index: [input(returnToSchema)],
    indexPost: [form(signInSchema)],
  }

  readonly #sessions = inject(SessionAuthentication)
  readonly #passwords = inject(PasswordCheck)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #enrollments = inject(EnrollmentStart)
  readonly #lost = inject(Parts).lostFactors
  readonly #byMail = inject(MailPasswords)
  readonly #completion = inject(LoginCompletion)
  readonly #audit = inject(AuditTrail)
  readonly #targets = inject(ReturnTargets)
  readonly #slots = inject(PageSlots)
  readonly #steps = inject(SignInSteps)
  readonly #lifetimes = inject(SessionPolicy)

  /**
   * @param query `return_url`: the page to return to after the login.
   * @returns The login page; a redirect to the account page for a user who is signed in.
   */
  async index(query: ReturnTo): Promise<View | Response> {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const stranded = (await this.#sessions.identifier(this.context.session())) !== null
    const isPending = (await readPendingLogin(this.context.session(), this.clock)) !== undefined
    const page = { form: blankForm(), returnTo: query.return_url, stranded, isPending }
    const warning = this.#toldEnd()
    return this.#loginPage(warning === undefined ? page : { ...page, warning })
  }

  // Told once, on the first login page after the end.
  #toldEnd(): PageMessage | undefined {
    const end = endOfSession(this.context, this.#lifetimes, this.clock)
    if (end === undefined) return undefined
    if (isSeen(this.context)) forgetSeen(this.context)
    const { idleMilliseconds, absoluteMilliseconds } = this.#lifetimes
    const values = { minutes: idleMilliseconds / 60_000, hours: absoluteMilliseconds / 3_600_000 }
    return { id: END[end], values }
  }

  /**
   * Checks e-mail address and password. Completes the login when the account has no second factor, otherwise asks for a code.
   *
   * @param form The form. One that is malformed gets the same response as a wrong password.
   * @returns A redirect to the next page; for a browser with wrong credentials the login page with the error.
   */
  async indexPost(form: Submitted<SignIn>): Promise<View | Response> {
    const { context } = this
    // First of all: whatever the outcome of this login, an earlier one ends.
    await discardPendingLogin(context.session())
    await discardEnrollment(context.session())
    if (await this.#holdsIdentity()) return this.#askToLogOutFirst()

    if (!form.ok) return this.#refuse(invalidCredentials(), form)
    const { email, password, return_url: returnTo } = form.value
    let door: NextDoor
    try {
      const typed = { email, password, ...clientOf(context) }
      door = await this.#nextDoor(await this.#passwords.verify(typed))
      await door.record?.()
    } catch (error) {
      return this.#refuse(error, form)
    }
    await this.#targets.remember(context, returnTo)
    return (await door.enter()) ?? this.#refuse(invalidCredentials(), form)
  }

  async #nextDoor(proof: PasswordProof): Promise<NextDoor> {
    if (!(await this.#factors.isRequired(proof.identifier)))
      return { enter: () => this.#enterWithoutFactor(proof) }
    const second = this.#secondDoor(proof)
    const standIn = await this.#steps.standIn(this.context, proof)
    return standIn === undefined ? second : { enter: () => this.#enterBy(standIn, proof, second) }
  }

  // What does not stand in leaves the second door.
  async #enterBy(standIn: StandIn, proof: PasswordProof, second: NextDoor): Promise<Response | undefined> {
    const proven = { ...standIn.proven, password: this.clock.timestamp() }
    const target = await this.#completion.completeOnce(this.context, { ...proof, proven }, standIn.useUp)
    await standIn.after?.()
    if (target !== undefined) return this.redirect(target)
    await second.record?.()
    return second.enter()
  }

  #secondDoor(proof: PasswordProof, route = 'account:challenge'): NextDoor {
    const challengeId = newChallengeIdentifier()
    const entry = { accountId: proof.identifier, ...clientOf(this.context), challengeId }
    return {
      // Before the session is changed: a login that cannot be recorded does not happen.
      record: () => this.#audit.record({ kind: AuditEvent.PasswordAccepted, ...entry }),
      enter: () => this.#beginChallenge(proof, challengeId, route),
    }
  }

  async #enterWithoutFactor(proof: PasswordProof): Promise<Response | undefined> {
    if (await this.#policy.mustEnroll(proof.identity)) return this.#beginEnrollment(proof)
    const proven = { password: this.clock.timestamp() }
    const target = await this.#completion.complete(this.context, { ...proof, proven })
    return target === undefined ? undefined : this.redirect(target)
  }

  async #holdsIdentity(): Promise<boolean> {
    if (this.context.auth().isAuthenticated()) return true
    return (await this.#sessions.identifier(this.context.session())) !== null
  }

  async #askToLogOutFirst(): Promise<never> {
    const accountId = await this.#sessions.identifier(this.context.session())
    await this.#audit.record({ kind: AuditEvent.LoginRefused, accountId, ...clientOf(this.context) })
    // An account that may no longer sign in has no page, and its session still names it.
    const route = this.context.auth().isAuthenticated() ? 'account:home' : 'account:login'
    return this.turnAway({ ...TurnedAway.signedIn, text: 'sign-in.sign-out-first' }, route)
  }

  async #beginChallenge(
    { identifier, identity }: PasswordProof,
    challengeId: string,
    route: string,
  ): Promise<Response> {
    const { context } = this
    // logout() instead of regenerateId(): nothing of an earlier identity may remain in this session.
    await this.#sessions.logout(context.session(), context.auth(), { keepNewer: true })
    await beginPendingLogin(context.session(), { identifier, challengeId }, this.clock)
    await keepCredentialVersion(context.session(), identity.credentialVersion)
    // The next page has a form: the secret of its token is written with the rest of the session.
    await context.csrf().token()
    return this.redirectToRoute(route)
  }

  async #beginEnrollment(proof: PasswordProof): Promise<Response | undefined> {
    const { identifier } = proof
    if (await this.#byMail.isOneProof(identifier)) return this.#beginWaiting(proof)
    const client = clientOf(this.context)
    await this.#audit.record({ kind: AuditEvent.EnrollmentRequired, accountId: identifier, ...client })
    await this.#enrollments.begin(this.context, identifier, 'required')
    return this.redirectToRoute('enrollment:start')
  }

  // Whoever has only the mailbox could have come this far.
  async #beginWaiting(proof: PasswordProof): Promise<Response | undefined> {
    if (this.#lost === NO_WAY_ON)
      return this.turnAway({ ...TurnedAway.noFactor, text: NO_WAY_ON.instead }, NO_WAY_ON.route)
    const door = this.#secondDoor(proof, this.#lost.route)
    await door.record?.()
    return door.enter()
  }

  #refuse(error: unknown, form: Submitted<SignIn>): Promise<View | Response> {
    if (error instanceof ValidationException)
      return this.#loginPage({ form: form.refuse(MISMATCH), status: 422, error })
    return this.#loginPage({ form: form.refuse(), ...this.locked(error, 'sign-in.locked') })
  }

  async #loginPage(state: LoginPage): Promise<View | Response> {
    const { form, warning, stranded = false, isPending = false, status = 200, headers = {}, error } = state
    const returnUrl = await this.#targets.allowed(state.returnTo ?? form.value('return_url'))
    const page = { title: 'sign-in.title', failed: status !== 200, page: 'login', narrow: true, door: 1 }
    const here = this.context.url('account:login', returnUrl === undefined ? {} : { return_url: returnUrl })
    const { slots, ...added } = await this.#slots.fill('signIn', this.context)
    const shown = { form, warning, returnUrl, stranded, isPending }
    const data = { ...page, here, ...shown, slots, ...added }
    return this.pageOrState('sign-in', added, this.page('account/login', data, { status, headers, error }))
  }
}

const END = {
  idle: 'sign-in.end.idle',
  absolute: 'sign-in.end.absolute',
  elsewhere: 'sign-in.end.elsewhere',
}

// What the violations of the form are is not told: it would tell wrong addresses from wrong passwords.
const MISMATCH = {
  field: null,
  code: 'invalid_credentials',
  messageId: 'sign_in_refused',
  fallback: 'This address and password do not match. Check both and try again.',
  domain: 'auth',
}

interface NextDoor {
  /** Records the right password, before the session is changed. Default: nothing is recorded. */
  readonly record?: () => Promise<void>
  /** Undefined when the account is no longer as it was proven. */
  readonly enter: () => Promise<Response | undefined>
}

interface LoginPage {
  readonly form: ShownForm
  // What concerns no field: neither the address nor the password is known to be wrong.
  readonly warning?: PageMessage
  readonly returnTo?: unknown
  readonly stranded?: boolean
  readonly isPending?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly error?: Error
}
