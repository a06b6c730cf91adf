/**
 * One application for all hosts: sign-in with a second factor, a form, an upload, an event stream, and languages.
 * Its users are in memory; only what the package exports is used.
 *
 * @module
 */
import { App, Controller, defineModule, eventStream, inject } from 'sallyport'
import { PASSWORD_ARGON2ID, PasswordHasher, SessionAuthentication } from 'sallyport/auth'
import { RedirectException } from 'sallyport/http'
import { CsrfMiddleware } from 'sallyport/middleware'
import { form } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { z } from 'zod'

const PENDING_KEY = 'awaits-code'

/** The only user. Cheap hashes: the hosts are judged here, not the passwords. */
class Users {
  #hasher = new PasswordHasher(PASSWORD_ARGON2ID, { memoryCost: 64, timeCost: 1 })
  #hash = null

  // Not begun in one request and awaited in another: workers forbid it.
  async hasPassword(password) {
    this.#hash ??= await this.#hasher.hash('correct horse')
    return this.#hasher.verify(password, this.#hash)
  }
}

/** Authenticates the user of the session. */
export class ResolveUser {
  #sessions = inject(SessionAuthentication)

  async process(context, next) {
    const identifier = await this.#sessions.identifier(context.session())
    if (identifier !== null) context.auth().authenticate({ name: 'Ada' })
    return next()
  }
}

class RequireUser {
  process(context, next) {
    if (!context.auth().isAuthenticated()) throw new RedirectException(context.url('sign-in'), 303)
    return next()
  }
}

class SignInController extends Controller {
  static actions = {
    index: [],
    indexPost: [form(z.object({ password: z.string() }))],
    codePost: [form(z.object({ code: z.string() }))],
    outPost: [],
  }
  #sessions = inject(SessionAuthentication)
  #users = inject(Users)

  async index() {
    return { token: await this.context.csrf().token() }
  }

  async indexPost(submitted) {
    if (!submitted.ok || !(await this.#users.hasPassword(submitted.value.password)))
      return this.text('No', 422)
    await this.context.session().set(PENDING_KEY, '7')
    return this.redirect(this.context.url('code'))
  }

  async codePost(submitted) {
    const session = this.context.session()
    const identifier = await session.get(PENDING_KEY)
    if (identifier === undefined || !submitted.ok || submitted.value.code !== '123456')
      return this.text('No', 422)
    await session.remove(PENDING_KEY)
    await this.#sessions.login(session, this.context.auth(), identifier, { name: 'Ada' })
    await this.context.flash().add('notice', 'Welcome')
    return this.redirect(this.context.url('account'))
  }

  async outPost() {
    await this.#sessions.logout(this.context.session(), this.context.auth())
    return this.redirect(this.context.url('home'))
  }
}

class AccountController extends Controller {
  static actions = { index: [], code: [], uploadPost: [] }

  async index() {
    const messages = await this.context.flash().take()
    return { messages: messages.map(({ text }) => text) }
  }

  code() {
    return 'Enter your code'
  }

  async uploadPost() {
    const [picture] = (await this.context.form())?.all('picture') ?? []
    if (!(picture instanceof File)) return this.text('No file', 422)
    return { name: picture.name, size: picture.size }
  }
}

/** Counts the streams whose client has left. */
class Departures {
  count = 0
}

class HostController extends Controller {
  static actions = { index: [], client: [], events: [], departures: [] }
  #departures = inject(Departures)

  index() {
    return `<a href="${this.context.url('account')}">Account</a>`
  }

  client() {
    return { address: this.context.clientAddress(), isSecure: this.context.isSecure() }
  }

  departures() {
    return { count: this.#departures.count }
  }

  /** The second event never comes: what waits for it ends when the client leaves. */
  events() {
    const departures = this.#departures
    const { signal } = this.context
    return eventStream(this.context, async function* () {
      try {
        yield { data: 'first' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      } finally {
        departures.count++
      }
    })
  }
}

class GreetingController extends Controller {
  static actions = { index: [] }

  index() {
    return this.context.locale()
  }
}

/**
 * @param {string} basePath The path of the host below which it is, or an empty string.
 * @param {SessionStore} [store] Where its sessions are. Default: in memory.
 * @returns {App} The application.
 */
export function createSite(basePath, store = new MemorySessionStore()) {
  const site = defineModule('Site', (module) =>
    module
      .mount('/')
      .middleware(ResolveUser, CsrfMiddleware)
      .routes((routes) => {
        routes.get('/', [HostController, 'index']).name('home')
        routes.get('/client', [HostController, 'client'])
        routes.get('/events', [HostController, 'events'])
        routes.get('/departures', [HostController, 'departures'])
        routes.get('/sign-in', [SignInController, 'index']).name('sign-in')
        routes.post('/sign-in', [SignInController, 'indexPost'])
        routes.post('/sign-out', [SignInController, 'outPost'])
        routes.get('/code', [AccountController, 'code']).name('code')
        routes.post('/code', [SignInController, 'codePost'])
        routes.get('/account', [AccountController, 'index']).name('account').middleware(RequireUser)
        routes.post('/upload', [AccountController, 'uploadPost'])
      }),
  )
  const greetings = defineModule('Greetings', (module) =>
    module
      .mount({ en: 'greetings', de: 'begruessung' })
      .localized()
      .routes((routes) => {
        routes.get('/', [GreetingController, 'index'])
      }),
  )
  return App.default({ locales: ['en', 'de'], ...(basePath === '' ? {} : { basePath }) })
    .modules(site, greetings)
    .configure((definitions) => definitions.set(SessionStore, store))
}
