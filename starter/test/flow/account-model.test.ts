import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { PasswordReset } from '../../identity/recovery/password-reset.ts'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { type Answer, Model } from './model.ts'
import { Program } from './program.ts'

// Each run has a database of its own. More runs: FLOW_RUNS=2000; a failure prints the seed to repeat it with.
const RUNS = Number(process.env['FLOW_RUNS'] ?? 12)
const BROWSERS = 3
const NAMES = ['ada', 'bob', 'eve'] as const
type Name = (typeof NAMES)[number]
const TOKENS = '/account/security/tokens'

type Action =
  | { readonly do: 'sign-in'; readonly browser: number; readonly who: Name }
  | { readonly do: 'confirm'; readonly browser: number; readonly isRight: boolean; readonly step: -2 | 0 }
  | { readonly do: 'logout' | 'make' | 'look' | 'others' | 'all'; readonly browser: number }
  | { readonly do: 'revoke' | 'keep'; readonly browser: number; readonly token: number }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'enable'; readonly who: Name; readonly enabled: boolean }
  | { readonly do: 'change' | 'reset'; readonly who: Name }

const browser = fc.nat(BROWSERS - 1)
const who = fc.constantFrom<Name>('ada', 'ada', 'bob', 'eve')
const token = fc.nat(3)

const single: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('sign-in' as const), browser, who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('confirm' as const),
      browser,
      isRight: fc.constantFrom(true, true, false),
      step: fc.constantFrom<-2 | 0>(0, 0, -2),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('make', 'make', 'look', 'logout'), browser }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('others', 'all'), browser }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('revoke', 'keep', 'keep'), browser, token }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(30, 30, 299, 300) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enable' as const), who, enabled: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('change', 'reset'), who }) },
)

function enter(tab: number, name: Name): readonly Action[] {
  // Every code works once, so the next one is waited for.
  return [
    { do: 'wait', seconds: 30 },
    { do: 'logout', browser: tab },
    { do: 'sign-in', browser: tab, who: name },
  ]
}

const others = fc.constantFrom('others' as const, 'all' as const)
const changes = fc.constantFrom('change' as const, 'reset' as const)
const stale = fc.constantFrom(299, 300)

// What people and attackers do, in several steps. Blind single steps hardly ever get that far.
const habit: fc.Arbitrary<readonly Action[]> = fc.oneof(
  { weight: 4, arbitrary: single.map((one) => [one]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who)
      .map(([tab, name]): readonly Action[] => [...enter(tab, name), { do: 'make', browser: tab }]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, browser, who, others)
      .map(([one, two, name, what]): readonly Action[] => [
        ...enter(one, name),
        ...enter(two, name),
        { do: what, browser: two },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, changes, token, who)
      .map(([tab, name, what, index, owner]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'make', browser: tab },
        { do: what, who: name },
        ...enter(tab, owner),
        { do: 'keep', browser: tab, token: index },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, stale, fc.boolean())
      .map(([tab, name, seconds, isRight]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'wait', seconds },
        { do: 'make', browser: tab },
        { do: 'confirm', browser: tab, isRight, step: 0 },
        { do: 'make', browser: tab },
      ]),
  },
)

class Walk {
  readonly #world: World
  readonly #people: ReadonlyMap<string, Person>
  readonly #browsers: readonly Browser[]
  readonly #model: Model
  readonly #tokens: { readonly text: string; readonly id: string }[] = []

  private constructor(world: World, people: ReadonlyMap<string, Person>) {
    this.#world = world
    this.#people = people
    this.#browsers = Array.from({ length: BROWSERS }, () => world.browser())
    this.#model = new Model(world.clock.timestamp(), BROWSERS, { ada: true, eve: true, bob: false })
  }

  static async create(test: TestContext): Promise<Walk> {
    const world = await World.create(test)
    await world.app.boot()
    const people = new Map<string, Person>()
    for (const name of NAMES)
      people.set(name, await world.person(name, { factor: name === 'bob' ? 'none' : 'enabled' }))
    return new Walk(world, people)
  }

  async take(next: Action): Promise<void> {
    if (next.do === 'wait') await this.#wait(next.seconds)
    else if ('who' in next && !('browser' in next)) await this.#administer(next)
    else await this.#drive(next)
    await this.#compare()
  }

