/** What an application can ask of the framework and get a promise for. @module */
import { PasswordHasher, PASSWORD_BCRYPT, SessionAuthentication } from '../../../src/auth/index.ts'
import type { HttpContext } from '../../../src/context/index.ts'

/** Asks for a promise. */
export type Deed = (context: HttpContext) => unknown

// As applications in JavaScript do: with values that the types refuse.
const anything = (value: unknown): never => value as never
const identity = new SessionAuthentication()
const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 })
const principal = { name: 'Ada' }
const TOKEN = 'A'.repeat(86)

/** Reads and changes of a session: all of them ask the store. */
export const SESSION_DEEDS: Readonly<Record<string, Deed>> = {
  get: (context) => context.session().get('a'),
  has: (context) => context.session().has('a'),
  set: (context) => context.session().set('a', 1),
  remove: (context) => context.session().remove('a'),
  regenerateId: (context) => context.session().regenerateId(),
  destroy: (context) => context.session().destroy(),
  'flash-add': (context) => context.flash().add('notice', 'Saved'),
  'flash-take': (context) => context.flash().take(),
  'csrf-token': (context) => context.csrf().token(),
  'csrf-verify': (context) => context.csrf().verify(TOKEN),
  login: (context) => identity.login(context.session(), context.auth(), 'ada', principal),
  identifier: (context) => identity.identifier(context.session()),
  logout: (context) => identity.logout(context.session(), context.auth()),
}

/** Changes that are refused for their arguments. */
export const REFUSED_CHANGES: Readonly<Record<string, Deed>> = {
  'set-date': (context) => context.session().set('a', anything(new Date(0))),
  'flash-number': (context) => context.flash().add('notice', anything(1)),
  'login-empty': (context) => identity.login(context.session(), context.auth(), '', principal),
  'login-number': (context) => identity.login(context.session(), context.auth(), anything(42), principal),
  'login-permission': (context) => identity.login(context.session(), context.auth(), 'ada', principal, ['']),
  'login-principal': (context) => identity.login(context.session(), context.auth(), 'ada', anything(null)),
}

/** Calls that change nothing, and are refused for their arguments. */
export const REFUSED_READS: Readonly<Record<string, Deed>> = {
  'hash-number': () => hasher.hash(anything(1)),
  'hash-long': () => hasher.hash('a'.repeat(2000)),
  'verify-number': () => hasher.verify(anything(1), null),
}

/** Ways to read the body of the request. */
export const BODY_DEEDS: Readonly<Record<string, Deed>> = {
  form: (context) => context.form(),
  text: (context) => context.request().text(),
  json: (context) => context.request().json(),
  formData: (context) => context.request().formData(),
  arrayBuffer: (context) => context.request().arrayBuffer(),
  blob: (context) => context.request().blob(),
  bytes: (context) => context.request().bytes(),
  'clone-json': (context) => context.request().clone().json(),
}
