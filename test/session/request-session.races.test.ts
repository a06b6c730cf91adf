import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Authentication, SessionAuthentication } from 'sallyport/auth'
import { Csrf } from 'sallyport/csrf'
import {
  MemorySessionStore,
  SessionPolicy,
  type SessionRecord,
  type SessionStore,
} from '../../src/session/index.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { FrozenClock } from '../../src/testing/index.ts'

const clock = new FrozenClock()
const policy = new SessionPolicy()
const authentication = new SessionAuthentication()

/** Can lose the trace of what was rotated or destroyed. */
class ForgetfulStore extends MemorySessionStore {
  #isForgetful = false

  forget(): void {
    this.#isForgetful = true
  }

  remember(): void {
    this.#isForgetful = false
  }

  override async read(id: string): Promise<SessionRecord | null> {
    const record = await super.read(id)
    return this.#isForgetful && record?.ended === true ? null : record
  }
}

/** Two requests of one browser that have both read its session, signed in as u1. */
async function twoRequests(store: SessionStore = new MemorySessionStore({ clock })): Promise<{
  first: RequestSession
  second: RequestSession
  visit: (cookie: string) => RequestSession
  cookie: string
}> {
  const visit = (cookie?: string): RequestSession => new RequestSession({ store, policy, clock }, cookie)
  const login = visit()
  await authentication.login(login, new Authentication(), 'u1', {})
  await login.set('cart', ['apple'])
  const cookie = (await login.commit()) ?? ''
  const [first, second] = [visit(cookie), visit(cookie)]
  await Promise.all([first.get('_auth'), second.get('_auth')])
  return { first, second, visit, cookie }
}

