import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Authentication, SessionAuthentication } from 'sallyport/auth'
import { Csrf } from 'sallyport/csrf'
import { MemorySessionStore, SessionPolicy, type SessionStore } from 'sallyport/session'
import { RequestSession } from '../../src/session/internal.ts'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { FrozenClock } from 'sallyport/testing'

const YEAR = 31_536_000
const JUMPS = [61, 3600, 86_400, YEAR, 20 * YEAR]
const IDLE = 1800
const policy = new SessionPolicy({ idleSeconds: IDLE, absoluteSeconds: 5400 })
const authentication = new SessionAuthentication()

/** One browser, whose requests read and commit at once. */
class Visitor {
  readonly clock = new FrozenClock()
  readonly store: SessionStore
  cookie: string | undefined

  constructor(open: (clock: FrozenClock) => SessionStore) {
    this.store = open(this.clock)
  }

  request(cookie = this.cookie): RequestSession {
    return new RequestSession({ store: this.store, policy, clock: this.clock }, cookie)
  }

  async end(session: RequestSession): Promise<string | null> {
    const change = session.seal() ? await session.commit() : null
    if (change !== null) this.cookie = change === '' ? undefined : change
    return change
  }

  async login(identifier: string): Promise<void> {
    const session = this.request()
    await authentication.login(session, new Authentication(), identifier, {})
    await this.end(session)
  }

  async who(cookie = this.cookie): Promise<string | null> {
    const session = this.request(cookie)
    const identifier = await authentication.identifier(session)
    await this.end(session)
    return identifier
  }
}

for (const [name, open] of Object.entries({
  memory: (clock: FrozenClock) => new MemorySessionStore({ clock }),
  SQLite: (clock: FrozenClock) => new SqliteSessionStore({ path: ':memory:', clock }),
})) {
  describe(`a session of an application that has shortened its lifetimes, in ${name}`, () => {
    it('ends by the new ones, even if its record was written with the old ones', async () => {
      const visitor = new Visitor(open)
      await visitor.login('u1')
      const services = { store: visitor.store, clock: visitor.clock }
      const shorter = new SessionPolicy({ idleSeconds: 600, absoluteSeconds: 600 })
      const ask = (): Promise<unknown> =>
        new RequestSession({ ...services, policy: shorter }, visitor.cookie).get('_auth')

      visitor.clock.advance(599)
      assert.equal(await ask(), 'u1')
      visitor.clock.advance(1)

      assert.equal(await ask(), undefined)
    })
  })

  describe(`sessions under a clock that steps, in ${name}`, () => {
    it('a session dated in the future by the precision of its policy counts as of now [HOLD-50]', async () => {
      const visitor = new Visitor(open)
      await visitor.login('u1')

      visitor.clock.advance(-policy.precisionMilliseconds / 1000)
      assert.equal(await visitor.request().get('_auth'), 'u1')
      visitor.clock.advance(-0.001)
      assert.equal(await visitor.request().get('_auth'), undefined)
    })

    for (const jump of JUMPS) {
      it(`a session dated ${jump} s in the future has expired, and its browser can sign in again [HOLD-50]`, async () => {
        const visitor = new Visitor(open)
        await visitor.login('u1')
        visitor.clock.advance(-jump)

        assert.equal(await visitor.who(), null)
        await visitor.login('u2')
        assert.equal(await visitor.who(), 'u2')
        visitor.clock.advance(IDLE)
        assert.equal(await visitor.who(), null)
      })

      it(`a session that was used ${jump} s in the future ends after its idle time [HOLD-50]`, async () => {
        const visitor = new Visitor(open)
        await visitor.login('u1')
        const [id = ''] = await idsOf(visitor)
        await rollTo(visitor, id, jump)

        assert.equal(await visitor.who(), 'u1')
        visitor.clock.advance(IDLE)
        assert.equal(await visitor.who(), null)
      })

      it(`an identifier that ended ${jump} s in the future locks nobody out [HOLD-50]`, async () => {
        const visitor = new Visitor(open)
        await visitor.login('u1')
        const old = visitor.cookie
        await visitor.login('u1')
        visitor.clock.advance(-jump)
        visitor.cookie = old

        const session = visitor.request()
        assert.equal(await authentication.identifier(session), null)
        assert.equal(session.isEnded, false)
        await visitor.login('u2')
        assert.equal(await visitor.who(), 'u2')
      })

      it(`no token of an identifier that ended ${jump} s in the future is accepted [HOLD-50]`, async () => {
        const visitor = new Visitor(open)
        await visitor.login('u1')
        const old = visitor.cookie
        await visitor.login('u1')
        const page = visitor.request(old)
        await page.get('a')
        const token = await new Csrf(page, page).token()
        const before = visitor.request(old)
        assert.equal(await new Csrf(before, before).verify(token), true)

        visitor.clock.advance(-jump)

        const after = visitor.request(old)
        assert.equal(await new Csrf(after, after).verify(token), false)
      })

      it(`a step of ${jump} s forward ends what its limits end, and nothing is kept longer [HOLD-50]`, async () => {
        const visitor = new Visitor(open)
        await visitor.login('u1')
        visitor.clock.advance(jump)

        assert.equal(await visitor.who(), jump < IDLE ? 'u1' : null)
        await visitor.login('u2')
        assert.equal(await visitor.who(), 'u2')
      })
    }

    it('two clocks that differ by seconds end no session [HOLD-50]', async () => {
      const visitor = new Visitor(open)
      await visitor.login('u1')

      for (const seconds of [-1, -58, 59]) {
        visitor.clock.advance(seconds)
        assert.equal(await visitor.who(), 'u1')
      }
    })

    it('a logout that meets a step between a rotation and its own end is not lost silently [HOLD-50]', async () => {
      for (const jump of JUMPS.flatMap((seconds) => [seconds, -seconds])) {
        const visitor = new Visitor(open)
        await visitor.login('u1')
        const logout = visitor.request()
        const rotation = visitor.request()
        await Promise.all([logout.get('_auth'), rotation.get('_auth')])
        await authentication.logout(logout, new Authentication())
        await rotation.regenerateId()
        await visitor.end(rotation)

        visitor.clock.advance(jump)
        const isConfirmed = await visitor.end(logout).then(
          () => true,
          () => false,
        )
        visitor.clock.advance(-jump)

        if (isConfirmed) assert.equal(await visitor.who(), null, `${jump} s`)
      }
    })
  })
}

