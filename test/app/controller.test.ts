import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, HttpContext, inject } from 'sallyport'
import { LocalTarget } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { type View, ViewEngine } from 'sallyport/view'

import { Faults } from './fixture.ts'

class Counter {
  count = 0
}

class PageController extends Controller {
  static readonly actions: Actions<PageController> = {
    home: [],
    plain: [],
    created: [],
    form: [],
    toHome: [],
    away: [],
    local: [],
    evil: [],
    odd: [],
  }
  readonly #counter: Counter = inject(Counter)
  #own = 0

  home(): object {
    return { shared: ++this.#counter.count, own: ++this.#own, user: this.context.auth().isAuthenticated() }
  }
  plain(): Response {
    return this.text('<b>plain</b>', 202)
  }
  created(): Response {
    return this.json({ a: 1 }, 201)
  }
  form(): View {
    return this.view('form', { a: 1 }, { status: 422 })
  }
  toHome(): Response {
    return this.redirectToRoute('site:home', { a: 'b c' })
  }
  away(): Response {
    return this.redirect('https://other.test/x', 307)
  }
  local(): Response {
    return this.redirect(LocalTarget.parse('/shop?x=1') ?? '/')
  }
  evil(): Response {
    return this.redirect('//evil.test')
  }
  odd(): Response {
    return this.redirect('/', 200)
  }
}

class LooseController {
  static readonly actions: Actions<LooseController> = { show: [] }
  readonly #context: HttpContext = inject(HttpContext)
  show(): string {
    return this.#context.path()
  }
}

class Engine extends ViewEngine {
  override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    return Promise.resolve(`${template} ${String(data['a'])}`)
  }
}

function client(faults: Faults = new Faults()): TestClient {
  const root = defineModule('Site', (module) =>
    module
      .mount('/')
      .withoutConventionRouting()
      .routes((routes) => {
        routes.get('/', [PageController, 'home']).name('home')
        for (const action of ['plain', 'created', 'form', 'toHome', 'away', 'local', 'evil', 'odd'] as const)
          routes.get(`/${action}`, [PageController, action])
        routes.get('/loose', [LooseController, 'show'])
      }),
  )
  const app = App.create()
    .modules(root)
    .configure((definitions) => definitions.set(ViewEngine, new Engine()))
  faults.listen(app)
  return new TestClient(app)
}

describe('Controller', () => {
  it('is built for each request, reaches the identity through the context, and shares its services [AUTH-13]', async () => {
    const browser = client()

    assert.deepEqual(await (await browser.get('/')).json(), { shared: 1, own: 1, user: false })
    assert.deepEqual(await (await browser.get('/')).json(), { shared: 2, own: 1, user: false })
  })

  it('returns text, JSON and views with a status', async () => {
    const browser = client()
    const [plain, created, form] = [
      await browser.get('/plain'),
      await browser.get('/created'),
      await browser.get('/form'),
    ]

    assert.deepEqual(
      [plain.status, plain.headers.get('content-type'), await plain.text()],
      [202, 'text/plain; charset=utf-8', '<b>plain</b>'],
    )
    assert.deepEqual([created.status, await created.json()], [201, { a: 1 }])
    assert.deepEqual([form.status, await form.text()], [422, 'form 1'])
  })

  for (const [path, status, location] of [
    ['/toHome', 303, '/?a=b+c'],
    ['/away', 307, 'https://other.test/x'],
    ['/local', 303, '/shop?x=1'],
  ] as const) {
    it(`redirects ${path} with ${status} to ${location}`, async () => {
      const response = await client().get(path)

      assert.deepEqual([response.status, response.headers.get('location')], [status, location])
    })
  }

  for (const [path, status] of [
    // The target may be the client's.
    ['/evil', 400],
    ['/odd', 500],
  ] as const) {
    it(`an invalid redirect is reported, and not a response: ${path}`, async () => {
      const faults = new Faults()
      const response = await client(faults).get(path)

      assert.equal(response.status, status)
      assert.equal(response.headers.get('location'), null)
      assert.equal(faults.seen.length, 1)
    })
  }

  it('need not be extended: inject(HttpContext) returns the request', async () => {
    assert.equal(await (await client().get('/loose')).text(), '/loose')
  })
})

describe('an action that does not return the response that it made', () => {
  class ForgetfulController extends Controller {
    static readonly actions: Actions<ForgetfulController> = {
      showView: [],
      showText: [],
      showJson: [],
      goAway: [],
      goHome: [],
      later: [],
      nothing: [],
      empty: [],
      other: [],
      refused: [],
    }

    showView(): void {
      this.view('news', { items: [] })
    }
    showText(): void {
      this.text('hello')
    }
    showJson(): void {
      this.json({ a: 1 }, 201)
    }
    goAway(): void {
      this.redirect('/away')
    }
    goHome(): void {
      this.redirectToRoute('site:home')
    }
    async later(): Promise<void> {
      await Promise.resolve()
      this.json({ a: 1 })
    }
    nothing(): void {}
    empty(): null {
      this.text('discarded')
      return null
    }
    other(): string {
      this.text('discarded')
      return 'other'
    }
    refused(): void {
      try {
        this.redirect('//evil.test')
      } catch {
        // It made none.
      }
    }
  }
  const faults = new Faults()
  const app = App.create({ debug: false }).modules(
    defineModule('Site', (module) =>
      module
        .mount('/')
        .controllers(ForgetfulController)
        .routes((routes) => void routes.get('/home', [ForgetfulController, 'nothing']).name('home')),
    ),
  )
  faults.listen(app)
  const client = new TestClient(app)

  for (const [action, helper] of [
    ['showView', 'view'],
    ['showText', 'text'],
    ['showJson', 'json'],
    ['goAway', 'redirect'],
    ['goHome', 'redirectToRoute'],
    ['later', 'json'],
  ] as const) {
    it(`is a 500 that names the action and the helper, not a 204: ${action}`, async () => {
      const response = await client.get(`/forgetful/${action.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`)

      assert.equal(response.status, 500)
      assert.equal(
        faults.messages.at(-1),
        `Cannot respond with nothing: ForgetfulController.${action} called this.${helper}() and did not ` +
          `return its result; write "return this.${helper}(…)", or return null for a 204`,
      )
    })
  }

  it('may discard it: null and another value are answers, and a refused one was not made', async () => {
    const statuses: number[] = []
    for (const path of ['/home', '/forgetful/empty', '/forgetful/other', '/forgetful/refused'])
      statuses.push((await client.get(path)).status)

    assert.deepEqual(statuses, [204, 204, 200, 204])
  })
})
