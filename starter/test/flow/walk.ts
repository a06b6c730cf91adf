import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Secret } from 'sallyport'
import { Attempts } from 'sallyport-app/limits'
import {
  AUTHENTICATOR_LIMIT,
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  RECOVERY_LIMIT,
} from '../../core/limits/limits.ts'
import { PasswordReset, RESETS } from '../../core/reset/password-reset.ts'
import { type Browser, PASSWORD, type Person, type World } from '../support.ts'
import { type Act, type Action, ATTACK, BROWSERS, type Event, NAMES, type Name } from './habits.ts'
import { type Answer, type Device, type Digits, GUARDED, Model } from './model.ts'
import { codesOf, ADD, SECURITY, withSecretOf, CONFIRM } from './steps.ts'

const DOOR = '/login/2fa'
const PASSWORDS = [PASSWORD, 'a quiet orchard in the rain', 'seven grey herons at low tide']
/** What the second app is called. */
const SPARE = 'Token'
// A session dated further ahead than clocks differ is over.
const MAX_SKEW_SECONDS = 60
// The steps that are accepted at a time, and one more on each side.
const NEAR = [-2, -1, 0, 1]

/** What the model expects, and what came of the step. */
type Came = readonly [expected: Answer, page: Answer]
type Typed = Extract<Act, { readonly do: 'code' | 'confirm' }>

/** A walk: each step is taken in the application and in the model, and both are compared. */
export class Walk {
  readonly #world: World
  readonly #people: ReadonlyMap<string, Person>
  readonly #outcomes: Set<string>
  readonly #browsers: Browser[]
  readonly #model: Model
  readonly #spares = new Map<string, Secret>()
  readonly #codes: string[] = []

  private constructor(world: World, people: ReadonlyMap<string, Person>, outcomes: Set<string>) {
    this.#world = world
    this.#people = people
    this.#outcomes = outcomes
    this.#browsers = Array.from({ length: BROWSERS }, () => world.browser())
    this.#model = new Model(world.clock.timestamp(), BROWSERS, { ada: true, eve: true, bob: false })
  }

  /** All sequences share one application: each has accounts of its own. `outcomes`: gets what the steps come to. */
  static async create(world: World, run: number, outcomes: Set<string>): Promise<Walk> {
    const people = new Map<string, Person>()
    for (const name of NAMES)
      people.set(name, await world.person(`${name}${run}`, { factor: name === 'bob' ? 'none' : 'enabled' }))
    return new Walk(world, people, outcomes)
  }

  async take(next: Action): Promise<void> {
    if (next.do === 'wait') await this.#wait(next.seconds)
    else if (next.do === 'jump') await this.#jump(next.seconds)
    else if ('browser' in next) await this.#drive(next)
    else await this.#happen(next)
    await this.#compare()
  }

  async #drive(next: Act): Promise<void> {
    const driven = this.#browser(next.browser)
    this.#model.visit(next.browser)
    // A fresh token of a page: a refused one is another test's business. Who is signed in has that of the last page.
    if (!this.#model.isSignedIn(next.browser)) await driven.open('/forgot')
    const [expected, page] = await this.#act(next, driven)
    const location = page.location?.replace(/\?.*/, '') ?? null
    assert.deepEqual({ status: page.status, location }, expected, next.do)
    this.#outcomes.add(`${next.do} ${page.status}${location === null ? '' : ` ${location}`}`)
  }

  async #act(next: Act, driven: Browser): Promise<Came> {
    const { browser } = next
    const model = this.#model
    switch (next.do) {
      case 'password': {
        const { who, isRight } = next
        const fields = { email: this.#person(who).email, password: this.#passwordOf(who, isRight) }
        return [model.password(browser, who, isRight), await driven.submit('/login', fields)]
      }
      case 'code':
        return this.#code(next, driven)
      case 'recover': {
        const { index, code } = this.#recoveryCode(next.code)
        return [model.recover(browser, index), await driven.submit(`${DOOR}/recovery`, { code })]
      }
      case 'page':
        return [model.challengePage(browser), await driven.open(DOOR)]
      case 'cancel':
        return [model.cancel(browser), await driven.submit(`${DOOR}/cancel`)]
      case 'logout':
        return [model.logout(browser), await driven.submit('/logout')]
      case 'look':
        return [model.look(browser), await driven.open(GUARDED)]
      case 'renew':
        return this.#keep([model.renewCodes(browser), await driven.submit('/account/recovery-codes')])
      case 'add-spare':
        return this.#addSpare(browser, driven)
      case 'remove-spare': {
        const path = `${SECURITY}/factors/${await this.#idOf(this.#owner(browser), 'spare')}/remove`
        return [model.removeSpare(browser), await driven.submit(path)]
      }
      case 'new-password': {
        const fields = { password: PASSWORDS[next.password] ?? '' }
        return [
          model.changePassword(browser, next.password),
          await driven.submit('/account/password', fields),
        ]
      }
      default:
        return this.#confirm(next, driven)
    }
  }

