/**
 * Several requests of the browsers of one account at once, some of which end its sessions. Judged by what must hold whatever
 * order they come and leave in.
 *
 * @module
 */
import assert from 'node:assert/strict'
import type { Clock } from 'sallyport'
import { AccountSessions, Authentication, SessionAuthentication } from 'sallyport/auth'
import { SessionPolicy, type SessionStore } from 'sallyport/session'
import { type CookieChange, RequestSession } from '../../../src/session/internal.ts'

/**
 * What a request does. `loginAgain` is a logout and a login of the same account, `fail` a login whose response becomes an
 * error after the session was written.
 */
export type Deed =
  | 'read'
  | 'write'
  | 'rotate'
  | 'logout'
  | 'login'
  | 'loginAgain'
  | 'loginEve'
  | 'loginFresh'
  | 'fail'
  | 'list'
  | 'end'
  | 'endOthers'
  | 'endAll'
  | 'expire'

/** All of them. */
export const DEEDS: readonly Deed[] = [
  'read',
  'write',
  'rotate',
  'logout',
  'login',
  'loginAgain',
  'loginEve',
  'loginFresh',
  'fail',
  'list',
  'end',
  'endOthers',
  'endAll',
  'expire',
]

/** A request: its browser, the phone or the laptop of the account, and what it does. */
export interface Step {
  readonly browser: number
  readonly deed: Deed
}

/** Where a trial runs. */
export interface Ground {
  readonly store: SessionStore
  readonly clock: Clock
  /** Moves the clock to where every session has expired. */
  readonly expire: () => void
}

// Patient: the machine may be busy with other tests.
const POLICY = new SessionPolicy({ storeTimeoutMilliseconds: 60_000 })
const BROWSERS = 2
const login = new SessionAuthentication()

/** One trial: two browsers of one account, and one of another that nobody may touch. */
export class Trial {
  readonly #ground: Ground
  // Checks go past the gates of the ground.
  readonly #plain: Ground
  readonly #ada: string
  readonly #eve: string
  // What each browser sends: all requests of a trial send the identifiers from its start.
  readonly #sent: string[] = []
  readonly #handles: string[] = []
  readonly #cookies: string[] = []
  #bystander = ''
  readonly #ended = new Set<string>()
  readonly #faults: string[] = []
  readonly #lists: (readonly string[])[] = []

  /**
   * @param ground Where requests run.
   * @param plain The same store without gates.
   * @param number Makes the accounts of the trial its own.
   */
  constructor(ground: Ground, plain: Ground, number: string) {
    this.#ground = ground
    this.#plain = plain
    this.#ada = `ada ${number}`
    this.#eve = `eve ${number}`
  }

  /** Signs the browsers in. */
  async begin(): Promise<void> {
    for (let browser = 0; browser < BROWSERS; browser++) {
      this.#sent.push(await this.#signIn(this.#ada))
      this.#handles.push((await this.#handleOf(this.#sent[browser] ?? '', this.#ada)) ?? 'none')
    }
    this.#bystander = await this.#signIn(this.#eve)
  }

  /** One request from its first moment to its last. */
  async run({ browser, deed }: Step): Promise<void> {
    if (deed === 'expire') return this.#ground.expire()
    const session = this.#visit(this.#ground, deed === 'loginFresh' ? undefined : this.#sent[browser])
    const who = await login.identifier(session)
    const verdict = await this.#act(session, who, { browser, deed })
    const change = session.seal() ? await session.commit() : null
    this.#keep(deed === 'fail' ? await session.takeBack() : change)
    if (verdict !== null) await this.#assertEnded(verdict)
  }

