import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Authentication, SessionAuthentication } from 'sallyport/auth'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import {
  MemorySessionStore,
  SessionPolicy,
  type SessionStore,
  SessionStoreException,
} from '../../src/session/index.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { FrozenClock } from '../../src/testing/index.ts'

const policy = new SessionPolicy()
const authentication = new SessionAuthentication()
const HOUR_SECONDS = 3600

interface World {
  readonly clock: FrozenClock
  readonly store: SessionStore
  visit(cookie?: string): RequestSession
}

const stores: Readonly<Record<string, (clock: FrozenClock, test: TestContext) => SessionStore>> = {
  memory: (clock) => new MemorySessionStore({ clock }),
  SQLite: (clock, test) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-behind-'))
    const store = new SqliteSessionStore({ path: join(folder, 'sessions.sqlite'), clock })
    test.after(() => {
      store.close()
      rmSync(folder, { recursive: true })
    })
    return store
  },
}

/** Signed in as u1, then rotated by another request: the first cookie is what a slow tab still sends. */
async function rotated({ visit }: World): Promise<{ old: string; current: string }> {
  const login = visit()
  await authentication.login(login, new Authentication(), 'u1', {})
  await login.set('cart', ['apple'])
  const old = (await login.commit()) ?? ''
  const other = visit(old)
  await other.regenerateId()
  return { old, current: (await other.commit()) ?? '' }
}

async function close(session: RequestSession): Promise<string | null> {
  return session.seal() ? session.commit() : null
}

