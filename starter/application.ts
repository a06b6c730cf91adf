import { App, SecurityHeaders } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { TrailingSlash } from 'sallyport/routing'
import { ViewEngine } from 'sallyport/view'
import { logRequests } from 'sallyport-app/health'
import { NoMailer, SendNewMails } from 'sallyport-app/mail'
import { JsonRedirects, NoStore, UseChosenLanguage } from 'sallyport-app/pages'
import { LANGUAGES } from './core/messages/language.ts'
import { ERROR_VIEW, layoutEngine } from './core/pages/layout-engine.ts'
import { Parts } from './core/part.ts'
import { Settings } from './core/settings.ts'
import { PageErrors } from './core/site/page-errors.ts'
import { modulesOf, MOVED_PATHS } from './modules.ts'
import { PARTS } from './parts.ts'
import { type ApplicationParts, defineServices } from './services.ts'

// Pages consist of text, one style sheet, one icon and one small script of our own. There are no inline scripts.
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'script-src': "'self'",
}

/**
 * Assembles the application. Tests use the same function.
 *
 * @param given What it is given; the caller closes database and store after the application.
 * @returns The application, not yet booted. Once it has booted, `app.get()` gives its services.
 * @throws {TypeError} If there is no key, or one is malformed.
 */
export function createApplication(given: ApplicationParts): App {
  const { database, mailer = new NoMailer(), cacheTemplates = true } = given
  const settings = new Settings(given.settings)
  const parts = new Parts(given.parts ?? PARTS)
  const { basePath } = settings
  const assets = {
    directory: new URL('core/assets/', import.meta.url),
    at: '/assets',
    fingerprint: cacheTemplates,
  }
  const app = App.create({ locales: LANGUAGES, ...(basePath === '' ? {} : { basePath }) })
    .routing(TrailingSlash.Remove)
    .errorView(ERROR_VIEW)
    .modules(new StaticFiles(assets), ...modulesOf(settings, mailer, parts))
    .configure((definitions) => {
      defineServices(definitions, given, { parts, settings, mailer })
      definitions
        .set(SecurityHeaders, new SecurityHeaders({ contentSecurityPolicy: CONTENT_SECURITY_POLICY }))
        .set(ViewEngine, layoutEngine({ parts, mailer, database, cache: cacheTemplates }))
    })
  logRequests(app)
  // What concerns every request, with a route or without.
  app.middleware().incoming(MOVED_PATHS).incoming(UseChosenLanguage)
  app.errors(PageErrors).middleware().outgoing(JsonRedirects).outgoing(NoStore).outgoing(SendNewMails)
  return app
}
