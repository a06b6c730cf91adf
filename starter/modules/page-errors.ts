import { Clock, type ErrorRenderer, type Failure, type HttpContext, inject, ProblemErrors } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { prefersJson } from 'sallyport/http'
import { blankForm } from 'sallyport/input'
import { View } from 'sallyport/view'
import { SessionPolicy } from 'sallyport/session'
import { Challenges } from '../identity/challenges/challenges.ts'
import { PENDING_LOGIN_KEY } from '../identity/challenges/pending-login.ts'
import { ERR_FACTOR_UNREADABLE } from '../identity/factors/unreadable-secret.ts'
import { PasskeyProofs } from '../identity/factors/passkey-proofs.ts'
import { noteDone } from '../identity/sessions/done-note.ts'
import { noteRefusedForm } from '../identity/sessions/refused-form.ts'
import { ResolveIdentity } from '../identity/sessions/resolve-identity.ts'
import { requiresLogin, ReturnTargets } from '../identity/sessions/return-target.ts'
import { isForwardedPlain } from '../operations/forwarded-plain.ts'
import { SecondDoor } from './account/second-door.ts'
import { ERROR_VIEW } from './layout-engine.ts'

// A session may end so much too early.
const PRECISION_SECONDS = 60

// Why a form is refused that was good when its page was opened.
const LATE = {
  idle: 'sign-in.late.idle',
  changed: 'sign-in.late.changed',
  missed: 'sign-in.late.missed',
  noCookie: 'sign-in.late.no-cookie',
}

// What a program is told whose form came over plain HTTP: another token would not help.
const PLAIN = {
  code: 'ERR_STARTER_PLAIN_HTTP',
  message: 'This form came over plain HTTP, where its session cookie is never sent: use the https address',
}

/**
 * Pages for what is refused before an action runs. A form whose page is too old leads on from where the person is: to the
 * login with the address kept, to the page that was asked for, or to the same page once more. What it asked for never happens.
 */
export class PageErrors implements ErrorRenderer {
  readonly #identity = inject(ResolveIdentity)
  readonly #targets = inject(ReturnTargets)
  readonly #policy = inject(SessionPolicy)
  readonly #clock = inject(Clock)
  readonly #passkeys = inject(PasskeyProofs)
  readonly #challenges = inject(Challenges)
  readonly #sessions = inject(SessionAuthentication)

  /**
   * @param failure What went wrong.
   * @param context Context of the request.
   * @returns The page; null for the page of all other errors, and for clients that prefer JSON.
   */
  async render(failure: Failure, context: HttpContext): Promise<Response | View | null> {
    const isLate = failure.code === 'ERR_CSRF_INVALID_TOKEN'
    const isPlain = isLate && context.isSecure() && isForwardedPlain(context)
    if (prefersJson(context.header('accept')))
      return isPlain ? new ProblemErrors().render({ ...failure, ...PLAIN }) : null
    if (isPlain && !isForeign(context, context.origin().replace(/^https:/, 'http:')))
      return this.#overHttps(context)
    if (isLate) return this.#late(failure, context)
    if (failure.code === ERR_FACTOR_UNREADABLE) return this.#again(failure, context)
    if (
      failure.status === 503 &&
      context.method() === 'POST' &&
      context.path() === context.url('account:logout')
    )
      return this.#again(failure, context, 'sign-out')
    // No module has been asked, so nobody has looked who it is: their menu and the log-out button belong on this page too.
    if ((failure.status === 404 || failure.status === 405) && !context.hasRoute())
      await this.#identity.establish(context)
    return null
  }

  // Over plain HTTP a browser keeps no cookie of this site, so none of its forms ever has a token that fits. The redirect follows
  // a form only: where a proxy says so wrongly, pages that are opened must not lead to themselves.
  async #overHttps(context: HttpContext): Promise<Response> {
    const path = context.path()
    const page = (await this.#targets.isPage(path)) ? path : context.url('site:home')
    return seeOther(context.origin() + page)
  }

