import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Secret } from 'sallyport'
import { Attempts } from 'sallyport-app/limits'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { PasswordReset, RESETS } from '../../core/reset/password-reset.ts'
import { type Browser, PASSWORD, type Person, type World } from '../support.ts'
import { type Act, type Action, ATTACK, BROWSERS, type Event, type Name } from './habits.ts'
import { type Account, type Answer, type Code, type Device, type Digits, GUARDED, Model } from './model.ts'
import { ADD, codesOf, CONFIRM, DOOR, RECOVERY, SECURITY, withSecretOf } from './steps.ts'

const CODES = '/account/recovery-codes'
const PASSWORDS = [PASSWORD, 'a quiet orchard in the rain', 'seven grey herons at low tide']
/** What the second app is called. */
const SPARE = 'Token'
// A session dated further ahead than clocks differ is over.
const MAX_SKEW_SECONDS = 60
// The steps that are accepted at a time, and one more on each side.
const NEAR = [-2, -1, 0, 1]
const NEVER = ['000000', '111111', '222222', '333333']

/** What the model expects, and what came of the step. */
type Came = readonly [expected: Answer, page: { readonly status: number; readonly location: string | null }]
type Typed = Extract<Act, { readonly do: 'code' | 'confirm' | 'recover' | 'confirm-recovery' }>

/** A walk: each step is taken in the application and in the model, and both are compared. */
export class Walk {
  readonly #world: World
  readonly #model: Model
  readonly #people: Readonly<Record<Name, Person>>
  readonly #outcomes: Set<string>
  readonly #browsers: Browser[]
  readonly #spares = new Map<Name, Secret>()
  readonly #codes: string[] = []

  private constructor(world: World, people: Readonly<Record<Name, Person>>, outcomes: Set<string>) {
    this.#world = world
    this.#model = new Model(world.clock)
    this.#people = people
    this.#outcomes = outcomes
    this.#browsers = Array.from({ length: BROWSERS }, () => world.browser())
  }

  /** All sequences share one application: each has accounts of its own. `outcomes`: gets what the steps come to. */
  static async create(world: World, run: number, outcomes: Set<string>): Promise<Walk> {
    const of = (name: Name): Promise<Person> =>
      world.person(`${name}${run}`, { factor: name === 'bob' ? 'none' : 'enabled' })
    return new Walk(world, { ada: await of('ada'), bob: await of('bob'), eve: await of('eve') }, outcomes)
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
    const [expected, { status, location }] = await this.#act(next, driven)
    const answer = location?.replace(/\?.*/, '') ?? status
    assert.equal(answer, expected, next.do)
    this.#outcomes.add(`${next.do} ${answer}`)
  }

