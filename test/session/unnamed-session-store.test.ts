import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy } from '../../src/session/index.ts'
import { noStore, UnnamedSessionStore } from '../../src/session/unnamed-session-store.ts'
import { FrozenClock } from '../../src/testing/index.ts'

const REFUSAL =
  /^Error: Cannot use sessions in production without a named session store: .*definitions\.set\(SessionStore.*MemorySessionStore/

function request(cookie?: string): RequestSession {
  const services = {
    store: new UnnamedSessionStore(),
    policy: new SessionPolicy(),
    clock: new FrozenClock(),
  }
  return new RequestSession(services, cookie)
}

describe('UnnamedSessionStore', () => {
  it('refuses each operation, and says what to do', async () => {
    const store = new UnnamedSessionStore()

    for (const operation of ['read', 'create', 'update', 'rotate', 'destroy'] as const)
      await assert.rejects(store[operation](), REFUSAL)
  })

  for (const [what, cookie] of [
    ['without a cookie', undefined],
    ['with a cookie', 'a'.repeat(43)],
  ] as const) {
    it(`refuses the session of a request ${what}, whatever is called`, async () => {
      for (const use of [
        (session) => session.get('a'),
        (session) => session.has('a'),
        (session) => session.set('a', 1),
        (session) => session.remove('a'),
        (session) => session.regenerateId(),
        (session) => session.destroy(),
        (session) => session.keysFrom(''),
        (session) => session.endedSecret(),
      ] satisfies ((session: RequestSession) => Promise<unknown>)[]) {
        const session = request(cookie)

        await assert.rejects(use(session), REFUSAL)

        // Who swallows the error gets no further.
        assert.equal(session.seal(), true)
        await assert.rejects(session.commit(), REFUSAL)
      }
    })
  }

  it('has nothing to do when the session is not used', async () => {
    assert.equal(request().seal(), false)
  })

  it('says what cannot be done', () => {
    assert.match(noStore('Cannot dance').message, /^Cannot dance without a named session store: /)
  })
})
