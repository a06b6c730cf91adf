import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { App, defineModule } from '../../src/app/index.ts'
import { PASSWORD_BCRYPT, PasswordHasher } from '../../src/auth/index.ts'
import { EdgeViewEngine } from '../../src/view/edge.ts'
import { BODY_DEEDS, type Deed, REFUSED_CHANGES, REFUSED_READS, SESSION_DEEDS } from './promises/deeds.ts'
import { type Outcome, Site, WAITS } from './promises/site.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Bodies that no form can be made of, and the answer to an action that waits for the form. */
const BAD_BODIES: Readonly<Record<string, { init: RequestInit; status: number }>> = {
  'bad UTF-8': { init: { body: 'a=%ff', headers: { 'content-type': FORM } }, status: 400 },
  'bad multipart': {
    init: { body: '--b\r\nx', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    status: 400,
  },
  'many fields': { init: { body: 'a=1&'.repeat(2000), headers: { 'content-type': FORM } }, status: 413 },
  'other charset': {
    init: { body: 'a=1', headers: { 'content-type': `${FORM}; charset=latin1` } },
    status: 415,
  },
  compressed: {
    init: { body: 'a=1', headers: { 'content-type': FORM, 'content-encoding': 'gzip' } },
    status: 415,
  },
}

/** Asserts what became of a request; the process must not have ended, whatever else. */
function assertOutcome(outcome: Outcome, expected: Partial<Outcome>, what: string): void {
  assert.deepEqual(outcome, { ...outcome, ...expected, unhandled: [] }, what)
}

async function run(site: Site, deed: Deed, init?: RequestInit): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const wait of WAITS) outcomes.push(await site.run(deed, wait, init))
  return outcomes
}

describe('a promise of the framework, awaited at once, late or never', () => {
  it('a store that fails is a 503 that is reported once [HOLD-20]', async (t) => {
    const site = await Site.open(t)
    site.store.isFailing = true

    for (const [name, deed] of Object.entries(SESSION_DEEDS)) {
      for (const [i, outcome] of (await run(site, deed)).entries()) {
        const expected = { status: 503, heard: ['ServiceUnavailableException'] }
        assertOutcome(outcome, expected, `${name}, awaited ${WAITS[i]}`)
      }
    }
  })

  it('a refused change is a 500 that is reported once [HOLD-24 HOLD-54]', async (t) => {
    const site = await Site.open(t)

    for (const [name, deed] of Object.entries(REFUSED_CHANGES)) {
      for (const isRead of [false, true]) {
        site.isRead = isRead
        for (const [i, outcome] of (await run(site, deed)).entries())
          assertOutcome(outcome, { status: 500, heard: ['TypeError'] }, `${name}, awaited ${WAITS[i]}`)
      }
    }
  })

  it('a refusal without a change is not reported when nobody awaits it', async (t) => {
    const site = await Site.open(t)

    for (const [name, deed] of Object.entries(REFUSED_READS)) {
      const [now, late, never] = await run(site, deed)
      for (const outcome of [now, late])
        assert.deepEqual([outcome?.status, outcome?.heard.length, outcome?.unhandled], [500, 1, []], name)
      assert.deepEqual(never, { status: 200, heard: [], unhandled: [] }, name)
    }
  })

  it('so is a form that cannot be read [HOLD-01]', async (t) => {
    const site = await Site.open(t)

    for (const [name, { init, status }] of Object.entries(BAD_BODIES)) {
      const [now, late, never] = await run(site, (context) => context.form(), init)
      assert.deepEqual(now, { status, heard: [], unhandled: [] }, name)
      assert.deepEqual(late, { status, heard: [], unhandled: [] }, name)
      assert.deepEqual(never, { status: 200, heard: [], unhandled: [] }, name)
    }
  })

  it('so is any body, also none, however it is read [HOLD-01]', async (t) => {
    const site = await Site.open(t)
    const inits = [
      ...Object.values(BAD_BODIES).map(({ init }) => init),
      {},
      { body: '{', headers: { 'content-type': 'application/json' } },
      { method: 'GET' },
    ]

    for (const [name, deed] of Object.entries(BODY_DEEDS)) {
      for (const init of inits) {
        const outcomes = await run(site, deed, init)
        for (const outcome of outcomes)
          assert.deepEqual(outcome.unhandled, [], `${name} of ${JSON.stringify(init).slice(0, 80)}`)
        assert.equal(outcomes.at(-1)?.status, 200)
      }
    }
  })

  it('so is a body that breaks off, and one that is too large is a 413 [HOLD-01]', async (t) => {
    const site = await Site.open(t)
    const broken = (): RequestInit => ({ ...streamed(1, true), signal: AbortSignal.timeout(20) })
    const large = (): RequestInit => streamed(20, false)

    for (const [name, deed] of Object.entries(BODY_DEEDS)) {
      for (const wait of WAITS) {
        const outcome = await site.run(deed, wait, large())
        assertOutcome(outcome, { status: 413, heard: [] }, `${name}, awaited ${wait}`)
      }
      assertOutcome(await site.run(deed, 'late', broken()), { status: 0 }, name)
    }
  })

  it('a full queue of password hashes is a 503 for those who wait', async (t) => {
    const site = await Site.open(t)
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 8 }, { inFlight: 1, waiting: 0 })
    const full = (work: () => Promise<unknown>): Promise<unknown> => {
      void hasher.hash('keeps the one place')
      return work()
    }

    for (const work of [() => hasher.hash('x'), () => hasher.verify('x', null)]) {
      const [now, late, never] = await run(site, () => full(work))
      assert.deepEqual(
        [now?.status, late?.status, never?.status, now?.unhandled, late?.unhandled, never?.unhandled],
        [503, 503, 200, [], [], []],
      )
      await hasher.hash('waits until it is free').catch(() => undefined)
    }
  })

  it('what comes after the response ends no process [HOLD-54]', async (t) => {
    const site = await Site.open(t)
    const warnings: string[] = []
    const listen = ({ message }: Error): void => void warnings.push(message)
    process.on('warning', listen)
    t.after(() => process.off('warning', listen))

    for (const [name, deed] of Object.entries({ ...SESSION_DEEDS, ...REFUSED_CHANGES, ...REFUSED_READS })) {
      for (const [isRead, isFailing] of [
        [false, false],
        [true, false],
        [false, true],
      ] as const) {
        site.isRead = isRead
        site.store.isFailing = isFailing
        assertOutcome(await site.run(deed, 'after'), { status: 200, heard: [] }, name)
      }
    }
    assert.ok(warnings.includes('Cannot change the session: the response has been made'))
    assert.ok(warnings.includes('Cannot log in without an identifier: it must be a non-empty string'))
  })

  it('a response with a promise that was not awaited ends no process', async (t) => {
    const site = await Site.open(t)
    const answer = (): unknown => ({ a: Promise.reject(new Error('no row')) })

    assertOutcome(await site.run(answer, 'returned'), { status: 500, heard: ['TypeError'] }, 'member')
  })
})

