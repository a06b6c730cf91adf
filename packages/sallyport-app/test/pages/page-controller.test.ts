import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, defineModule } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import { Translator } from 'sallyport/i18n'
import type { Actions } from 'sallyport/routing'
import { type View, ViewEngine } from 'sallyport/view'
import { PageController } from 'sallyport-app/pages'
import { TestClient } from 'sallyport/testing'

/** Shows what a template gets. */
class Shown extends ViewEngine {
  async render(
    template: string,
    { title, here, failed, warning }: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    return JSON.stringify({ template, title, here, failed, warning })
  }
}

class NotesController extends PageController {
  static readonly actions: Actions<NotesController> = {
    index: [],
    refused: [],
    full: [],
    gone: [],
    away: [],
  }

  index(): View {
    return this.page('notes', { title: 'notes.title' })
  }

  refused(): View {
    return this.page('notes', { title: 'notes.title' }, { status: 422 })
  }

  full(): View {
    const error = new TooManyRequestsException(61)
    return this.page('notes', { title: 'notes.title' }, this.locked(error, 'notes.full'))
  }

  gone(): View {
    return this.page('notes', { title: 'notes.gone' }, { status: 410 })
  }

  away(): View {
    return this.turnAway({ status: 409, code: 'ERR_NOTES', detail: 'There is no paper' }, 'notes:index')
  }
}

const notes = defineModule('notes', (module) =>
  module
    .mount('notes')
    .withoutConventionRouting()
    .controllers(NotesController)
    .routes((routes) => {
      routes.get('/', [NotesController, 'index']).name('index')
      for (const action of ['refused', 'full', 'gone', 'away'] as const)
        routes.get(`/${action}`, [NotesController, action])
    }),
)

async function client(): Promise<TestClient> {
  const app = App.create()
    .modules(notes)
    .configure((definitions) => {
      definitions
        .set(ViewEngine, new Shown())
        .set(Translator, new Translator({ en: { messages: { 'notes.gone': 'The note is gone' } } }))
    })
  return new TestClient(await app.boot(), { origin: 'https://app.test' })
}

const AS_PROGRAM = { headers: { accept: 'application/json' } }

describe('PageController', () => {
  it('shows people a page, which knows where it is and whether it was refused', async () => {
    const browser = await client()

    for (const [path, status, failed, warning] of [
      ['/notes', 200, false, undefined],
      ['/notes/refused', 422, true, undefined],
      ['/notes/full', 429, true, { id: 'notes.full', wait: { id: 'wait.minutes', values: { minutes: 2 } } }],
    ] as const) {
      const page = await browser.get(path)
      assert.equal(page.status, status)
      const shown = {
        template: 'notes',
        title: 'notes.title',
        here: path,
        failed,
        ...(warning && { warning }),
      }
      assert.deepEqual(await page.json(), shown)
    }
  })

  it('gives programs problems in the place of refused pages [RA-0007]', async () => {
    const program = await client()

    for (const [path, status, code, detail] of [
      ['/notes/refused', 422, 'ERR_APP_REFUSED', 'notes.title'],
      ['/notes/full', 429, 'ERR_HTTP_TOO_MANY_REQUESTS', undefined],
      ['/notes/gone', 410, 'ERR_APP_LINK_OUTDATED', 'The note is gone'],
      ['/notes/away', 409, 'ERR_NOTES', 'There is no paper'],
    ] as const) {
      const answer = await program.get(path, AS_PROGRAM)
      const problem = (await answer.json()) as Readonly<Record<string, unknown>>
      assert.deepEqual([answer.status, problem['code']], [status, code], path)
      if (detail !== undefined) assert.equal(problem['detail'], detail)
    }
  })
})