for (const [name, storeOf] of Object.entries(stores)) {
  describe(`a request whose session was rotated before it read it, sessions in ${name}`, () => {
    function start(test: TestContext): World {
      const clock = new FrozenClock()
      const store = storeOf(clock, test)
      return { clock, store, visit: (cookie) => new RequestSession({ store, policy, clock }, cookie) }
    }

    it('ends the identity when it logs out, and keeps the rest [SESS-09 R-05]', async (test) => {
      const world = start(test)
      const { old, current } = await rotated(world)
      const slow = world.visit(old)

      await authentication.logout(slow, new Authentication())
      const cookie = await close(slow)

      assert.equal(cookie, null, 'the cookie of the browser is left alone')
      const left = world.visit(current)
      assert.equal(await left.get('_auth'), undefined)
      assert.deepEqual(await left.get('cart'), ['apple'])
    })

    it('follows any number of rotations [SESS-09 R-05]', async (test) => {
      const world = start(test)
      const { old, current } = await rotated(world)
      let cookie = current
      for (let i = 0; i < 3; i++) {
        const next = world.visit(cookie)
        await next.regenerateId()
        cookie = (await next.commit()) ?? ''
      }
      const slow = world.visit(old)

      await authentication.logout(slow, new Authentication())
      await close(slow)

      assert.equal(await world.visit(cookie).get('_auth'), undefined)
    })

    it('ends the session when it destroys it [R-05]', async (test) => {
      const world = start(test)
      const { old, current } = await rotated(world)
      const slow = world.visit(old)

      await slow.destroy()

      assert.equal(await close(slow), null)
      assert.equal(await world.visit(current).has('cart'), false)
    })

    it('adds nothing, and removes nothing that equals what it meant to set [R-05]', async (test) => {
      const world = start(test)
      const { old, current } = await rotated(world)
      const second = world.visit(old)
      const heard: boolean[] = []
      second.whenConfirmed((survived) => heard.push(survived))

      await authentication.login(second, new Authentication(), 'u1', {})
      await second.set('late', true)
      const cookie = await close(second)

      assert.equal(cookie, null)
      assert.ok(!heard.includes(true), 'nobody is told of a login that is not kept')
      const left = world.visit(current)
      assert.equal(await left.get('_auth'), 'u1', 'of two logins at once the first stands')
      assert.equal(await left.has('late'), false)
    })

    for (const isReopened of [false, true]) {
      it(`leaves no other user signed in when it logs in${isReopened ? ' with a session of its own' : ''} [SESS-09 R-05]`, async (test) => {
        const world = start(test)
        const { old, current } = await rotated(world)
        const slow = world.visit(old)
        assert.ok(await slow.endedSecret())
        if (isReopened) slow.reopen()

        await authentication.login(slow, new Authentication(), 'u2', {})
        const cookie = await close(slow)

        assert.equal(await world.visit(current).get('_auth'), undefined)
        assert.deepEqual(await world.visit(current).get('cart'), ['apple'])
        if (isReopened) assert.equal(await world.visit(cookie ?? '').get('_auth'), 'u2')
        else assert.equal(cookie, null)
      })
    }

    it('removes what it meant to replace, and nothing that it only meant to set [R-05]', async (test) => {
      const world = start(test)
      const { old, current } = await rotated(world)
      const later = world.visit(current)
      await later.set('_2fa', 'ada')
      await later.commit()
      const slow = world.visit(old)

      await slow.remove('_2fa')
      await slow.set('_2fa', 'bob')
      await slow.set('cart', ['pear'])
      await close(slow)

      const left = world.visit(current)
      assert.equal(await left.has('_2fa'), false)
      assert.deepEqual(await left.get('cart'), ['apple'])
    })

    it('makes no further store call when it changes nothing [R-05]', async (test) => {
      const world = start(test)
      const { old } = await rotated(world)
      const slow = world.visit(old)

      assert.equal(await slow.get('_auth'), undefined)
      assert.equal(slow.seal(), false)
    })

    it('ends it even when it starts a session of its own [HOLD-22 R-05]', async (test) => {
      const world = start(test)
      const { old, current } = await rotated(world)
      const slow = world.visit(old)
      assert.ok(await slow.endedSecret())
      slow.reopen()

      await authentication.logout(slow, new Authentication())
      await slow.set('flash', 'Signed out')
      const cookie = await close(slow)

      assert.ok(cookie)
      assert.equal(await world.visit(cookie).get('flash'), 'Signed out')
      assert.equal(await world.visit(current).get('_auth'), undefined)
    })

    it('does not confirm an end when the trace has been lost [R-05]', async (test) => {
      const world = start(test)
      const { old } = await rotated(world)
      const slow = world.visit(old)
      await authentication.logout(slow, new Authentication())
      world.clock.advance(31)

      await assert.rejects(slow.commit(), { status: 503 })
    })

    it('a logout under a clock that was set back holds when the clock is right again [HOLD-50]', async (test) => {
      const world = start(test)
      const login = world.visit()
      await authentication.login(login, new Authentication(), 'u1', {})
      const cookie = (await login.commit()) ?? ''
      world.clock.advance(-40 * 24 * HOUR_SECONDS)
      const early = world.visit(cookie)

      await authentication.logout(early, new Authentication())
      await close(early)
      world.clock.advance(40 * 24 * HOUR_SECONDS)

      assert.equal(await world.visit(cookie).get('_auth'), undefined)
    })

    it('other changes under such a clock destroy nothing [HOLD-50]', async (test) => {
      const world = start(test)
      const login = world.visit()
      await authentication.login(login, new Authentication(), 'u1', {})
      const cookie = (await login.commit()) ?? ''
      world.clock.advance(-40 * 24 * HOUR_SECONDS)
      const early = world.visit(cookie)

      await early.remove('cart')
      await close(early)
      world.clock.advance(40 * 24 * HOUR_SECONDS)

      assert.equal(await world.visit(cookie).get('_auth'), 'u1')
    })
  })
}

/** Finds every record malformed while `isOld`, as an older version of an application might. */
class OldVersionStore extends MemorySessionStore {
  isOld = false

  override read(id: string): ReturnType<MemorySessionStore['read']> {
    if (this.isOld)
      return Promise.reject(new SessionStoreException('ERR_SESSION_STORE_MALFORMED', 'The test'))
    return super.read(id)
  }
}

describe('a request that cannot read the record of its session', () => {
  for (const [what, change, isOver] of [
    ['logs out', (session: RequestSession) => authentication.logout(session, new Authentication()), true],
    ['destroys it', (session: RequestSession) => session.destroy(), true],
    ['removes something else', (session: RequestSession) => session.remove('cart'), false],
  ] as const) {
    it(`${isOver ? 'ends' : 'leaves'} the session when it ${what} [HOLD-25]`, async () => {
      const clock = new FrozenClock()
      const store = new OldVersionStore({ clock })
      const visit = (cookie?: string): RequestSession => new RequestSession({ store, policy, clock }, cookie)
      const login = visit()
      await authentication.login(login, new Authentication(), 'u1', {})
      const cookie = (await login.commit()) ?? ''
      store.isOld = true
      const old = visit(cookie)

      await change(old)
      await close(old)
      store.isOld = false

      assert.equal(await visit(cookie).get('_auth'), isOver ? undefined : 'u1')
    })
  }
})
