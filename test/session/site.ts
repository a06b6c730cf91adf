/**
 * Requests with their cookies, for tests of sessions.
 *
 * @module
 */
import { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy } from '../../src/session/index.ts'
import { FrozenClock } from '../../src/testing/index.ts'
import { SpyStore } from './spy-store.ts'

/** Requests of any browsers to one application. */
export class Site {
  readonly clock: FrozenClock = new FrozenClock()
  readonly store: SpyStore = new SpyStore(this.clock)

  request(cookie?: string, policy: SessionPolicy = new SessionPolicy()): RequestSession {
    return new RequestSession({ store: this.store, policy, clock: this.clock }, cookie)
  }

  /** The cookie of a new session with one entry. */
  async live(): Promise<string> {
    const session = this.request()
    await session.set('a', 1)
    const cookie = (await session.commit()) ?? ''
    this.store.reset()
    return cookie
  }

  /** A cookie whose session another request rotated a moment ago. */
  async ended(): Promise<string> {
    const cookie = await this.live()
    const rotating = this.request(cookie)
    await rotating.regenerateId()
    await rotating.commit()
    this.store.reset()
    return cookie
  }
}