  /** Fails unless everything holds that must when all requests have ended. */
  async judge(steps: readonly Step[], said: string): Promise<void> {
    const deeds = new Set(steps.map(({ deed }) => deed))
    const live = await this.#liveHandles()
    const listed = await this.#list()
    const fail = (what: string): never =>
      assert.fail(`${what}: ${steps.map(({ browser, deed }) => `${browser} ${deed}`).join(', ')} (${said})`)
    for (const fault of this.#faults) fail(fault)
    if (new Set(live).size !== live.length) fail('two identifiers of one session are live')
    if (listed.join() !== live.toSorted().join())
      fail(`the list has ${listed.join()}, live are ${live.join()}`)
    const [ofEve, liveOfEve] = [await this.#list(this.#eve), await this.#liveHandles(this.#eve)]
    if (ofEve.join() !== liveOfEve.toSorted().join()) fail('the list of the other account is wrong')
    for (const handle of this.#ended) if (live.includes(handle)) fail('an ended session is back')
    if (deeds.has('expire')) return
    for (const handles of this.#lists)
      for (const handle of this.#handles)
        if (live.includes(handle) && !handles.includes(handle)) fail('a list missed a live session')
    if ((await this.#handleOf(this.#bystander, this.#eve)) === null)
      fail('a session of another account ended')
    for (const [browser, handle] of this.#handles.entries())
      if (!mayEnd(steps, browser) && !live.includes(handle)) fail('a session ended that nobody ended')
  }

  // What the deed has ended when it returns; null when it ends nothing.
  async #act(
    session: RequestSession,
    who: string | null,
    { browser, deed }: Step,
  ): Promise<readonly string[] | null> {
    const sessions = this.#sessions(this.#ground)
    const [ada, other] = [this.#ada, this.#handles[1 - browser] ?? '']
    switch (deed) {
      case 'write':
        await session.set('note', 1)
        return null
      case 'rotate':
        await session.regenerateId()
        return null
      case 'logout':
        await login.logout(session, new Authentication())
        return null
      case 'login':
      case 'loginFresh':
      case 'fail':
        await login.login(session, new Authentication(), ada, {}, [], { details: { deed } })
        return null
      case 'loginAgain':
        await login.logout(session, new Authentication())
        await login.login(session, new Authentication(), ada, {})
        return null
      case 'loginEve':
        await login.login(session, new Authentication(), this.#eve, {})
        return null
      case 'list':
        this.#lists.push((await sessions.list(ada)).map(({ handle }) => handle))
        return null
      case 'end':
        await sessions.end(ada, other)
        return [other]
      case 'endAll':
        await sessions.endAll(ada)
        return this.#handles
      case 'endOthers':
        if (who !== ada) return null
        await sessions.endOthers(session, ada)
        return [other]
      default:
        return null
    }
  }

  async #assertEnded(handles: readonly string[]): Promise<void> {
    for (const handle of handles) this.#ended.add(handle)
    const left = await this.#list()
    if (handles.some((handle) => left.includes(handle)))
      this.#faults.push('a session is listed after its end')
    const live = await this.#liveHandles()
    if (handles.some((handle) => live.includes(handle))) this.#faults.push('a session is live after its end')
  }

  // Handles of the identifiers that answer as the account, each as often as it is live.
  async #liveHandles(identifier: string = this.#ada): Promise<string[]> {
    const handles = await Promise.all(this.#cookies.map((cookie) => this.#handleOf(cookie, identifier)))
    return handles.filter((handle) => handle !== null)
  }

  async #list(identifier: string = this.#ada): Promise<string[]> {
    return (await this.#sessions(this.#plain).list(identifier)).map(({ handle }) => handle).toSorted()
  }

  #handleOf(cookie: string, identifier: string): Promise<string | null> {
    return this.#visit(this.#plain, cookie).accountHandle(identifier)
  }

  async #signIn(identifier: string): Promise<string> {
    const session = this.#visit(this.#plain, undefined)
    await login.login(session, new Authentication(), identifier, {})
    session.seal()
    const cookie = await session.commit()
    assert.ok(cookie !== null && cookie !== '')
    this.#keep(cookie)
    return cookie
  }

  #keep(change: CookieChange): void {
    if (change !== null && change !== '') this.#cookies.push(change)
  }

  #sessions({ store, clock }: Ground): AccountSessions {
    return new AccountSessions(store, POLICY, clock)
  }

  #visit({ store, clock }: Ground, cookie: string | undefined): RequestSession {
    return new RequestSession({ store, clock, policy: POLICY }, cookie)
  }
}

// Whether some request may end the session of a browser, or give it to another account.
function mayEnd(steps: readonly Step[], browser: number): boolean {
  const own: readonly Deed[] = ['logout', 'loginEve', 'fail']
  return steps.some(({ browser: by, deed }) =>
    by === browser ? own.includes(deed) || deed === 'endAll' : ['end', 'endOthers', 'endAll'].includes(deed),
  )
}
