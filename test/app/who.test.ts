import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  App,
  Clock,
  Controller,
  defineModule,
  type HttpContext,
  inject,
  toWho,
  type WhoOptions,
} from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { ForbiddenException, type Middleware, type Next } from 'sallyport/http'
import { CsrfMiddleware } from 'sallyport/middleware'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { FrozenClock, Gates, TestClient } from 'sallyport/testing'

const HOUR = 3600

class Member {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

class ResolveMember implements Middleware<HttpContext> {
  readonly #sessions = inject(SessionAuthentication)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const name = await this.#sessions.identifier(context.session())
    if (name !== null && name !== 'deleted') context.auth().authenticate(new Member(name), ['orders.read'])
    return next()
  }
}

class Refuse implements Middleware {
  process(): Response {
    throw new ForbiddenException()
  }
}

class AnswerItself implements Middleware {
  process(): Response {
    return new Response('Not here')
  }
}

class CountVisits implements Middleware<HttpContext> {
  async process(context: HttpContext, next: Next): Promise<Response> {
    await context.session().set('visits', 1)
    return next()
  }
}

class DoorController extends Controller {
  static readonly actions = { inPost: [], outPost: [], stayPost: [] }

  readonly #sessions = inject(SessionAuthentication)

  async inPost() {
    const name = this.context.header('x-name') ?? 'ada'
    await this.#sessions.login(this.context.session(), this.context.auth(), name, new Member(name))
  }

  stayPost() {
    return null
  }

  async outPost() {
    await this.#sessions.logout(this.context.session(), this.context.auth())
  }
}

function door(options: Partial<WhoOptions> = {}) {
  const clock = new FrozenClock('2026-01-31T12:00:00Z')
  const gates = new Gates<SessionStore>(new MemorySessionStore({ clock }))
  const app = App.default()
    .modules(
      defineModule('In', (module) => module.mount('open').controllers(DoorController)),
      defineModule('Out', (module) =>
        module.mount('guarded').middleware(ResolveMember, CsrfMiddleware).controllers(DoorController),
      ),
    )
    .configure((definitions) => definitions.set(Clock, clock).set(SessionStore, gates.target))
  const browser = new TestClient(app)
  const who = toWho(app, { through: [ResolveMember], ...options })
  const request = (init: RequestInit = {}): Request =>
    new Request('http://localhost/old-page', {
      ...init,
      headers: { cookie: `sid=${browser.cookie('sid') ?? ''}` },
    })
  return { app, browser, clock, gates, who, request }
}

describe('toWho()', () => {
  it('tells identity and permissions, and gives a token that signs out [HOST-02 CSRF-04]', async () => {
    const { browser, who, request } = door()
    await browser.post('/open/door/in')

    const { identifier, auth, csrfToken } = await who(request())

    assert.deepEqual([identifier, auth.principalAs(Member).name], ['ada', 'ada'])
    assert.deepEqual([auth.allows('orders.read'), auth.allows('orders.write')], [true, false])
    assert.equal((await browser.post('/guarded/door/out')).status, 403)
    const form = { _csrf: csrfToken ?? '' }
    assert.equal((await browser.post('/guarded/door/out', { form })).status, 204)
    assert.equal((await who(request())).identifier, null)
  })

  it('gives tokens of one secret to pages that are made at the same time [CSRF-01]', async () => {
    const { browser, gates, who, request } = door()
    await browser.post('/open/door/in')

    const gate = gates.hold('update')
    const late = who(request())
    await gate.reached()
    const early = await who(request())
    gate.release()

    for (const { csrfToken } of [early, await late]) {
      const form = { _csrf: csrfToken ?? '' }
      assert.equal((await browser.post('/guarded/door/stay', { form })).status, 204)
    }
  })

  for (const [visitor, through, name] of [
    ['a browser without a session', [ResolveMember], null],
    ['an account that is gone', [ResolveMember], 'deleted'],
    ['a request that a middleware answers', [ResolveMember, AnswerItself], 'ada'],
  ] as const) {
    it(`is anonymous for ${visitor}, and writes nothing [HOST-02]`, async () => {
      const { browser, gates, who, request } = door({ through })
      if (name !== null) await browser.post('/open/door/in', { headers: { 'x-name': name } })

      const update = gates.hold('update')
      const { identifier, auth, csrfToken } = await who(request())
      update.release()

      assert.deepEqual([identifier, auth.isAuthenticated(), csrfToken], [null, false, null])
    })
  }

  it('rejects with what a middleware throws', async () => {
    const { who, request } = door({ through: [Refuse] })

    await assert.rejects(who(request()), ForbiddenException)
  })

  it('refuses a middleware that changes the session, and names it', async () => {
    const { who, request } = door({ through: [ResolveMember, CountVisits] })

    await assert.rejects(
      who(request()),
      /Cannot change the session.*ResolveMember, CountVisits must only read/,
    )
  })

  it('prolongs the session, so that a user of old pages stays signed in [SESS-01]', async () => {
    const { browser, clock, who, request } = door()
    await browser.post('/open/door/in')

    for (let hour = 0; hour < 5; hour++) {
      clock.advance(HOUR)
      assert.equal((await who(request())).identifier, 'ada', `after ${hour + 1} hours`)
    }
  })

  it('leaves the body of the request to the host', async () => {
    const { browser, who, request } = door()
    await browser.post('/open/door/in')
    const posted = request({ method: 'POST', body: 'order=1' })

    assert.equal((await who(posted)).identifier, 'ada')
    assert.equal(await posted.text(), 'order=1')
  })

  it('reads the cookie of the origin that browsers use', async () => {
    const { app, who } = door({ origin: 'https://shop.test' })
    const browser = new TestClient(app, { origin: 'https://shop.test' })
    await browser.post('/open/door/in')
    const headers = { cookie: `__Host-sid=${browser.cookie('__Host-sid')}` }

    const { identifier } = await who(new Request('http://127.0.0.1:3000/old-page', { headers }))

    assert.equal(identifier, 'ada')
  })

  for (const [fault, make] of [
    ['something else than an application', () => toWho({} as App, { through: [ResolveMember] })],
    ['no middleware', () => toWho(App.create(), { through: [] })],
    ['an unknown option', () => toWho(App.create(), { through: [ResolveMember], hosts: [] } as WhoOptions)],
    [
      'an origin with a path',
      () => toWho(App.create(), { through: [ResolveMember], origin: 'https://a.test/b' }),
    ],
  ] as const) {
    it(`refuses ${fault}`, () => {
      assert.throws(make, TypeError)
    })
  }
})