  async #code(next: Typed, driven: Browser): Promise<Came> {
    const who = this.#owner(next.browser)
    const { digits, code } = await this.#digits(who, next)
    return [this.#model.code(next.browser, digits), await driven.submit(DOOR, { code })]
  }

  async #confirm(
    next: Extract<Act, { readonly do: 'confirm' | 'confirm-recovery' }>,
    driven: Browser,
  ): Promise<Came> {
    const { browser, isRight } = next
    const who = this.#owner(browser)
    const password = this.#passwordOf(who, isRight)
    if (next.do === 'confirm-recovery') {
      const { index, code } = this.#recoveryCode(next.code)
      const fields = { return_url: '/account/recovery-codes', password, recovery_code: code }
      return [this.#model.confirmByRecovery(browser, isRight, index), await driven.submit(CONFIRM, fields)]
    }
    // The password is what may be wrong here.
    const { digits, code } = await this.#digits(who, { ...next, isRight: true })
    const fields = { return_url: GUARDED, password, code }
    return [this.#model.confirm(browser, isRight, digits), await driven.submit(CONFIRM, fields)]
  }

  // One for each account: a second one is only looked for.
  async #addSpare(browser: number, driven: Browser): Promise<Came> {
    const who = this.#owner(browser)
    if (this.#model.holds(who, 'spare')) return [this.#model.look(browser), await driven.open(GUARDED)]
    const expected = this.#model.addSpare(browser)
    const shown = await driven.open(ADD)
    if (shown.status !== 200) {
      await driven.open(SECURITY)
      return [expected, await driven.submit(ADD, { label: SPARE, code: '000000' })]
    }
    const added = withSecretOf(this.#person(who), shown)
    if (added.secret !== undefined) this.#spares.set(who, added.secret)
    const page = await driven.submit(ADD, { label: SPARE, code: await this.#world.code(added) })
    return this.#keep([expected, page])
  }

  // So that those of a set that was replaced are tried, too.
  #keep<Shown extends Answer & { readonly html: string }>([expected, page]: readonly [Answer, Shown]): Came {
    this.#codes.push(...codesOf(page))
    return [expected, page]
  }

  #recoveryCode(age: number): { readonly index: number; readonly code: string } {
    const index = this.#codes.length - 1 - age
    return { index, code: this.#codes[index] ?? '0000-0000-0000' }
  }

  // A sequence in which another code near it has the same digits, as one in a million has, is left out.
  async #digits(
    who: string,
    { device = 'app', isRight, step = 0 }: Typed,
  ): Promise<{ readonly digits: Digits; readonly code: string }> {
    const near = (['app', 'spare'] as const).flatMap((each) => {
      const secret = each === 'app' ? this.#person(who).secret : this.#spares.get(who)
      if (!this.#model.holds(who, each) || secret === undefined) return []
      return NEAR.map(async (at) => ({
        device: each,
        at,
        code: await this.#world.code({ ...this.#person(who), secret }, at),
      }))
    })
    const shown = await Promise.all(near)
    const typed = shown.find(({ device: of, at }) => isRight && of === device && at === step)
    if (typed === undefined) {
      const code = ['000000', '111111', '222222', '333333'].find((each) =>
        shown.every((one) => one.code !== each),
      )
      return { digits: { device, at: null }, code: code ?? '' }
    }
    fc.pre(shown.every((each) => each === typed || each.code !== typed.code))
    return { digits: { device, at: Math.floor(this.#model.now / 30) + step }, code: typed.code }
  }

  // Less than a session lasts, and the pages keep it: when it ends is another test's business.
  async #wait(seconds: number): Promise<void> {
    this.#world.clock.advance(seconds)
    this.#model.now += seconds
    for (const each of this.#browsers) await each.open('/account')
  }

  // Setting the clock may end a session. In any case nobody gets further, and limits stay as they are.
  async #jump(seconds: number): Promise<void> {
    this.#world.clock.advance(seconds)
    this.#model.jump(seconds)
    await this.#dateBack()
    for (const index of this.#browsers.keys()) {
      const each = this.#browser(index)
      // Before the application sees it, which dates anew what goes on.
      const began = (await each.sessionBegan()) ?? this.#model.now
      await each.open('/account')
      const session = each.sessionId === undefined ? {} : await each.session()
      if (began > this.#model.now + MAX_SKEW_SECONDS) {
        // The store may hold it until its next sweep. Nothing in it counts any more.
        assert.equal(await each.isSignedIn(), false)
        assert.equal((await each.open(DOOR)).location, '/login')
      } else if ('_auth' in session || '_2fa' in session) continue
      this.#browsers[index] = this.#world.browser()
      this.#model.leave(index)
    }
  }

  // What is dated in the future counts from when it is looked at.
  async #dateBack(): Promise<void> {
    const attempts = this.#world.app.get(Attempts)
    for (const { id, email } of this.#people.values()) {
      const apps = await this.#world.identity.factors.list(id)
      const own = apps.map((app) => AUTHENTICATOR_LIMIT.of(app.id))
      for (const limited of [
        PASSWORD_LIMIT.ofAddress(email),
        FACTOR_LIMIT.of(id),
        RECOVERY_LIMIT.of(id),
        ...own,
      ])
        await attempts.lockedSeconds(limited)
    }
  }

  async #happen(next: Event): Promise<void> {
    const { id } = this.#person(next.who)
    if (next.do === 'attack') await this.#attack(next.who)
    else if (next.do === 'reset') await this.#reset(next.who)
    else if (next.do === 'change') {
      await this.#world.identity.users.endSessions(id)
      this.#model.changeCredentials(next.who)
    } else if (next.do === 'enable') {
      const state = next.enabled ? 'active' : 'disabled'
      await this.#world.database.updateTable('account').set({ state }).where('id', '=', id).execute()
      this.#model.setEnabled(next.who, next.enabled)
    }
  }

  // Somebody elsewhere has guessed: as many wrong codes are on record.
  async #attack(who: Name): Promise<void> {
    const app = this.#model.holds(who, 'app') ? [AUTHENTICATOR_LIMIT.of(await this.#idOf(who, 'app'))] : []
    const limited = [FACTOR_LIMIT.of(this.#person(who).id), ...app]
    const attempts = this.#world.app.get(Attempts)
    for (let times = 0; times < ATTACK; times += 1) await attempts.count(limited).catch(() => undefined)
    this.#model.attack(who, ATTACK)
  }

  // By a link like that of the mail, whose token is there alone.
  async #reset(who: Name): Promise<void> {
    const { app, database, clock, hasher, identity } = this.#world
    const account = await identity.users.findByEmail(this.#person(who).email)
    assert.ok(account !== null)
    const row = { account_id: account.id, credential_version: account.credentialVersion }
    const token = await database
      .transaction()
      .execute((within) => RESETS.make(within, row, clock.timestamp()))
    const given = { passwordHash: await hasher.hash(PASSWORD), clientAddress: '', device: '' }
    const done = await app.get(PasswordReset).reset(token, given)
    assert.equal(done !== undefined, this.#model.reset(who))
  }

  async #compare(): Promise<void> {
    for (const [index, each] of this.#browsers.entries()) {
      const state = this.#model.state(index)
      const session = each.sessionId === undefined ? {} : await each.session()
      const pending = session['_2fa'] as { readonly identifier: string } | undefined
      assert.equal(session['_auth'], state.kind === 'authenticated' ? this.#person(state.who).id : undefined)
      if (pending !== undefined || state.kind === 'pending')
        assert.equal(pending?.identifier, state.kind === 'pending' ? this.#person(state.who).id : undefined)
      // Without an identity in the session there is nobody to be.
      const isSignedIn = '_auth' in session && (await each.open(SECURITY)).status === 200
      assert.equal(isSignedIn, this.#model.isSignedIn(index))
      this.#model.visit(index)
    }
    assert.deepEqual(this.#world.faults, [])
  }

  /** Whose browser it is; without a login ada's proofs are sent, which must open nothing. */
  #owner(browser: number): string {
    const state = this.#model.state(browser)
    return state.kind === 'anonymous' ? 'ada' : state.who
  }

  async #idOf(who: string, device: Device): Promise<string> {
    const list = await this.#world.identity.factors.list(this.#person(who).id)
    return list.find(({ label }) => (label === SPARE) === (device === 'spare'))?.id ?? 'none'
  }

  /** The present password of an account, or a wrong one. */
  #passwordOf(who: string, isRight: boolean): string {
    return PASSWORDS[(this.#model.passwordOf(who) + (isRight ? 0 : 1)) % PASSWORDS.length] ?? ''
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
