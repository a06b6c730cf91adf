import { App, type HttpContext, SecurityHeaders, under } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { Translator } from 'sallyport/i18n'
import { MethodOverrideMiddleware } from 'sallyport/middleware'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { api } from './api/module.ts'
import { Database } from './domain/database.ts'
import { messages } from './domain/fields.ts'
import { ResolveUser } from './site/identity.ts'
import { site } from './site/module.ts'

/** The application. Tests and commands use one that keeps everything in memory. */
export function createApp(database = new Database(), sessions: SessionStore = new MemorySessionStore()): App {
  const directory = new URL('views/', import.meta.url)
  const assets = new StaticFiles({ directory: new URL('public/', import.meta.url), at: '/assets' })
  const app = App.default()
    .modules(site, api, assets)
    .errorView('error')
    .configure((definitions) =>
      definitions
        .set(Database, database)
        .set(SessionStore, sessions)
        .set(Translator, new Translator({ en: { validation: messages } }))
        .set(ViewEngine, new EdgeViewEngine({ directory }))
        // Pictures of profiles are anywhere.
        .set(SecurityHeaders, new SecurityHeaders({ contentSecurityPolicy: { 'img-src': "'self' https:" } })),
    )
    .onClose(() => database.close())
  const underApi = under('/api')
  // Error pages know the user too. The API knows none but that of a token.
  const onPages = { when: (context: HttpContext) => !underApi(context) }
  app.middleware().incoming(MethodOverrideMiddleware).incoming(ResolveUser, onPages)
  return app
}

export { createApp as app }