  async #drive(next: Action & { readonly browser: number }): Promise<void> {
    const driven = this.#browser(next.browser)
    this.#model.visit(next.browser)
    // A fresh token of the page: a refused one is another test's business.
    if ((await driven.open('/login')).location === '/account') await driven.open('/account')
    const [expected, page] = await this.#act(next, driven)
    const location = page.location?.replace(/\?.*/, '') ?? null
    assert.deepEqual({ status: page.status, location }, expected, next.do)
  }

  async #act(
    next: Action & { readonly browser: number },
    driven: Browser,
  ): Promise<readonly [Answer, { readonly status: number; readonly location: string | null }]> {
    const { browser: index } = next
    const model = this.#model
    if (next.do === 'sign-in') return this.#signIn(next.who, index, driven)
    if (next.do === 'confirm') return this.#confirm(next, driven)
    if (next.do === 'logout') return [model.logout(index), await driven.submit('/logout')]
    if (next.do === 'others') return [model.endOthers(index), await driven.submit('/account/sessions/others')]
    if (next.do === 'all') return [model.endAll(index), await driven.submit('/account/sessions/all')]
    if (next.do === 'look')
      return [
        model.withProofs(index, true, () => ({ status: 200, location: null })),
        await driven.open(`${TOKENS}/new`),
      ]
    if (!('token' in next)) return this.#make(index, driven)
    const { id = 'none' } = this.#tokens[next.token] ?? {}
    if (next.do === 'revoke')
      return [model.revokeToken(index, next.token), await driven.submit(`${TOKENS}/${id}/revoke`)]
    return [model.confirmToken(index, next.token), await driven.submit(`${TOKENS}/${id}/confirm`)]
  }

  // Through both doors, as far as the rules let it.
  async #signIn(
    name: Name,
    index: number,
    driven: Browser,
  ): Promise<readonly [Answer, { readonly status: number; readonly location: string | null }]> {
    const person = this.#person(name)
    const first = this.#model.password(index, name, true)
    const page = await driven.submit('/login', { email: person.email, password: PASSWORD })
    if (first.location !== '/login/2fa') return [first, page]
    assert.equal(page.location, '/login/2fa')
    return [this.#model.code(index, this.#step()), await driven.code(await this.#world.code(person))]
  }

  async #confirm(
    next: Action & { readonly do: 'confirm' },
    driven: Browser,
  ): Promise<readonly [Answer, { readonly status: number; readonly location: string | null }]> {
    const state = this.#model.state(next.browser)
    // Whoever is not signed in sends ada's code: it must open nothing.
    const owner = this.#person(state.kind === 'authenticated' ? state.who : 'ada')
    const code = owner.secret === undefined ? '' : await this.#world.code(owner, next.step)
    const expected = this.#model.confirm(next.browser, next.isRight, this.#step() + next.step)
    const password = next.isRight ? PASSWORD : 'wrong'
    const fields = { return_url: `${TOKENS}/new`, password, code }
    return [expected, await driven.submit('/account/confirm', fields)]
  }

  async #make(
    index: number,
    driven: Browser,
  ): Promise<readonly [Answer, { readonly status: number; readonly location: string | null }]> {
    const expected = this.#model.makeToken(index)
    const page = await driven.submit(`${TOKENS}/new`, { label: 'x', days: '30', 'scopes[]': [''] })
    const [text] = /sallyport_[0-9A-Za-z]{49}/.exec(page.html) ?? []
    if (text !== undefined) {
      const rows = await this.#world.database.selectFrom('api_token').select('id').execute()
      const known = new Set(this.#tokens.map(({ id }) => id))
      const id = rows.map((row) => row.id).find((each) => !known.has(each)) ?? ''
      this.#tokens.push({ text, id })
    }
    return [expected, page]
  }

  async #wait(seconds: number): Promise<void> {
    this.#world.clock.advance(seconds)
    this.#model.now += seconds
    // Keeps the sessions: when they end is another test's business.
    for (const each of this.#browsers) await each.open('/account')
  }

  async #administer(next: Action & { readonly who: Name }): Promise<void> {
    const { id, email } = this.#person(next.who)
    if (next.do === 'enable') {
      const state = next.enabled ? 'active' : 'disabled'
      await this.#world.database.updateTable('account').set({ state }).where('id', '=', id).execute()
      this.#model.setEnabled(next.who, next.enabled)
    } else if (next.do === 'change') {
      await this.#world.identity.users.endSessions(id)
      this.#model.changeCredentials(next.who)
    } else await this.#reset(next.who, email)
  }

  // A link that is not sent resets nothing: of a disabled account, or after too many of them.
  async #reset(name: Name, email: string): Promise<void> {
    const resets = this.#world.app.get(PasswordReset)
    const request = await resets.request(email, '').catch(() => undefined)
    if (request?.kind !== 'known') return
    const passwordHash = await this.#world.hasher.hash(PASSWORD)
    if ((await resets.reset(request.token, { passwordHash, clientAddress: '' })) === undefined) return
    this.#model.reset(name)
  }

  async #compare(): Promise<void> {
    for (const [index, each] of this.#browsers.entries()) {
      const state = this.#model.state(index)
      const session = each.sessionId === undefined ? {} : await each.session()
      assert.equal(session['_auth'], state.kind === 'authenticated' ? this.#person(state.who).id : undefined)
      assert.equal(await each.isSignedIn(), this.#model.isSignedIn(index))
      this.#model.visit(index)
    }
    for (const [index, { text }] of this.#tokens.entries()) {
      const { status, headers } = await new Program(this.#world, text).get('/me')
      assert.equal(status, this.#model.useToken(index), `token ${index}`)
      assert.deepEqual(headers.getSetCookie(), [])
    }
    assert.deepEqual(this.#world.faults, [])
  }

  #step(): number {
    return Math.floor(this.#model.now / 30)
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

describe('the rules of an account', () => {
  it('RA-1401, RA-1601, RA-1901, RA-3001, RA-3002: hold after every step of any sequence, in every browser and program', async (test) => {
    const sequences = fc.array(habit, { minLength: 6, maxLength: 12, size: 'max' })
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const walk = await Walk.create(test)
      for (const next of sequence.flat()) await walk.take(next)
    })

    await fc.assert(property, { numRuns: RUNS, endOnFailure: false })
  })
})
