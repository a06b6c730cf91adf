/**
 * Time of a page whose templates are read anew each time, as in development:
 * `node --conditions=sallyport-source bench/development-page.ts`.
 *
 * The templates are those of scenario 8: a page, a layout, a part for the navigation and one for each of twelve rows. The
 * first page also compiles the compiler of templates.
 *
 * @module
 */
import assert from 'node:assert/strict'

import { App, Controller, defineModule } from 'sallyport'
import { param, type Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { type View, ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { findEvents, findUser } from './application.ts'

const pages = 100
/** Goal for each page, in milliseconds. */
const goal = 20

class PageController extends Controller {
  static readonly actions = {
    home: [],
    logout: [],
    page: [],
    article: [param.int('number')],
  } satisfies Actions<PageController>

  home(): void {}
  logout(): void {}
  article(_number: number): void {}

  async page(): Promise<View> {
    const user = await findUser('u42')
    if (user !== null) this.context.auth().authenticate(user, user.permissions)
    return this.view('page', { events: await findEvents('u42') })
  }
}

const bench = defineModule('Bench', (module) =>
  module.mount('/').routes((routes) => {
    routes.get('/', [PageController, 'home']).name('home')
    routes.post('/logout', [PageController, 'logout']).name('logout')
    routes.get('/page', [PageController, 'page']).name('page')
    routes.get('/articles/{number}', [PageController, 'article']).name('article')
  }),
)
const engine = new EdgeViewEngine({ directory: new URL('views/', import.meta.url), cache: false })
const app = App.default()
  .modules(bench)
  .configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()).set(ViewEngine, engine))
await app.boot()
// The platform loads its classes for requests and responses with the first one.
await app.fetch(new Request('http://localhost/'))

const times: number[] = []
for (let page = 0; page < pages; page++) {
  const start = performance.now()
  const text = await (await app.fetch(new Request('http://localhost/page'))).text()
  times.push(performance.now() - start)
  assert.equal(text.match(/<li class="event">/g)?.length, 12, text.slice(0, 300))
}
const [first = 0] = times
const sorted = times.slice(1).toSorted((one, other) => one - other)
const median = sorted[Math.floor(sorted.length / 2)] ?? 0
const slowest = sorted.at(-1) ?? 0
const verdict = Math.max(first, slowest) <= goal ? '' : `   over the goal of ${goal} ms`
process.stdout.write(
  `development page   first ${first.toFixed(1)} ms, then ${median.toFixed(1)} ms (slowest ${slowest.toFixed(1)})${verdict}\n`,
)