  async #late(failure: Failure, context: HttpContext): Promise<Response | View | null> {
    // A form of another site is not late.
    if (isForeign(context)) return null
    const path = context.path()
    const isSignedIn = context.auth().isAuthenticated()
    if (path === context.url('account:logout'))
      return isSignedIn ? this.#again(failure, context) : seeOther(path)
    if (path === context.url('account:login') && !isSignedIn) return this.#loginPage(context)
    if (isSecondDoor(context) && !isSignedIn) return this.#restart(failure, context)
    if (isSignedIn || !requiresLogin(context.route())) return this.#again(failure, context)
    noteRefusedForm(context)
    return seeOther(await this.#targets.loginUrl(context))
  }

  async #loginPage(context: HttpContext): Promise<View> {
    const form = await context.form()
    const cause = await this.#lateness(context, Number(form?.text('opened')))
    const returnUrl = await this.#targets.allowed(form?.text('return_url'))
    return this.#login(context, cause, { email: form?.text('email') ?? '', returnUrl })
  }

  // A pending login that is still alive is not ended by a form that is none of its own.
  async #restart(failure: Failure, context: HttpContext): Promise<Response | View> {
    if (await context.session().has(PENDING_LOGIN_KEY)) return this.#again(failure, context)
    const form = await context.form()
    const isCompleted = await this.#challenges.isCompleted(form?.text('sign_in') ?? '')
    // By its twin, a moment ago: the browser is signed in, unless it has missed the response.
    if (isCompleted && (await this.#sessions.endOf(context.session())) !== null) {
      const path = context.url('account:login')
      noteDone(context, path, this.#clock)
      return seeOther(path)
    }
    const warning = isCompleted ? 'sign-in.completed' : 'sign-in.over'
    return this.#login(context, warning, { email: '', returnUrl: undefined })
  }

  async #login(
    context: HttpContext,
    warning: string,
    { email, returnUrl }: { readonly email: string; readonly returnUrl: string | undefined },
  ): Promise<View> {
    const page = { title: 'sign-in.title', failed: true, page: 'login', narrow: true, door: 1 }
    const values = { minutes: this.#policy.idleMilliseconds / 60_000 }
    const state = { warning: { id: warning, values }, returnUrl, stranded: false, isPending: false }
    const here = context.url('account:login')
    const passkey = await this.#passkeys.signInOptions(context.session())
    const opened = this.#clock.timestamp()
    const data = { ...page, ...state, here, form: blankForm({ email }), opened, passkey }
    return new View('account/login', data, { status: 403 })
  }

  // The way on is the page of the same address, where there is one.
  async #again(failure: Failure, context: HttpContext, deed?: string): Promise<View> {
    const path = context.path()
    // The second door has forms that are not about its factor: their page is the one above.
    const above = isSecondDoor(context) ? path.replace(/\/[^/]*$/, '') : undefined
    const again = (await this.#targets.isPage(path)) ? path : above
    return new View(ERROR_VIEW, { error: failure, again, deed }, { status: failure.status })
  }

  async #lateness(context: HttpContext, opened: number): Promise<string> {
    const { secureCookieName, cookieName, idleMilliseconds } = this.#policy
    const name = context.isSecure() ? secureCookieName : cookieName
    if (context.cookies().get(name) === undefined) return LATE.noCookie
    if ((await this.#sessions.endOf(context.session())) === 'renewed') return LATE.missed
    // A session with a secret is alive: the page is from before somebody signed in or out in another window.
    if (await context.session().has('_csrf')) return LATE.changed
    const age = this.#clock.timestamp() - opened
    return age >= idleMilliseconds / 1000 - PRECISION_SECONDS ? LATE.idle : LATE.changed
  }
}

// Not by its address: the code by mail has one of its own.
function isSecondDoor(context: HttpContext): boolean {
  return context.hasRoute() && context.route().controller.prototype instanceof SecondDoor
}

function isForeign(context: HttpContext, own = context.origin()): boolean {
  const site = context.header('sec-fetch-site')
  if (site !== null) return site === 'cross-site'
  const origin = context.header('origin')
  return origin !== null && origin !== own
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location } })
}
