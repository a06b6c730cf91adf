import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { Model } from './model.ts'
import type { Answer } from './model-state.ts'

// Each run has a database of its own. More runs: FLOW_RUNS=2000; a failure prints the seed to repeat it with.
const RUNS = Number(process.env['FLOW_RUNS'] ?? 12)
const BROWSERS = 2
// A session dated further ahead than clocks differ is over.
const MAX_SKEW_SECONDS = 60
const NAMES = ['ada', 'eve', 'bob'] as const
type Name = (typeof NAMES)[number]
/** Steps from the present one, or a code of no step. */
type Step = -2 | -1 | 0 | 1 | 'none'

type Action =
  | { readonly do: 'password'; readonly browser: number; readonly who: Name; readonly isRight: boolean }
  | { readonly do: 'code'; readonly browser: number; readonly step: Step }
  | { readonly do: 'page' | 'cancel' | 'logout'; readonly browser: number }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'jump'; readonly seconds: number }
  | { readonly do: 'enable'; readonly who: Name; readonly enabled: boolean }
  | { readonly do: 'change'; readonly who: Name }

const browser = fc.nat(BROWSERS - 1)
// Mostly one account, or the limits are never reached.
const who = fc.constantFrom<Name>('ada', 'ada', 'ada', 'bob', 'eve')
const step = fc.constantFrom<Step>(-2, -1, 0, 0, 0, 1, 'none')
const seconds = fc.constantFrom(1, 29, 30, 30, 299, 300, 899, 900)

// What a clock that is set does, both ways: the last digit of a second up to years.
const jump = fc
  .constantFrom(1, 10, 30, 90, 300, 900, 3600, 86_400, 31_536_000)
  .chain((by) => fc.constantFrom(by, -by))

const single: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('password' as const), browser, who, isRight: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('code' as const), browser, step }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('page', 'cancel', 'logout'), browser }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change' as const), who }) },
)

// What people and attackers do, in several steps. Blind single steps hardly ever get that far.
const jumping: fc.Arbitrary<readonly Action[]> = fc
  .record({ do: fc.constant('jump' as const), seconds: jump })
  .map((one) => [one])

const habit: fc.Arbitrary<readonly Action[]> = fc.oneof(
  { weight: 4, arbitrary: single.map((one) => [one]) },
  { weight: 3, arbitrary: fc.tuple(browser, who, step).map(([tab, name, code]) => signIn(tab, name, code)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.integer({ min: 2, max: 5 }))
      .map(([tab, name, times]) => guess(tab, name, times)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.record({ do: fc.constant('password' as const), browser, who, isRight: fc.constant(false) }),
        fc.nat(6),
      )
      .map(([wrong, times]) => Array.from({ length: times }, () => wrong)),
  },
  { weight: 1, arbitrary: who.map((name) => outage(name)) },
)

function signIn(tab: number, name: Name, code: Step): readonly Action[] {
  return [
    { do: 'logout', browser: tab },
    { do: 'password', browser: tab, who: name, isRight: true },
    { do: 'code', browser: tab, step: code },
  ]
}

function guess(tab: number, name: Name, times: number): readonly Action[] {
  const codes = Array.from({ length: times }, (): Action => ({ do: 'code', browser: tab, step: 'none' }))
  return [...signIn(tab, name, 'none'), ...codes.slice(1)]
}

function outage(name: Name): readonly Action[] {
  return [
    { do: 'enable', who: name, enabled: false },
    { do: 'password', browser: 0, who: 'eve', isRight: true },
    { do: 'code', browser: 1, step: 0 },
    { do: 'enable', who: name, enabled: true },
  ]
}

class Run {
  readonly #world: World
  readonly #people: ReadonlyMap<string, Person>
  readonly #browsers: Browser[]
  readonly #model: Model

  private constructor(world: World, people: ReadonlyMap<string, Person>) {
    this.#world = world
    this.#people = people
    this.#browsers = Array.from({ length: BROWSERS }, () => world.browser())
    this.#model = new Model(world.clock.timestamp(), BROWSERS, { ada: true, eve: true, bob: false })
  }

  static async create(test: TestContext): Promise<Run> {
    const world = await World.create(test)
    const people = new Map<string, Person>()
    for (const name of NAMES)
      people.set(name, await world.person(name, { factor: name === 'bob' ? 'none' : 'enabled' }))
    return new Run(world, people)
  }

