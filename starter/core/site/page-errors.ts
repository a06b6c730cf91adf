import { type ErrorRenderer, type Failure, type HttpContext, inject, ProblemErrors } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import { blankForm } from 'sallyport/input'
import { SessionPolicy } from 'sallyport/session'
import { View } from 'sallyport/view'
import { PageSlots } from '../page-slots.ts'
import { hasPendingLogin } from '../challenges/pending-login.ts'
import { ERR_FACTOR_UNREADABLE } from '../factors/factor-vault.ts'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { requiresLogin, ReturnTargets } from '../sessions/return-target.ts'
import { isForwardedPlain } from '../clients/forwarded-plain.ts'
import { SecondDoor } from '../sign-in/second-door.ts'
import { ERROR_VIEW } from '../pages/layout-engine.ts'
import { TurnedAwayException } from '../sessions/turned-away.ts'

// What a program is told whose form came over plain HTTP: another token would not help.
const PLAIN = {
  code: 'ERR_STARTER_PLAIN_HTTP',
  message: 'This form came over plain HTTP, where its session cookie is never sent: use the https address',
}

// What people type into forms that is no secret: a page that refuses such a form shows it, to be copied.
const TYPED = ['email', 'name', 'label', 'reason']

/**
 * What a refused request gets: the one place that tells browsers from programs. A program gets problem details. A browser is led on
 * where that helps; a form that is out of date gets one page that says so, keeps what was typed and has one way on.
 */
export class PageErrors implements ErrorRenderer {
  readonly #identity = inject(ResolveIdentity)
  readonly #targets = inject(ReturnTargets)
  readonly #policy = inject(SessionPolicy)
  readonly #slots = inject(PageSlots)

  /** @returns The page; null for the page of all other errors, and for clients that prefer JSON. */
  async render(failure: Failure, context: HttpContext): Promise<Response | View | null> {
    const isLate = failure.code === 'ERR_CSRF_INVALID_TOKEN'
    const isPlain = isLate && context.isSecure() && isForwardedPlain(context)
    if (prefersJson(context.header('accept')))
      return isPlain ? new ProblemErrors().render({ ...failure, ...PLAIN }) : null
    if (isPlain && !isForeign(context, context.origin().replace(/^https:/, 'http:')))
      return this.#overHttps(context)
    if (failure.exception instanceof TurnedAwayException) return turnAway(failure.exception, failure, context)
    // A form of another site is not late.
    if (isLate) return isForeign(context) ? null : this.#late(failure, context)
    if (failure.code === ERR_FACTOR_UNREADABLE) return errorPage(failure, context, { again: context.path() })
    if (failure.status === 503 && isForm(context) && context.path() === context.url('account:logout'))
      return errorPage(failure, context, { again: context.path(), deed: 'sign-out' })
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
    return redirect(context.origin() + page)
  }

  async #late(failure: Failure, context: HttpContext): Promise<Response | View> {
    const path = context.path()
    if (context.auth().isAuthenticated())
      return errorPage(failure, context, { again: await this.#pageOf(context) })
    if (path === context.url('account:logout')) return redirect(path)
    if (path === context.url('account:login')) return this.#loginPage(context)
    // A pending login that is still alive is not ended by a form that is none of its own.
    if (isSecondDoor(context) && !(await hasPendingLogin(context.session()))) {
      const login = context.url('account:login')
      await context.flash().add('warning', 'sign-in.over', { path: login })
      return redirect(login)
    }
    const isGuarded = requiresLogin(context.route())
    const again = isGuarded ? await this.#targets.loginUrl(context) : await this.#pageOf(context)
    return errorPage(failure, context, { again })
  }

  async #loginPage(context: HttpContext): Promise<View> {
    const form = await context.form()
    const name = this.#policy.cookieNameAt(context.origin())
    const id = context.cookies().get(name) === undefined ? 'sign-in.late.no-cookie' : 'sign-in.late'
    const page = { title: 'sign-in.title', failed: true, page: 'login', narrow: true, door: 1 }
    const data = {
      ...page,
      warning: { id },
      returnUrl: await this.#targets.allowed(form?.text('return_url')),
      stranded: false,
      isPending: false,
      here: context.url('account:login'),
      form: blankForm({ email: form?.text('email') ?? '' }),
      ...(await this.#slots.fill('signIn', context)),
    }
    return new View('account/login', data, { status: 403 })
  }

  // The page of the same address, where there is one. The second door has forms that are not about its factor: theirs is the one above.
  async #pageOf(context: HttpContext): Promise<string | undefined> {
    const path = context.path()
    if (await this.#targets.isPage(path)) return path
    return isSecondDoor(context) ? path.replace(/\/[^/]*$/, '') : undefined
  }
}

async function turnAway(
  { path, text, status }: TurnedAwayException,
  failure: Failure,
  context: HttpContext,
): Promise<Response | View> {
  // What a form held is not lost with the session.
  if (status === 401 && isForm(context)) return errorPage(failure, context, { again: path })
  if (text !== undefined) await context.flash().add('warning', text, { path })
  return redirect(path, status === 401 ? 302 : 303)
}

async function errorPage(
  failure: Failure,
  context: HttpContext,
  { again, deed }: { readonly again: string | undefined; readonly deed?: string },
): Promise<View> {
  const form = await context.form().catch(() => null)
  const typed = TYPED.flatMap((name) => form?.text(name) ?? []).filter((text) => text !== '')
  const signsIn = again?.split('?', 1)[0] === context.url('account:login')
  return new View(ERROR_VIEW, { error: failure, again, deed, typed, signsIn }, { status: failure.status })
}

// Not by its address: the code by mail has one of its own.
function isSecondDoor(context: HttpContext): boolean {
  return context.hasRoute() && context.route().controller.prototype instanceof SecondDoor
}

function isForm(context: HttpContext): boolean {
  return context.method() !== 'GET' && context.method() !== 'HEAD'
}

function isForeign(context: HttpContext, own = context.origin()): boolean {
  const site = context.header('sec-fetch-site')
  if (site !== null) return site === 'cross-site'
  const origin = context.header('origin')
  return origin !== null && origin !== own
}

function redirect(location: string, status = 303): Response {
  return new Response(null, { status, headers: { location } })
}
