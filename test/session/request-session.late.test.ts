import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Authentication, SessionAuthentication } from 'sallyport/auth'
import { Flash } from '../../src/context/flash.ts'
import { Csrf } from '../../src/csrf/index.ts'
import type { RequestSession } from '../../src/session/internal.ts'
import { Site } from './site.ts'

const authentication = new SessionAuthentication()
const TOO_LATE = 'Cannot change the session: the response has been made'

/** Everything that changes the session of the request; its session has a flash message and no secret. */
const changes: Readonly<Record<string, (session: RequestSession) => Promise<unknown>>> = {
  'set()': (session) => session.set('late', 1),
  'remove()': (session) => session.remove('a'),
  'regenerateId()': (session) => session.regenerateId(),
  'destroy()': (session) => session.destroy(),
  'flash().add()': (session) => new Flash(session).add('notice', 'Saved'),
  'login()': (session) => authentication.login(session, new Authentication(), 'bob', {}),
  'logout()': (session) => authentication.logout(session, new Authentication()),
}

/** These look first whether there is something to change. */
const changesAfterReading: Readonly<Record<string, (session: RequestSession) => Promise<unknown>>> = {
  'flash().take()': (session) => new Flash(session).take(),
  'csrf().token()': (session) => new Csrf(session).token(),
}

/** Calls it when it is too late, and gives what it returned then. */
type Moment = (
  site: Site,
  session: RequestSession,
  call: () => Promise<unknown>,
) => Promise<{ called: Promise<unknown> }>

const moments: Readonly<Record<string, Moment>> = {
  'after the response': async (_, session, call) => {
    await session.get('a')
    session.seal()
    await session.commit()
    return { called: call() }
  },
  'after a response that did not ask for it': (_, session, call) => {
    session.seal()
    return Promise.resolve({ called: call() })
  },
  'while the commit waits on the store': async (site, session, call) => {
    await session.set('b', 1)
    session.seal()
    let called: Promise<unknown> = Promise.resolve()
    site.store.before = (operation) => {
      if (operation === 'update') called = call()
    }
    await session.commit()
    return { called }
  },
  'while the read is under way that the commit waits for': async (site, session, call) => {
    const reading = Promise.withResolvers<undefined>()
    site.store.before = () => reading.promise
    void session.set('b', 1)
    session.seal()
    const committed = session.commit()
    const called = call()
    reading.resolve(undefined)
    await committed
    return { called }
  },
}

/** A request with a session that another request began. */
async function start(): Promise<{ site: Site; session: RequestSession; cookie: string }> {
  const site = new Site()
  const before = site.request(await site.live())
  await new Flash(before).add('notice', 'Welcome')
  await before.regenerateId()
  const cookie = (await before.commit()) ?? ''
  return { site, session: site.request(cookie), cookie }
}

function listen(test: TestContext): string[] {
  const warnings: string[] = []
  const listener = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', listener)
  test.after(() => process.off('warning', listener))
  return warnings
}

// Warnings are given a turn after the refusal, and the refusal some turns after the call.
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

describe('a change of the session that comes too late', () => {
  for (const [when, moment] of Object.entries(moments)) {
    for (const [name, change] of Object.entries({ ...changes, ...changesAfterReading })) {
      it(`${name} ${when} is refused to code that awaits it [HOLD-54]`, async (test) => {
        const warnings = listen(test)
        const { site, session } = await start()

        const { called } = await moment(site, session, () => {
          const promise = change(session)
          return promise.then(
            () => 'done',
            ({ message }: Error) => message,
          )
        })

        assert.equal(await called, TOO_LATE)
        await turns()
        assert.deepEqual(warnings, [])
      })

      it(`${name} ${when} is a warning when nobody awaits it, and changes nothing [HOLD-54]`, async (test) => {
        const warnings = listen(test)
        const { site, session, cookie } = await start()

        await moment(site, session, () => {
          void change(session)
          return Promise.resolve()
        })
        await turns()

        assert.deepEqual(warnings, [TOO_LATE])
        const next = site.request(cookie)
        assert.deepEqual(
          [await next.get('a'), await next.has('late'), await next.has('_csrf')],
          [1, false, false],
        )
        assert.equal((await new Flash(next).take()).length, 1)
      })
    }

    it(`a refused value ${when} is a warning when nobody awaits it [HOLD-24 HOLD-54]`, async (test) => {
      const warnings = listen(test)
      const { site, session } = await start()

      await moment(site, session, () => {
        void session.set('late', new Date() as never)
        return Promise.resolve()
      })
      await turns()

      assert.match(warnings.join(), /^Cannot keep "late" in the session: [^,]+ is an instance of Date/)
    })
  }

  for (const [name, change] of Object.entries(changes)) {
    it(`${name} after a store that failed is a warning when nobody awaits it [HOLD-54]`, async (test) => {
      const warnings = listen(test)
      const { site, session } = await start()
      site.store.failing.add('read')
      void session.get('a')
      session.seal()
      await assert.rejects(session.commit(), { status: 503 })
      session.withdraw()
      session.seal()

      void change(session)
      await turns()

      assert.deepEqual(warnings, [TOO_LATE])
    })
  }

  it('what began in time is kept, however late the read ends [HOLD-54]', async (test) => {
    const warnings = listen(test)
    const { site, session, cookie } = await start()
    const reading = Promise.withResolvers<undefined>()
    site.store.before = () => reading.promise
    void session.set('in time', 1)
    session.seal()
    const committed = session.commit()
    reading.resolve(undefined)
    await committed
    await turns()

    assert.equal(await site.request(cookie).get('in time'), 1)
    assert.deepEqual(warnings, [])
  })
})
