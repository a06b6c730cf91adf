import { DatabaseSync } from 'node:sqlite'
import { App, Controller, defineModule } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { CsrfMiddleware } from 'sallyport/middleware'
import type { Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { AccountController } from './account-controller.ts'
import { openDatabase } from './database.ts'
import { FactorController } from './factor-controller.ts'
import { FactorVault } from './factor-vault.ts'
import { RequireAccount, RequirePermission, ResolveAccount } from './identity.ts'
import { NoteController } from './note-controller.ts'
import { SignInController } from './sign-in-controller.ts'

class HomeController extends Controller {
  static readonly actions = { index: [] } satisfies Actions<HomeController>

  index() {
    return this.view('home')
  }
}

const site = defineModule('Site', (module) =>
  module
    .mount('/')
    .middleware(ResolveAccount, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index']).name('home')
      routes.get('/sign-in', [SignInController, 'index']).name('sign-in')
      routes.post('/sign-in', [SignInController, 'indexPost'])
      routes.get('/sign-in/code', [SignInController, 'code']).name('code')
      routes.post('/sign-in/code', [SignInController, 'codePost'])
      routes.post('/sign-out', [SignInController, 'outPost']).name('sign-out')
    }),
)

const account = defineModule('Account', (module) =>
  module.middleware(ResolveAccount, CsrfMiddleware, RequireAccount).routes((routes) => {
    routes.get('/factor', [FactorController, 'index']).name('factor')
    routes.post('/factor', [FactorController, 'indexPost'])
    routes.post('/factor/codes', [FactorController, 'codesPost']).name('codes')
    routes.post('/factor/off', [FactorController, 'offPost']).name('off')
  }),
)

const accounts = defineModule('Accounts', (module) =>
  module
    .middleware(ResolveAccount, CsrfMiddleware, RequireAccount, RequirePermission.of('accounts.read'))
    .routes((routes) => {
      routes.get('/', [AccountController, 'index']).name('index')
    }),
)

const notes = defineModule('Notes', (module) =>
  module.middleware(ResolveAccount, CsrfMiddleware, RequireAccount).routes((routes) => {
    routes.get('/', [NoteController, 'index']).name('index')
    routes.get('/new', [NoteController, 'create']).name('create')
    routes.post('/new', [NoteController, 'createPost'])
    routes.get('/{id}', [NoteController, 'edit']).name('edit')
    routes.post('/{id}', [NoteController, 'editPost'])
    routes.post('/{id}/delete', [NoteController, 'deletePost']).name('delete')
  }),
)

const assets = new StaticFiles({ directory: new URL('assets/', import.meta.url), at: '/assets' })
const views = new EdgeViewEngine({ directory: new URL('views/', import.meta.url) })

export function createApp(
  database: DatabaseSync = openDatabase(':memory:'),
  store: SessionStore = new MemorySessionStore(),
  vault: FactorVault = new FactorVault(),
): App {
  return App.default()
    .modules(site, account, accounts, notes, assets)
    .errorView('error')
    .configure((definitions) =>
      definitions
        .set(ViewEngine, views)
        .set(DatabaseSync, database)
        .set(SessionStore, store)
        .set(FactorVault, vault),
    )
}

export { createApp as app }
