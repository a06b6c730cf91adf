import { type Failure, type HttpContext, inject } from 'sallyport'
import { blankForm } from 'sallyport/input'
import { SessionPolicy } from 'sallyport/session'
import { View } from 'sallyport/view'
import { ERR_SECRET_UNREADABLE } from 'sallyport-app/keys'
import { PageErrors as AnyPageErrors, requiresLogin } from 'sallyport-app/pages'
import { hasPendingLogin } from '../challenges/pending-login.ts'
import { PageSlots } from '../page-slots.ts'
import { ERROR_VIEW } from '../pages/layout-engine.ts'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { ReturnTargets } from '../sessions/return-target.ts'
import { LOGIN_PAGE } from '../sign-in/login-controller.ts'
import { SecondDoor } from '../sign-in/second-door.ts'

/** What a browser gets whose request is refused: where a form that is late goes on, and what its page says. */
export class PageErrors extends AnyPageErrors {
  readonly #identity = inject(ResolveIdentity)
  readonly #targets = inject(ReturnTargets)
  readonly #policy = inject(SessionPolicy)
  readonly #slots = inject(PageSlots)

  constructor() {
    super({
      template: ERROR_VIEW,
      login: 'account:login',
      typed: ['email', 'name', 'label', 'reason'],
    })
  }

  protected async renderOther(failure: Failure, context: HttpContext): Promise<View | null> {
    const { code, status } = failure
    const path = context.path()
    if (code === ERR_SECRET_UNREADABLE) return this.errorPage(failure, context, { again: path })
    if (status === 503 && context.method() === 'POST' && path === context.url('account:logout'))
      return this.errorPage(failure, context, { again: path, words: 'sign-out' })
    // No module has been asked, so nobody has looked who it is: their menu and the log-out button belong on this page too.
    if ((status === 404 || status === 405) && !context.hasRoute()) await this.#identity.establish(context)
    return null
  }

  protected async renderLate(failure: Failure, context: HttpContext): Promise<Response | View> {
    const path = context.path()
    const login = context.url('account:login')
    if (context.auth().isAuthenticated())
      return this.errorPage(failure, context, { again: await this.#pageOf(context) })
    if (path === context.url('account:logout')) return redirect(path)
    if (path === login) return this.#loginPage(context)
    // A pending login that is still alive is not ended by a form that is none of its own.
    if (isSecondDoor(context) && !(await hasPendingLogin(context.session()))) {
      await context.flash().add('warning', 'sign-in.over', { path: login })
      return redirect(login)
    }
    const isGuarded = requiresLogin(context.route())
    const again = isGuarded ? await this.#targets.loginUrl(context) : await this.#pageOf(context)
    return this.errorPage(failure, context, { again })
  }

  async #loginPage(context: HttpContext): Promise<View> {
    const form = await context.form()
    const name = this.#policy.cookieNameAt(context.origin())
    const id = context.cookies().get(name) === undefined ? 'sign-in.late.no-cookie' : 'sign-in.late'
    const data = {
      ...LOGIN_PAGE,
      failed: true,
      warning: { id },
      returnUrl: await this.#targets.allowed(form?.text('return_url')),
      here: context.url('account:login'),
      form: blankForm({ email: form?.text('email') ?? '' }),
      ...(await this.#slots.dataFor(['signIn'], context)),
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

// Not by its address: the code by mail has one of its own.
function isSecondDoor(context: HttpContext): boolean {
  return context.hasRoute() && context.route().controller.prototype instanceof SecondDoor
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } })
}