describe('sweeps under a clock that steps', () => {
  it('the memory store deletes what is dated in the future, and continues [HOLD-50]', async () => {
    for (const jump of JUMPS) {
      const clock = new FrozenClock()
      const store = new MemorySessionStore({ clock })
      const fill = (prefix: string): Promise<unknown> => fillStore(store, clock, prefix)
      await fill('ahead')
      clock.advance(-jump)
      await fill('now')
      assert.ok(store.size <= 250, `${store.size} records after a step of ${jump} s`)
      clock.advance(3601)
      await fill('later')
      assert.ok(store.size <= 250, `${store.size} records later`)
    }
  })
})

async function fillStore(store: SessionStore, clock: FrozenClock, prefix: string): Promise<void> {
  const now = clock.milliseconds()
  for (let i = 0; i < 200; i++)
    await store.create(`${prefix}${i}`, new Map(), { createdAt: now, expiresAt: now + 3_600_000 })
}

// What the store knows the visitor's identifier by.
async function idsOf(visitor: Visitor): Promise<string[]> {
  const ids: string[] = []
  const read = visitor.store.read.bind(visitor.store)
  visitor.store.read = (id) => {
    ids.push(id)
    return read(id)
  }
  await visitor.request().get('a')
  visitor.store.read = read
  return ids
}

// As a server whose clock is ahead leaves it: begun in the past, used in the future.
async function rollTo({ store, clock }: Visitor, id: string, ahead: number): Promise<void> {
  const now = clock.milliseconds()
  const lifetime = { createdAt: now, expiresAt: now + (ahead + IDLE) * 1000 }
  assert.equal(await store.update(id, { set: new Map(), removed: new Set() }, lifetime), true)
}
