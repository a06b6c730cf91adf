import { App, Clock, type Secret, SecurityHeaders, SystemClock } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { StaticFiles } from 'sallyport/files'
import { Translator } from 'sallyport/i18n'
import { TrailingSlash } from 'sallyport/routing'
import { SessionPolicy, SessionStore } from 'sallyport/session'
import { ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { TrailRules } from 'sallyport-app/audit'
import { logRequests } from 'sallyport-app/health'
import { KeyRing } from 'sallyport-app/keys'
import { Mailbox, Mailer, NoMailer, SendNewMails } from 'sallyport-app/mail'
import { JsonRedirects, NoStore, UseChosenLanguage } from 'sallyport-app/pages'
import { PreparedPasswords } from 'sallyport-app/passwords'
import { TRAIL_RULES } from './core/audit/audit-trail.ts'
import { type Part, Parts } from './core/part.ts'
import { Database } from './core/database/database.ts'
import type { Account } from './core/accounts/account.ts'
import { SESSION_POLICY } from './core/sessions/session-policy.ts'
import { createTranslator } from './core/messages/catalogue.ts'
import { LANGUAGES } from './core/messages/language.ts'
import { ERROR_VIEW, LayoutEngine } from './core/pages/layout-engine.ts'
import { MOVED_PATHS } from './core/pages/moved-paths.ts'
import { modulesOf } from './modules.ts'
import { PageErrors } from './core/site/page-errors.ts'
import { PARTS } from './parts.ts'
import { Settings } from './core/settings.ts'

// Pages consist of text, one style sheet, one icon and one small script of our own. There are no inline scripts.
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'script-src': "'self'",
}

/** What an application is given. Its services ask for it with `inject()`. */
export interface ApplicationParts {
  /** Accounts, factors, limits and the audit trail. */
  readonly database: Database
  readonly store: SessionStore
  /** Keys for the factors' secrets: the first one encrypts, all of them decrypt. */
  readonly keys: readonly Secret[]
  /** What differs from the default settings. */
  readonly settings?: Partial<Settings>
  /** The parts that it consists of. Default: those of `parts.ts`. */
  readonly parts?: readonly Part[]
  /** The clock of sessions, challenges, codes and limits. Default: the machine's. */
  readonly clock?: Clock
  /** Hashes passwords; `accepts` names older policies of stored hashes. Default: the framework's default policy. */
  readonly hasher?: PasswordHasher
  /** Delivers mails; a `Mailbox` shows them at `/dev/mail`. Default: none, so nobody can sign up. */
  readonly mailer?: Mailer
  /** Translates messages. Default: with the catalogue of the application. */
  readonly translator?: Translator
  /** Whether compiled templates and the list of assets are kept; false shows changes without a restart. Default: true. */
  readonly cacheTemplates?: boolean
}

/**
 * Assembles the application. Tests use the same function.
 *
 * @param parts What it is given; the caller closes database and store after the application.
 * @returns The application, not yet booted. Once it has booted, `app.get()` gives its services.
 * @throws {TypeError} If there is no key, or one is malformed.
 */
export function createApplication(parts: ApplicationParts): App {
  const settings = new Settings(parts.settings)
  const own = new Parts(parts.parts ?? PARTS)
  const { basePath } = settings
  const { mailer = new NoMailer(), cacheTemplates = true } = parts
  const assets = {
    directory: new URL('core/assets/', import.meta.url),
    at: '/assets',
    fingerprint: cacheTemplates,
  }
  const app = App.create({ locales: LANGUAGES, ...(basePath === '' ? {} : { basePath }) })
    .routing(TrailingSlash.Remove)
    .errorView(ERROR_VIEW)
    .modules(new StaticFiles(assets), ...modulesOf(settings, mailer, own))
    .configure((definitions) => {
      definitions
        .set(Settings, settings)
        .set(Parts, own)
        .set(Database, parts.database)
        .set(SessionStore, parts.store)
        .set(SessionPolicy, SESSION_POLICY)
        .set(TrailRules, TRAIL_RULES)
        .set(Clock, parts.clock ?? new SystemClock())
        .set(PasswordHasher, new PreparedPasswords(parts.hasher ?? new PasswordHasher()))
        .set(KeyRing, new KeyRing(parts.keys))
        .set(Mailer, mailer)
        .set(Translator, parts.translator ?? createTranslator(own.all))
        .set(SecurityHeaders, new SecurityHeaders({ contentSecurityPolicy: CONTENT_SECURITY_POLICY }))
      const views = new EdgeViewEngine({
        directory: new URL('core/views/', import.meta.url),
        cache: cacheTemplates,
        directories: viewsOf(own),
      })
      const hasMailbox = mailer instanceof Mailbox
      const warningsOf = ({ id }: Account): Promise<readonly string[]> => own.warnings(parts.database, id)
      const site = { hasSignUp: mailer.sends, hasMailbox, slots: own.slots, warningsOf }
      definitions.set(ViewEngine, new LayoutEngine(views, site))
      if (hasMailbox) definitions.set(Mailbox, mailer)
    })
  logRequests(app)
  // What concerns every request, with a route or without.
  app.middleware().incoming(MOVED_PATHS).incoming(UseChosenLanguage)
  app.errors(PageErrors).middleware().outgoing(JsonRedirects).outgoing(NoStore).outgoing(SendNewMails)
  return app
}

function viewsOf({ all }: Parts): Readonly<Record<string, URL>> {
  return Object.fromEntries(all.flatMap(({ name, views }) => (views === undefined ? [] : [[name, views]])))
}