  async take(next: Action): Promise<void> {
    if (next.do === 'wait') return this.#wait(next.seconds)
    if (next.do === 'jump') return this.#jump(next.seconds)
    if (next.do === 'enable') return this.#enable(next.who, next.enabled)
    if (next.do === 'change') return this.#change(next.who)
    const driven = this.#browser(next.browser)
    this.#model.visit(next.browser)
    const before = this.#model.state(next.browser)
    // A fresh token: a refused one is another test's business.
    if ((await driven.open('/login')).location === '/account') await driven.open('/account')

    let expected: Answer
    let page: { readonly status: number; readonly location: string | null }
    if (next.do === 'password') {
      expected = this.#model.password(next.browser, next.who, { isRight: next.isRight })
      const password = next.isRight ? PASSWORD : 'wrong'
      page = await driven.submit('/login', { email: this.#person(next.who).email, password })
    } else if (next.do === 'code') {
      // Whoever is not pending sends ada's code: it must open nothing.
      const owner = this.#person(before.kind === 'pending' ? before.who : 'ada')
      const code =
        next.step === 'none' ? await this.#world.wrongCode(owner) : await this.#codeOf(owner, next.step)
      const at = next.step === 'none' ? null : Math.floor(this.#model.now / 30) + next.step
      expected = this.#model.code(next.browser, { device: 'app', at })
      page = await driven.submit('/login/2fa', { code })
    } else if (next.do === 'page') {
      expected = this.#model.challengePage(next.browser)
      page = await driven.open('/login/2fa')
    } else {
      expected = next.do === 'cancel' ? this.#model.cancel(next.browser) : this.#model.logout(next.browser)
      page = await driven.submit(next.do === 'cancel' ? '/login/2fa/cancel' : '/logout')
    }
    assert.deepEqual({ status: page.status, location: page.location }, expected)
    await this.#compare()
  }

  // A sequence in which a code near it has the same digits, as one in a million has, is left out.
  async #codeOf(owner: Person, step: number): Promise<string> {
    const near = [-2, -1, 0, 1].filter((other) => other !== step)
    const others = await Promise.all(near.map((other) => this.#world.code(owner, other)))
    const code = await this.#world.code(owner, step)
    fc.pre(!others.includes(code))
    return code
  }

  async #wait(seconds: number): Promise<void> {
    this.#world.clock.advance(seconds)
    this.#model.now += seconds
    // Keeps the sessions: when they end is another test's business.
    for (const each of this.#browsers) await each.open('/account')
    await this.#compare()
  }

  // Setting the clock may end a session. In any case nobody gets further, and limits stay unchanged.
  async #jump(seconds: number): Promise<void> {
    this.#world.clock.advance(seconds)
    this.#model.now += seconds
    for (const index of this.#browsers.keys()) {
      const each = this.#browser(index)
      // Before the application sees it, which dates anew what goes on.
      const began = (await each.sessionBegan()) ?? this.#model.now
      await each.open('/account')
      const session = each.sessionId === undefined ? {} : await each.session()
      if (began > this.#model.now + MAX_SKEW_SECONDS) await this.#assertOver(each)
      else if ('_auth' in session || '_2fa' in session) continue
      this.#browsers[index] = this.#world.browser()
      this.#model.leave(index)
    }
    await this.#compare()
  }

  // The store may hold a session that is over until its next sweep. Nothing in it counts any more.
  async #assertOver(held: Browser): Promise<void> {
    assert.equal(await held.isSignedIn(), false)
    assert.equal((await held.open('/login/2fa')).location, '/login')
  }

  async #enable(name: Name, enabled: boolean): Promise<void> {
    const state = enabled ? 'active' : 'disabled'
    await this.#world.database
      .updateTable('account')
      .set({ state })
      .where('id', '=', this.#person(name).id)
      .execute()
    this.#model.setEnabled(name, enabled)
    await this.#compare()
  }

  // As by a change of the password, of the factors, or the end of all sessions.
  async #change(name: Name): Promise<void> {
    await this.#world.identity.users.endSessions(this.#person(name).id)
    this.#model.changeCredentials(name)
    await this.#compare()
  }

  async #compare(): Promise<void> {
    for (const [index, each] of this.#browsers.entries()) {
      const state = this.#model.state(index)
      const session = each.sessionId === undefined ? {} : await each.session()
      const pending = session['_2fa'] as { readonly identifier: string } | undefined
      assert.equal(session['_auth'], state.kind === 'authenticated' ? this.#person(state.who).id : undefined)
      assert.equal(pending?.identifier, state.kind === 'pending' ? this.#person(state.who).id : undefined)
      assert.equal(await each.isSignedIn(), this.#model.isSignedIn(index))
      this.#model.visit(index)
    }
    assert.deepEqual(this.#world.faults, [])
  }

  #browser(index: number): Browser {
    const found = this.#browsers[index]
    assert.ok(found !== undefined)
    return found
  }

  #person(name: string): Person {
    const found = this.#people.get(name)
    assert.ok(found !== undefined)
    return found
  }
}

describe('the login rules', () => {
  it('hold whenever and however far the clock is set [HOLD-50 FLOW-01 FLOW-02 FLOW-05 FACTOR-18 RA-3001 RA-3002]', async (test) => {
    const habits = fc.array(fc.oneof({ weight: 3, arbitrary: habit }, { weight: 2, arbitrary: jumping }), {
      minLength: 10,
      maxLength: 20,
      size: 'max',
    })
    const property = fc.asyncProperty(habits, async (sequence) => {
      const run = await Run.create(test)
      for (const next of sequence.flat()) await run.take(next)
    })

    await fc.assert(property, { numRuns: RUNS, endOnFailure: false })
  })
})