  async #act(next: Act, driven: Browser): Promise<Came> {
    const { browser } = next
    const model = this.#model
    switch (next.do) {
      case 'password': {
        const [account, { email }] = [model.accounts[next.who], this.#people[next.who]]
        const password = passwordOf(account, next.isRight)
        const expected = model.password(browser, account, next.isRight)
        return [expected, await driven.submit('/login', { email, password })]
      }
      case 'code':
      case 'recover': {
        const { given, code } = await this.#codeOf(next)
        return [
          model.code(browser, given),
          await driven.submit(next.do === 'code' ? DOOR : RECOVERY, { code }),
        ]
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
        return this.#keep([model.renewCodes(browser), await driven.submit(CODES)])
      case 'add-spare':
        return this.#addSpare(browser, driven)
      case 'remove-spare': {
        const path = `${SECURITY}/factors/${await this.#idOf(this.#owner(browser), 'spare')}/remove`
        return [model.removeSpare(browser), await driven.submit(path)]
      }
      case 'new-password': {
        const password = PASSWORDS[next.password] ?? ''
        const expected = model.changePassword(browser, next.password)
        return [expected, await driven.submit('/account/password', { password })]
      }
      case 'confirm':
      case 'confirm-recovery': {
        // The password is what may be wrong here.
        const { given, code } = await this.#codeOf({ ...next, isRight: true })
        const password = passwordOf(this.#owner(browser), next.isRight)
        const fields =
          next.do === 'confirm' ? { return_url: GUARDED, code } : { return_url: CODES, recovery_code: code }
        const expected = model.confirm(browser, next.isRight, given)
        return [expected, await driven.submit(CONFIRM, { ...fields, password })]
      }
    }
  }

  // One for each account: a second one is only looked for.
  async #addSpare(browser: number, driven: Browser): Promise<Came> {
    const { name, devices } = this.#owner(browser)
    if (devices.has('spare')) return [this.#model.look(browser), await driven.open(GUARDED)]
    const expected = this.#model.addSpare(browser)
    const shown = await driven.open(ADD)
    if (shown.status !== 200) {
      await driven.open(SECURITY)
      return [expected, await driven.submit(ADD, { label: SPARE, code: '000000' })]
    }
    const added = withSecretOf(this.#people[name], shown)
    if (added.secret !== undefined) this.#spares.set(name, added.secret)
    const page = await driven.submit(ADD, { label: SPARE, code: await this.#world.code(added) })
    return this.#keep([expected, page])
  }

  // So that those of a set that was replaced are tried, too.
  #keep(came: readonly [Answer, Came[1] & { readonly html: string }]): Came {
    this.#codes.push(...codesOf(came[1]))
    return came
  }

  async #codeOf(next: Typed): Promise<{ readonly given: Code; readonly code: string }> {
    if (!('code' in next)) return this.#digits(this.#owner(next.browser), next)
    const index = this.#codes.length - 1 - next.code
    return { given: { index }, code: this.#codes[index] ?? '0000-0000-0000' }
  }

  // A sequence in which another code near it has the same digits, as one in a million has, is left out.
  async #digits(
    { name, devices }: Account,
    { device = 'app', isRight, step = 0 }: Exclude<Typed, { readonly code: number }>,
  ): Promise<{ readonly given: Digits; readonly code: string }> {
    const near = [...devices.keys()].flatMap((of) => {
      const person = this.#people[name]
      const secret = of === 'app' ? person.secret : this.#spares.get(name)
      return NEAR.map(async (at) => ({ of, at, code: await this.#world.code({ ...person, secret }, at) }))
    })
    const shown = await Promise.all(near)
    const typed = shown.find(({ of, at }) => isRight && of === device && at === step)
    fc.pre(shown.every((each) => each === typed || each.code !== typed?.code))
    const at = typed === undefined ? null : Math.floor(this.#world.clock.timestamp() / 30) + step
    const wrong = NEVER.find((code) => shown.every((each) => each.code !== code)) ?? ''
    return { given: { device, at }, code: typed?.code ?? wrong }
  }

  // Less than a session lasts, and the pages keep it: when it ends is another test's business.
  async #wait(seconds: number): Promise<void> {
    this.#world.clock.advance(seconds)
    for (const each of this.#browsers) await each.open('/account')
  }

  // Setting the clock may end a session. In any case nobody gets further, and limits stay as they are.
  async #jump(seconds: number): Promise<void> {
    const { clock } = this.#world
    clock.advance(seconds)
    this.#model.clockWasSet()
    await this.#dateBack()
    for (const [index, each] of this.#browsers.entries()) {
      // Before the application sees it, which dates anew what goes on.
      const began = (await each.sessionBegan()) ?? 0
      await each.open('/account')
      const session = await sessionOf(each)
      // The store may hold one that has ended until its next sweep. Nothing in it counts any more.
      const hasEnded = began > clock.timestamp() + MAX_SKEW_SECONDS
      if (!hasEnded && ('_auth' in session || '_2fa' in session)) continue
      assert.equal(await each.isSignedIn(), false)
      assert.equal((await each.open(DOOR)).location, '/login')
      this.#browsers[index] = this.#world.browser()
      this.#model.leave(index)
    }
  }

  // What is dated in the future counts from when it is looked at.
  async #dateBack(): Promise<void> {
    const { app, clock, database } = this.#world
    const ahead = database.selectFrom('attempt').select('subject').where('at', '>', clock.timestamp())
    const subjects = (await ahead.execute()).map(({ subject }) => ({ ...FACTOR_LIMIT.of(subject), subject }))
    await app.get(Attempts).locks(subjects)
  }

  async #happen(next: Event): Promise<void> {
    const { id } = this.#people[next.who]
    const account = this.#model.accounts[next.who]
    if (next.do === 'attack') await this.#attack(account)
    else if (next.do === 'reset') await this.#reset(account)
    else if (next.do === 'change') {
      await this.#world.identity.users.endSessions(id)
      account.version += 1
    } else if (next.do === 'enable') {
      const state = next.enabled ? 'active' : 'disabled'
      await this.#world.database.updateTable('account').set({ state }).where('id', '=', id).execute()
      account.isEnabled = next.enabled
    }
  }

  // Somebody elsewhere has guessed: as many wrong codes are on record.
  async #attack(account: Account): Promise<void> {
    const hasApp = account.devices.has('app')
    const app = hasApp ? [AUTHENTICATOR_LIMIT.of(await this.#idOf(account, 'app'))] : []
    const limited = [FACTOR_LIMIT.of(this.#people[account.name].id), ...app]
    const attempts = this.#world.app.get(Attempts)
    for (let times = 0; times < ATTACK; times += 1) await attempts.count(limited).catch(() => undefined)
    this.#model.attack(account, ATTACK)
  }

  // By a link like that of the mail, whose token is there alone.
  async #reset(account: Account): Promise<void> {
    const { app, database, clock, hasher, identity } = this.#world
    const known = await identity.users.findByEmail(this.#people[account.name].email)
    assert.ok(known !== null)
    const row = { account_id: known.id, credential_version: known.credentialVersion }
    const token = await database
      .transaction()
      .execute((within) => RESETS.make(within, row, clock.timestamp()))
    const given = { passwordHash: await hasher.hash(PASSWORD), clientAddress: '', device: '' }
    const done = await app.get(PasswordReset).reset(token, given)
    assert.equal(done !== undefined, this.#model.reset(account))
  }

  async #compare(): Promise<void> {
    for (const [index, each] of this.#browsers.entries()) {
      const state = this.#model.state(index)
      const id = state && this.#people[state.account.name].id
      const session = await sessionOf(each)
      const pending = session['_2fa'] as { readonly identifier: string } | undefined
      assert.equal(session['_auth'], state?.kind === 'authenticated' ? id : undefined)
      if (pending !== undefined || state?.kind === 'pending')
        assert.equal(pending?.identifier, state?.kind === 'pending' ? id : undefined)
      // Without an identity in the session there is nobody to be.
      const isSignedIn = '_auth' in session && (await each.open(SECURITY)).status === 200
      assert.equal(isSignedIn, this.#model.isSignedIn(index))
      this.#model.visit(index)
    }
    assert.deepEqual(this.#world.faults, [])
  }

  /** Whose browser it is; without a login ada's proofs are sent, which must open nothing. */
  #owner(browser: number): Account {
    return this.#model.state(browser)?.account ?? this.#model.accounts.ada
  }

  async #idOf({ name }: Account, device: Device): Promise<string> {
    const list = await this.#world.identity.factors.list(this.#people[name].id)
    return list.find(({ label }) => (label === SPARE) === (device === 'spare'))?.id ?? 'none'
  }

  #browser(index: number): Browser {
    const found = this.#browsers[index]
    assert.ok(found !== undefined)
    return found
  }
}

async function sessionOf(browser: Browser): Promise<Readonly<Record<string, unknown>>> {
  return browser.sessionId === undefined ? {} : browser.session()
}

/** The present password of an account, or a wrong one. */
function passwordOf({ password }: Account, isRight: boolean): string {
  return PASSWORDS[(password + (isRight ? 0 : 1)) % PASSWORDS.length] ?? ''
}