describe('a promise outside of a request', () => {
  it('may be awaited late or never when a resolver or a template fails', async (t) => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))
    const app = App.create().modules(
      defineModule('Pages', (module) =>
        module.resolver(
          class {
            async resolve(): Promise<null> {
              throw new Error('no connection')
            }
          },
        ),
      ),
    )
    await app.boot()
    const engine = new EdgeViewEngine({ directory: new URL('./promises/', import.meta.url) })

    const inspection = await app.inspection()
    const promises = [
      app.router().resolve('GET', '/pages/x'),
      inspection.explain('GET', '/pages/x'),
      engine.render('missing', {}),
      app.fetch(new Request('http://localhost/pages/x')),
    ]
    await sleep(10)

    assert.deepEqual(unhandled, [])
    const results = await Promise.allSettled(promises.map((promise) => Promise.resolve(promise)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
    )
  })

  it('nor does the body of a request that another host received [HOLD-01]', async (t) => {
    const site = await Site.open(t)

    for (const [name, deed] of Object.entries(BODY_DEEDS)) {
      for (const wait of WAITS) {
        const outcome = await site.receive(
          deed,
          wait,
          new Request('http://localhost/deed', { method: 'POST' }),
        )
        assert.deepEqual(outcome.unhandled, [], name)
      }
    }
  })
})

describe('a change of the session that is not awaited', () => {
  for (const isRead of [false, true]) {
    const when = isRead ? 'a session that was read' : 'a session that was not'

    it(`is part of the request with ${when}: a logout signs out, a login signs in`, async (t) => {
      const site = await Site.open(t)
      site.isRead = isRead
      const { login = fail, logout = fail, identifier = fail } = SESSION_DEEDS

      await site.follow(login, 'never')
      const signedIn = await site.value(identifier)
      await site.follow(logout, 'never')
      const signedOut = await site.value(identifier)

      assert.deepEqual([signedIn, signedOut], ['ada', null])
    })

    it(`and so is a message with ${when}`, async (t) => {
      const site = await Site.open(t)
      site.isRead = isRead
      const { 'flash-add': add = fail, 'flash-take': take = fail } = SESSION_DEEDS

      await site.follow(add, 'never')
      const messages = await site.value(take)

      assert.deepEqual(messages, [
        { kind: 'notice', text: 'Welcome' },
        { kind: 'notice', text: 'Saved' },
      ])
    })
  }

  it('undoes no logout of the same request when it is refused [HOLD-20]', async (t) => {
    const site = await Site.open(t)
    const { login = fail, logout = fail, identifier = fail } = SESSION_DEEDS
    const { 'set-date': refused = fail } = REFUSED_CHANGES

    await site.follow(login, 'at once')
    const { status } = await site.follow(async (context) => {
      await logout(context)
      void refused(context)
    }, 'at once')

    assert.equal(status, 500)
    assert.equal(await site.value(identifier), null)
  })
})

function fail(): never {
  throw new Error('There is no such deed')
}

function streamed(pieces: number, isOpen: boolean): RequestInit {
  let left = pieces
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(Buffer.alloc(200_000, 'a'))
      else if (isOpen) return new Promise(() => undefined)
      else controller.close()
      return undefined
    },
  })
  return { body, duplex: 'half', headers: { 'content-type': FORM } }
}
