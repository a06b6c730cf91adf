import { type ErrorRenderer, type Failure, type HttpContext, inject } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import { blankForm } from 'sallyport/input'
import { SessionPolicy } from 'sallyport/session'
import { View } from 'sallyport/view'
import { ERR_SECRET_UNREADABLE } from 'sallyport-app/keys'
import { requiresLogin, TurnedAwayException } from 'sallyport-app/pages'
import { hasPendingLogin } from '../challenges/pending-login.ts'
import { PageSlots } from '../page-slots.ts'
import { ERROR_VIEW } from '../pages/layout-engine.ts'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { ReturnTargets } from '../sessions/return-target.ts'
import { SecondDoor } from '../sign-in/second-door.ts'

// What people type into forms that is no secret: a page that refuses such a form shows it, to be copied.
const TYPED = ['email', 'name', 'label', 'reason']

/**
 * What a refused request gets: the one place that tells browsers from programs. A program gets problem details. A browser is led on where
 * that helps; a form that is out of date gets one page that says so, keeps what was typed and has one way on.
 */
export class PageErrors implements ErrorRenderer {
  readonly #identity = inject(ResolveIdentity)
  readonly #targets = inject(ReturnTargets)
  readonly #policy = inject(SessionPolicy)
  readonly #slots = inject(PageSlots)

  /** @returns The page; null for the page of all other errors, and for clients that prefer JSON. */
  async render(failure: Failure, context: HttpContext): Promise<Response | View | null> {
    if (prefersJson(context.header('accept'))) return null
    const { exception, code, status } = failure
    const path = context.path()
    if (exception instanceof TurnedAwayException) return turnAway(exception, failure, context)
    // A form of another site is not late.
    if (code === 'ERR_CSRF_INVALID_TOKEN') return isForeign(context) ? null : this.#late(failure, context)
    if (code === ERR_SECRET_UNREADABLE) return errorPage(failure, context, { again: path })
    if (status === 503 && isForm(context) && path === context.url('account:logout'))
      return errorPage(failure, context, { again: path, words: 'sign-out' })
    // No module has been asked, so nobody has looked who it is: their menu and the log-out button belong on this page too.
    if ((status === 404 || status === 405) && !context.hasRoute()) await this.#identity.establish(context)
    return null
  }

  async #late(failure: Failure, context: HttpContext): Promise<Response | View> {
    const path = context.path()
    const login = context.url('account:login')
    if (context.auth().isAuthenticated())
      return errorPage(failure, context, { again: await this.#pageOf(context) })
    if (path === context.url('account:logout')) return redirect(path)
    if (path === login) return this.#loginPage(context)
    // A pending login that is still alive is not ended by a form that is none of its own.
    if (isSecondDoor(context) && !(await hasPendingLogin(context.session()))) {
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
    const data = {
      title: 'sign-in.title',
      failed: true,
      page: 'login',
      narrow: true,
      door: 1,
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
  { again, words }: { readonly again: string | undefined; readonly words?: string },
): Promise<View> {
  const form = await context.form().catch(() => null)
  const typed = TYPED.flatMap((name) => form?.text(name) ?? []).filter((text) => text !== '')
  const signsIn = again?.split('?', 1)[0] === context.url('account:login')
  return new View(ERROR_VIEW, { error: failure, again, words, typed, signsIn }, { status: failure.status })
}

// Not by its address: the code by mail has one of its own.
function isSecondDoor(context: HttpContext): boolean {
  return context.hasRoute() && context.route().controller.prototype instanceof SecondDoor
}

function isForm(context: HttpContext): boolean {
  return context.method() !== 'GET' && context.method() !== 'HEAD'
}

function isForeign(context: HttpContext): boolean {
  const site = context.header('sec-fetch-site')
  if (site !== null) return site === 'cross-site'
  const origin = context.header('origin')
  return origin !== null && origin !== context.origin()
}

function redirect(location: string, status = 303): Response {
  return new Response(null, { status, headers: { location } })
}
