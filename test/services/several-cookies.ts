import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { Authentication, SessionAuthentication } from 'sallyport/auth'
import { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy, type SessionStore } from '../../src/session/index.ts'
import { FrozenClock } from '../../src/testing/index.ts'

const policy = new SessionPolicy()
const authentication = new SessionAuthentication()

/** An identifier that no store knows. */
export const UNKNOWN: string = 'u'.repeat(43)

/** What a request does, and whether it ends the identity that it came with. */
const deeds: Readonly<Record<string, (session: RequestSession) => Promise<void>>> = {
  'logs out': (session) => authentication.logout(session, new Authentication()),
  'destroys the session': (session) => session.destroy(),
  'logs somebody in': (session) => authentication.login(session, new Authentication(), 'u9', {}),
}

/** Browsers with any cookies, by one store and one clock. */
export interface World {
  readonly clock: FrozenClock
  visit(...cookies: string[]): RequestSession
  identity(cookie: string): Promise<string | null>
  signedIn(identifier: string): Promise<string>
}

/**
 * @param store Their sessions.
 * @param clock Their clock.
 * @returns The browsers.
 */
export function worldOf(store: SessionStore, clock: FrozenClock): World {
  const visit = (...cookies: string[]): RequestSession => {
    const [only] = cookies
    return new RequestSession({ store, policy, clock }, cookies.length === 1 ? only : undefined, {
      duplicates: cookies.length > 1 ? cookies : [],
    })
  }
  return {
    clock,
    visit,
    identity: (cookie) => authentication.identifier(visit(cookie)),
    signedIn: async (identifier) => {
      const session = visit()
      await authentication.login(session, new Authentication(), identifier, {})
      return (await session.commit()) ?? ''
    },
  }
}

async function close(session: RequestSession): Promise<string | null> {
  return session.seal() ? session.commit() : null
}

/**
 * Proves that a request with several session cookies ends every identity that it brings, and no other.
 *
 * @param storeOf Opens a store; called for each test.
 */
export function testSeveralCookies(
  storeOf: (clock: FrozenClock, test: TestContext) => SessionStore | Promise<SessionStore>,
): void {
  async function start(test: TestContext): Promise<World> {
    const clock = new FrozenClock()
    return worldOf(await storeOf(clock, test), clock)
  }

  for (const [what, deed] of Object.entries(deeds)) {
    it(`ends each identity when it ${what} [SESS-09 R-05]`, async (test) => {
      const world = await start(test)
      const [ada, bob] = [await world.signedIn('ada'), await world.signedIn('bob')]
      const session = world.visit(UNKNOWN, ada, 'junk', bob, ada)

      await deed(session)
      const cookie = await close(session)

      assert.deepEqual([await world.identity(ada), await world.identity(bob)], [null, null])
      assert.equal(cookie, '')
    })
  }

  it('keeps nothing that it sets, and expires the cookie, so that the next request has fewer [OPEN-16]', async (test) => {
    const world = await start(test)
    const [ada, bob] = [await world.signedIn('ada'), await world.signedIn('bob')]
    const session = world.visit(ada, bob)
    const heard: boolean[] = []
    session.whenConfirmed((survived) => heard.push(survived))

    await session.set('cart', 1)

    assert.equal(await close(session), '')
    assert.deepEqual(heard, [false])
    for (const each of [ada, bob]) assert.equal(await world.visit(each).has('cart'), false)
  })

  it('ends what another request rotated one of them to [SESS-09 R-05]', async (test) => {
    const world = await start(test)
    const old = await world.signedIn('ada')
    const rotating = world.visit(old)
    await rotating.regenerateId()
    const current = (await close(rotating)) ?? ''
    const session = world.visit(old, UNKNOWN)

    await authentication.logout(session, new Authentication())
    await close(session)

    assert.equal(await world.identity(current), null)
  })

  it('is anonymous, and leaves the sessions alone while it ends nothing [A-086]', async (test) => {
    const world = await start(test)
    const [ada, bob] = [await world.signedIn('ada'), await world.signedIn('bob')]
    const session = world.visit(ada, bob)

    assert.equal(await authentication.identifier(session), null)
    await session.remove('cart')
    await session.regenerateId()

    assert.equal(await close(session), null)
    assert.deepEqual([await world.identity(ada), await world.identity(bob)], ['ada', 'bob'])
  })

  for (const seconds of [-31_536_000, -3600, -5, 5, 3600]) {
    it(`ends each identity when the clock is set by ${seconds} s before the logout, or in it [HOLD-50 R-05]`, async (test) => {
      for (const moment of ['before', 'within'] as const) {
        const world = await start(test)
        const [ada, bob] = [await world.signedIn('ada'), await world.signedIn('bob')]
        if (moment === 'before') world.clock.advance(seconds)
        const session = world.visit(ada, bob)

        await authentication.logout(session, new Authentication())
        if (moment === 'within') world.clock.advance(seconds)
        await close(session)

        assert.deepEqual([await world.identity(ada), await world.identity(bob)], [null, null])
        world.clock.advance(-seconds)
        assert.deepEqual([await world.identity(ada), await world.identity(bob)], [null, null])
      }
    })
  }
}