describe('RequestSession, when two requests move one session on', () => {
  it('a logout that loses against a rotation still ends the identity [SESS-09 R-05]', async () => {
    const { first, second, visit } = await twoRequests()
    await first.regenerateId()
    await authentication.logout(second, new Authentication())

    const cookie = await first.commit()
    const nothing = await second.commit()

    assert.equal(nothing, null)
    const session = visit(cookie ?? '')
    assert.equal(await authentication.identifier(session), null)
    assert.deepEqual(await session.get('cart'), ['apple'])
  })

  it('a logout that keeps what is newer leaves a login alone that has overtaken it [HOLD-20]', async () => {
    const { first, second, visit } = await twoRequests()
    await authentication.login(first, new Authentication(), 'u2', {})
    const token = await new Csrf(first).token()
    await authentication.logout(second, new Authentication(), { keepNewer: true })
    await second.set('pending', 'u3')

    const cookie = await first.commit()
    const nothing = await second.commit()

    assert.equal(nothing, null)
    const session = visit(cookie ?? '')
    assert.equal(await authentication.identifier(session), 'u2')
    assert.equal(await new Csrf(session).verify(token), true)
    assert.equal(await session.get('pending'), undefined)
  })

  it('a logout that keeps what is newer ends what was only moved [SESS-09 R-05]', async () => {
    const { first, second, visit } = await twoRequests()
    await first.regenerateId()
    await authentication.logout(second, new Authentication(), { keepNewer: true })

    const cookie = await first.commit()
    await second.commit()

    assert.equal(await authentication.identifier(visit(cookie ?? '')), null)
  })

  it('a logout that keeps what is newer ends what is there [SESS-09 SESS-10 SESS-13]', async () => {
    const { first, visit } = await twoRequests()
    const token = await new Csrf(first).token()
    await authentication.logout(first, new Authentication(), { keepNewer: true })

    const session = visit((await first.commit()) ?? '')

    assert.equal(await authentication.identifier(session), null)
    assert.equal(await new Csrf(session).verify(token), false)
    assert.deepEqual(await session.get('cart'), ['apple'])
  })

  it('a logout that finds an ended session, and keeps what is newer, ends nothing [R-05]', async () => {
    const { first, visit, cookie: earlier } = await twoRequests()
    await authentication.login(first, new Authentication(), 'u2', {})
    const cookie = (await first.commit()) ?? ''
    const late = visit(earlier)

    await authentication.logout(late, new Authentication(), { keepNewer: true })
    await late.commit()

    assert.equal(await authentication.identifier(visit(cookie)), 'u2')
  })

  for (const order of ['before', 'after']) {
    it(`a sign-out ${order} it in the same request ends what is newer, too [R-05]`, async () => {
      const { first, second, visit } = await twoRequests()
      await authentication.login(first, new Authentication(), 'u2', {})
      const cookie = (await first.commit()) ?? ''
      for (const keepNewer of order === 'before' ? [false, true] : [true, false])
        await authentication.logout(second, new Authentication(), { keepNewer })

      await second.commit()

      assert.equal(await authentication.identifier(visit(cookie)), null)
    })
  }

  for (const [deed, expected] of [
    ['is read', null],
    ['is given a new identifier', 'renewed'],
    ['is signed out', 'renewed'],
    ['is destroyed', 'ended'],
  ] as const)
    it(`tells what became of the identifier of a session that ${deed} [R-05]`, async () => {
      const { first, visit, cookie } = await twoRequests()
      if (deed === 'is given a new identifier') await first.regenerateId()
      if (deed === 'is signed out') await authentication.logout(first, new Authentication())
      if (deed === 'is destroyed') await first.destroy()
      await first.commit()

      assert.equal(await authentication.endOf(visit(cookie)), expected)
      assert.equal(await authentication.endOf(visit('')), null)
    })

  it('a logout ends the identity also at the end of several rotations [SESS-09]', async () => {
    const { first, second, visit } = await twoRequests()
    await authentication.logout(second, new Authentication())
    let cookie = ''
    await first.regenerateId()
    cookie = (await first.commit()) ?? ''
    for (let i = 0; i < 5; i++) {
      const later = visit(cookie)
      await later.regenerateId()
      cookie = (await later.commit()) ?? ''
    }

    await second.commit()

    assert.equal(await authentication.identifier(visit(cookie)), null)
  })

  it('of two concurrent logins one wins, and the other does not remove it [R-06 HOLD-20]', async () => {
    const { first, second, visit } = await twoRequests()
    await authentication.login(first, new Authentication(), 'u2', {})
    await authentication.login(second, new Authentication(), 'u3', {})

    const cookie = await first.commit()
    await second.commit()

    assert.equal(await authentication.identifier(visit(cookie ?? '')), 'u2')
  })

  for (const [what, isLogout] of [
    ['a login', false],
    ['a login after a logout in one request', true],
  ] as const) {
    it(`${what} that loses against a rotation leaves nobody signed in [SESS-09 R-05]`, async () => {
      const { first, second, visit } = await twoRequests()
      const auth = new Authentication()
      await first.regenerateId()
      if (isLogout) await authentication.logout(second, auth)
      await authentication.login(second, auth, 'u2', {})

      const cookie = await first.commit()
      const nothing = await second.commit()

      assert.equal(nothing, null)
      const session = visit(cookie ?? '')
      assert.equal(await authentication.identifier(session), null)
      assert.deepEqual(await session.get('cart'), ['apple'])
    })
  }

  for (const seconds of [29, 30, 3600]) {
    const outcome = seconds < 30 ? 'is done' : 'is refused and not told to be done'
    it(`a logout that comes ${seconds} seconds after a rotation by another request ${outcome} [R-05]`, async () => {
      const { first, second, visit } = await twoRequests()
      await first.regenerateId()
      await authentication.logout(second, new Authentication())
      const cookie = (await first.commit()) ?? ''
      clock.advance(seconds)

      const leaving = second.commit()

      if (seconds < 30) assert.equal(await leaving, null)
      else await assert.rejects(leaving, { status: 503 })
      const identifier = await authentication.identifier(visit(cookie))
      assert.equal(identifier, seconds < 30 ? null : 'u1')
    })
  }

  for (const [what, seconds] of [
    ['evicted', 5],
    ['swept by a clock that was set back', -3600],
  ] as const) {
    for (const end of ['logout', 'destroy'] as const) {
      it(`a ${end} whose session was moved, and its trace ${what}, is not confirmed [HOLD-50 R-05]`, async () => {
        const store = new ForgetfulStore({ clock })
        const { first, second, visit } = await twoRequests(store)
        await first.regenerateId()
        if (end === 'logout') await authentication.logout(second, new Authentication())
        else await second.destroy()
        const cookie = (await first.commit()) ?? ''
        clock.advance(seconds)
        store.forget()

        await assert.rejects(second.commit(), { status: 503 })

        clock.advance(-seconds)
        store.remember()
        assert.equal(await authentication.identifier(visit(cookie)), 'u1')
      })
    }
  }

  it('confirms the end of a session that expired during the request', async () => {
    const { first, visit } = await twoRequests()
    await first.regenerateId()
    const cookie = (await first.commit()) ?? ''
    clock.advance(7190)
    const last = visit(cookie)
    await last.destroy()
    clock.advance(10)

    assert.equal(await last.commit(), '')
  })

  it('adds nothing that the loser set to the session of the winner', async () => {
    const { first, second, visit } = await twoRequests()
    await first.regenerateId()
    await second.regenerateId()
    await second.set('late', 1)
    await second.remove('cart')

    const cookie = (await first.commit()) ?? ''
    await second.commit()

    assert.equal(await visit(cookie).has('late'), false)
    assert.equal(await visit(cookie).has('cart'), false)
    assert.equal(await visit(cookie).get('_auth'), 'u1')
  })

  it('destroys the session even when another request has rotated it', async () => {
    const { first, second, visit } = await twoRequests()
    await first.regenerateId()
    await second.destroy()

    const cookie = (await first.commit()) ?? ''
    const expired = await second.commit()

    assert.equal(expired, '')
    assert.equal(await visit(cookie).has('_auth'), false)
  })

  it('a removal without a rotation follows as well', async () => {
    const { first, second, visit } = await twoRequests()
    await first.regenerateId()
    await second.remove('cart')

    const cookie = (await first.commit()) ?? ''
    await second.commit()

    assert.equal(await visit(cookie).has('cart'), false)
  })
})
