import { Clock, Controller, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { prefersJson, TooManyRequestsException } from 'sallyport/http'
import { ValidationException } from 'sallyport/input'
import { type Actions, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AuditEvent, AuditTrail } from '../../identity/audit-trail.ts'
import { LoginCompletion } from '../../identity/login-completion.ts'
import { PasswordCheck, type PasswordProof } from '../../identity/password-check.ts'
import {
  beginPendingLogin,
  discardPendingLogin,
  newChallengeIdentifier,
  readPendingLogin,
} from '../../identity/pending-login.ts'
import { allowedReturnTarget, rememberReturnTarget } from '../../identity/return-target.ts'
import { TotpFactors } from '../../identity/totp-factors.ts'
import { toMinutes } from '../presentation.ts'

/** Fields of the login form. */
interface Credentials {
  readonly email?: unknown
  readonly password?: unknown
  readonly return_url?: unknown
}

// Accepts anything: a missing or malformed value gets the same response as a wrong password.
const credentialsSchema: z.ZodType<Credentials> = z.object({
  email: z.unknown().optional(),
  password: z.unknown().optional(),
  return_url: z.unknown().optional(),
})

/** The page to return to after the login. */
interface ReturnTo {
  readonly return_url?: unknown
}

const returnToSchema: z.ZodType<ReturnTo> = z.object({ return_url: z.unknown().optional() })

/** The first door: e-mail address and password. */
export class LoginController extends Controller {
  /** Actions and their parameters. */
  static readonly actions: Actions<LoginController> = {
    index: [input(returnToSchema)],
    indexPost: [input(credentialsSchema)],
  }

  readonly #sessions = inject(SessionAuthentication)
  readonly #passwords = inject(PasswordCheck)
  readonly #factors = inject(TotpFactors)
  readonly #completion = inject(LoginCompletion)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /**
   * @param query `return_url`: the page to return to after the login.
   * @returns The login page; a redirect to the account page for a user who is signed in.
   */
  async index(query: ReturnTo): Promise<View | Response> {
    if (this.context.auth().isAuthenticated()) return this.redirectToRoute('account:home')
    const stranded = (await this.#sessions.identifier(this.context.session())) !== null
    const isPending = (await readPendingLogin(this.context.session(), this.#clock)) !== undefined
    return this.#loginPage({ returnTo: query.return_url, stranded, isPending })
  }

  /**
   * Checks e-mail address and password. Completes the login when the account has no second factor, otherwise asks for a code.
   *
   * @param credentials Fields of the form.
   * @returns A redirect to the next page; for a browser with wrong credentials the login page with the error.
   * @throws {ValidationException} With the one violation `invalid_credentials`, for a client that prefers JSON.
   * @throws {TooManyRequestsException} If the address or the client is locked, for a client that prefers JSON.
   */
  async indexPost(credentials: Credentials): Promise<View | Response> {
    const { context } = this
    // First of all: whatever the outcome of this login, an earlier one ends.
    await discardPendingLogin(context.session())
    if (await this.#holdsIdentity()) return this.#askToLogOutFirst()

    const { email, password } = credentials
    let proof: PasswordProof
    try {
      proof = await this.#passwords.verify({ email, password, clientAddress: context.clientAddress() })
    } catch (error) {
      return this.#refuse(error, credentials)
    }
    await rememberReturnTarget(context, credentials.return_url)
    if (await this.#factors.isRequired(proof.identifier)) return this.#beginChallenge(proof)
    return this.redirect(await this.#completion.complete(context, proof))
  }

  async #holdsIdentity(): Promise<boolean> {
    if (this.context.auth().isAuthenticated()) return true
    return (await this.#sessions.identifier(this.context.session())) !== null
  }

  async #askToLogOutFirst(): Promise<Response> {
    const accountId = await this.#sessions.identifier(this.context.session())
    const clientAddress = this.context.clientAddress()
    await this.#audit.record({ kind: AuditEvent.LoginRefused, accountId, clientAddress })
    await this.context.flash().add('warning', 'You are already signed in. Sign out first.')
    return this.redirectToRoute('account:login')
  }

  async #beginChallenge({ identifier }: PasswordProof): Promise<Response> {
    const { context } = this
    const challengeId = newChallengeIdentifier()
    const clientAddress = context.clientAddress()
    const entry = { kind: AuditEvent.PasswordAccepted, accountId: identifier, clientAddress, challengeId }
    // Before the session is changed: a login that cannot be recorded does not happen.
    await this.#audit.record(entry)

    // logout() instead of regenerateId(): nothing of an earlier identity may remain in this session.
    await this.#sessions.logout(context.session(), context.auth())
    await beginPendingLogin(context.session(), { identifier, challengeId }, this.#clock)
    return this.redirectToRoute('account:challenge')
  }

  #refuse(error: unknown, credentials: Credentials): View {
    if (prefersJson(this.context.header('accept'))) throw error
    if (error instanceof ValidationException) {
      const text = 'This address and password do not match. Check both and try again.'
      return this.#loginPage({ ...prefill(credentials), status: 422, error: text })
    }
    if (error instanceof TooManyRequestsException) {
      const wait = toMinutes(Number(error.headers['retry-after']))
      const text = `Too many attempts. Wait ${wait} and try again.`
      return this.#loginPage({
        ...prefill(credentials),
        status: 429,
        error: text,
        isBlameless: true,
        headers: error.headers,
      })
    }
    throw error
  }

  #loginPage(state: LoginPage): View {
    const { status = 200, headers = {} } = state
    const { error = '', email = '', isBlameless = false, stranded = false, isPending = false } = state
    const returnUrl = allowedReturnTarget(this.context, state.returnTo)
    const title = error === '' ? 'Sign in' : 'Error: Sign in'
    const page = { title, page: 'login', narrow: true, door: 1 }
    const data = { ...page, error, isBlameless, email, returnUrl, stranded, isPending }
    return this.view('account/login', data, { status, headers })
  }
}

interface LoginPage {
  readonly error?: string
  // The error concerns no field: neither the address nor the password is known to be wrong.
  readonly isBlameless?: boolean
  readonly email?: string
  readonly returnTo?: unknown
  readonly stranded?: boolean
  readonly isPending?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

function prefill({ email, return_url: returnTo }: Credentials): LoginPage {
  return { email: typeof email === 'string' ? email.slice(0, 254) : '', returnTo }
}
