import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, defineModule, type Failure, type HttpContext } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { CsrfMiddleware } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'
import { type View, ViewEngine } from 'sallyport/view'
import { brandModule, brandVersion, PageController, PageErrors } from 'sallyport-app/pages'

class Shown extends ViewEngine {
  async render(template: string, { again, typed, signsIn }: Readonly<Record<string, unknown>>) {
    return JSON.stringify({ template, again, typed, signsIn })
  }
}

class Errors extends PageErrors {
  constructor() {
    super({ template: 'error', login: 'notes:login', typed: ['title'] })
  }

  protected renderLate(failure: Failure, context: HttpContext): Promise<View> {
    return this.errorPage(failure, context, { again: context.url('notes:login') })
  }

  protected async renderOther(): Promise<null> {
    return null
  }
}

class NotesController extends PageController {
  static readonly actions: Actions<NotesController> = { login: [], add: [], open: [] }

  login(): Response {
    return this.text('login')
  }

  open(): never {
    return this.add()
  }

  add(): never {
    const why = { status: 401, code: 'ERR_NOTES', detail: 'Sign in first' } as const
    return this.turnAway(why, 'notes:login', { 'www-authenticate': 'Session' })
  }
}

const notes = defineModule('notes', (module) =>
  module
    .mount('notes')
    .withoutConventionRouting()
    .controllers(NotesController)
    .routes((routes) => {
      routes.get('/login', [NotesController, 'login']).name('login')
      routes.get('/page', [NotesController, 'open'])
      routes.post('/add', [NotesController, 'add'])
      routes.middleware(CsrfMiddleware).group((group) => void group.post('/late', [NotesController, 'add']))
    }),
)

const LOOK = { icon: '<svg/>', colors: { accent: ['#000', '#fff'] } } as const

async function client(): Promise<TestClient> {
  const app = App.create()
    .modules(notes, brandModule(LOOK))
    .errors(Errors)
    .configure((definitions) => void definitions.set(ViewEngine, new Shown()))
  return new TestClient(await app.boot(), { origin: 'https://app.test' })
}

describe('PageErrors', () => {
  it('leads a browser on that opens a page, and keeps what it typed into a form', async () => {
    const browser = await client()

    const opened = await browser.get('/notes/page')
    const sent = await browser.post('/notes/add', { form: { title: 'Milk', password: 'secret' } })

    assert.deepEqual([opened.status, opened.headers.get('location')], [302, '/notes/login'])
    const page = { template: 'error', again: '/notes/login', typed: ['Milk'], signsIn: true }
    assert.deepEqual([sent.status, await sent.json()], [401, page])
  })

  it('calls a form of its own late, one of another site not, and tells programs what is wrong', async () => {
    const browser = await client()
    const send = (headers: Readonly<Record<string, string>>) =>
      browser.post('/notes/late', { form: { title: 'Milk' }, headers })

    const own = (await (await send({})).json()) as Readonly<Record<string, unknown>>
    const foreign = await send({ 'sec-fetch-site': 'cross-site' })
    const program = await send({ accept: 'application/json' })

    assert.deepEqual([own['template'], own['typed']], ['error', ['Milk']])
    assert.doesNotMatch(await foreign.text(), /Milk/)
    assert.equal(((await program.json()) as { code: string }).code, 'ERR_CSRF_INVALID_TOKEN')
  })
})

describe('brandModule()', () => {
  it('serves colors and icon for good, and names their version', async () => {
    const browser = await client()

    const styles = await browser.get('/brand/styles.css')
    const icon = await browser.get('/brand/icon.svg')

    assert.match(
      await styles.text(),
      /^:root \{ --accent: #000; \}\n@media [^{]*dark\) \{ :root \{ --accent: #fff; \} \}/,
    )
    assert.equal(await icon.text(), '<svg/>')
    assert.match(icon.headers.get('cache-control') ?? '', /immutable/)
    assert.notEqual(brandVersion(LOOK), brandVersion({ ...LOOK, icon: '<svg></svg>' }))
  })
})
