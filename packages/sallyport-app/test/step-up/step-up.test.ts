import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Clock, Controller, defineModule, type HttpContext, inject } from 'sallyport'
import { type Next, ParameterizedMiddleware, RedirectException } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { pageOf } from 'sallyport-app/pages'
import { addProofs, readProofs } from 'sallyport-app/sessions'
import { isRecent, STEP_UP_SECONDS, type StepUpRule, SuspendedActions } from 'sallyport-app/step-up'
import { FrozenClock, TestClient } from 'sallyport/testing'

const ID = 'ada'
const ACTION = 'step-up.action.delete-note'

/** Admits a request whose session has proven the password lately. */
class RequirePassword extends ParameterizedMiddleware<HttpContext> {
  readonly #clock = inject(Clock)
  readonly #rule: StepUpRule

  constructor(rule: StepUpRule) {
    super()
    this.#rule = inject(SuspendedActions).add(new.target, rule, ['totp'])
  }

  async process(context: HttpContext, next: Next): Promise<Response> {
    const { password } = await readProofs(context.session(), ID)
    if (isRecent(password, this.#clock.timestamp(), this.#rule)) return next()
    throw new RedirectException(context.url('notes:confirm', { return_url: pageOf(context) }), 303)
  }
}

class NotesController extends Controller {
  static readonly actions: Actions<NotesController> = { index: [], confirm: [], confirmPost: [], delete: [] }

  readonly #clock = inject(Clock)
  readonly #suspended = inject(SuspendedActions)

  index(): string {
    return 'notes'
  }

  async confirm(): Promise<Response> {
    const asked = new URLSearchParams(this.context.query()).get('return_url')
    const action = await this.#suspended.read(asked)
    return this.json(action ?? null)
  }

  async confirmPost(): Promise<string> {
    const proven = { credentialVersion: 1, password: this.#clock.timestamp() }
    await addProofs(this.context.session(), ID, proven)
    return 'confirmed'
  }

  delete(): string {
    return 'deleted'
  }
}

function client(rule: StepUpRule): {
  readonly app: App
  readonly browser: TestClient
  readonly clock: FrozenClock
} {
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const notes = defineModule('Notes', (module) =>
    module
      .withoutConventionRouting()
      .controllers(NotesController)
      .routes((routes) => {
        routes.get('/', [NotesController, 'index'])
        routes.get('/confirm', [NotesController, 'confirm']).name('confirm')
        routes.post('/confirm', [NotesController, 'confirmPost'])
        routes.middleware(RequirePassword.of(rule)).group((guarded) => {
          guarded.get('/delete', [NotesController, 'delete'])
          guarded.post('/delete', [NotesController, 'delete'])
        })
      }),
  )
  const app = App.default()
    .modules(notes)
    .configure((definitions) => definitions.set(Clock, clock))
  return { app, browser: new TestClient(app), clock }
}

describe('an action that waits for a step-up', () => {
  it('is asked for by the page of its route, with its query; the form of it by the path alone [RA-1401 RA-1403]', async () => {
    const { browser } = client({ action: ACTION })

    const page = await browser.get('/notes/delete?id=7')
    const form = await browser.request('POST', '/notes/delete?id=7')

    assert.equal(page.headers.get('location'), '/notes/confirm?return_url=%2Fnotes%2Fdelete%3Fid%3D7')
    assert.equal(form.headers.get('location'), '/notes/confirm?return_url=%2Fnotes%2Fdelete')
    const asked = await browser.get(page.headers.get('location') ?? '')
    assert.deepEqual(await asked.json(), {
      path: '/notes/delete?id=7',
      rule: { action: ACTION },
      module: 'Notes',
    })
  })

  it('is none on a page that asks for nothing, and none elsewhere', async () => {
    const { browser } = client({ action: ACTION })

    for (const target of ['/notes', '/nowhere', 'https://example.test/notes/delete', '//notes/delete', '']) {
      const asked = await browser.get(`/notes/confirm?return_url=${encodeURIComponent(target)}`)
      assert.equal(await asked.json(), null, target)
    }
  })

  it('is done with a proof for as long as its rule says [RA-1401]', async () => {
    const { browser, clock } = client({ action: ACTION, maxAge: 60 })
    await browser.request('POST', '/notes/confirm')

    clock.advance(59)
    assert.equal(await (await browser.get('/notes/delete')).text(), 'deleted')
    clock.advance(1)
    assert.equal((await browser.get('/notes/delete')).status, 303)
  })

  it('counts no proof of a time to come: the clock was set back', () => {
    assert.deepEqual(
      [undefined, 99, 100, 101].map((at) => isRecent(at, 100)),
      [false, true, true, false],
    )
    assert.deepEqual(
      [STEP_UP_SECONDS - 1, STEP_UP_SECONDS].map((now) => isRecent(0, now)),
      [true, false],
    )
  })

  const refused: readonly (readonly [string, Partial<StepUpRule>, RegExp])[] = [
    ['an action without its beginning', { action: 'reports' }, /must begin with "step-up\.action\."/],
    ['no time', { maxAge: 0 }, /use whole seconds from 30 to 3600/],
    ['a time without end', { maxAge: Infinity }, /use whole seconds/],
    ['a fraction of a second', { maxAge: 60.5 }, /use whole seconds/],
    ['no kinds', { kinds: [] }, /use kinds that accounts hold: totp/],
    ['an unknown kind', { kinds: ['totp', 'recovery'] }, /use kinds that accounts hold: totp/],
  ]
  for (const [title, rule, message] of refused)
    it(`has no rule with ${title} [RA-1401]`, async () => {
      const { app } = client({ action: ACTION })
      const suspended = (await app.boot()).get(SuspendedActions)

      const add = (): unknown => suspended.add(RequirePassword, { action: ACTION, ...rule }, ['totp'])

      assert.throws(add, { name: 'TypeError', message })
    })
})
