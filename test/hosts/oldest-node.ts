/**
 * An application with views, asked and looked at by the oldest Node that the package is for.
 *
 * @module
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { succeed } from '../cli/packed-package.ts'
import type { Installation } from './installation.ts'

const APP = `import { App, Controller, defineModule } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { SessionStore } from 'sallyport/session'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'

class HomeController extends Controller {
  static readonly actions = { index: [] } satisfies Actions<HomeController>

  index() {
    return this.view('home', { name: 'Ada' })
  }
}
const site = defineModule('Site', (module) =>
  module.mount('/').routes((routes) => void routes.get('/', [HomeController, 'index']).name('home')),
)

export const app = () =>
  App.create({ locales: ['en', 'de'] })
    .modules(site)
    .configure((definitions) => {
      definitions.set(SessionStore, new SqliteSessionStore({ path: ':memory:' }))
      definitions.set(ViewEngine, new EdgeViewEngine({ directory: new URL('./', import.meta.url) }))
    })
`

const ASK = `import { TestClient } from 'sallyport/testing'
import { app } from './app.ts'

const client = new TestClient(app())
console.log(await (await client.get('/')).text())
`

/** What the application and the commands have printed. */
export interface Printed {
  readonly page: string
  readonly routes: string
  readonly check: string
  readonly info: string
}

/**
 * @param installation The packages, the old Node among them.
 * @param node Its program.
 * @returns What is printed.
 */
export function printedBy({ folder, packageFile }: Installation, node: string): Printed {
  const application = join(folder, 'oldest-node')
  rmSync(application, { recursive: true, force: true })
  mkdirSync(application)
  writeFileSync(join(application, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(application, 'app.ts'), APP)
  writeFileSync(join(application, 'ask.ts'), ASK)
  writeFileSync(join(application, 'home.edge'), '<a href="{{ $url(\'site:home\') }}">{{ name }}</a>\n')
  const run = (...args: readonly string[]): string => succeed(node, ['--no-warnings', ...args], application)
  const command = (name: string): string => run(packageFile('sallyport/dist/cli/main.js'), name)
  return { page: run('ask.ts'), routes: command('routes'), check: command('check'), info: command('info') }
}
