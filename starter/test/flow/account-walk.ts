/**
 * Random sequences of what happens to accounts, each compared with the model after every step: `node account-walk.ts RUNS SEED`.
 * Its own process, because the hooks of the test runner take as long as the requests. A failure prints the shortest sequence.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Secret } from 'sallyport'
import { PasswordReset } from '../../identity/recovery/password-reset.ts'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { type Act, type Action, BROWSERS, habit, NAMES, type Name } from './account-habits.ts'
import { type Answer, Model } from './model.ts'
import { codesOf } from './newcomer.ts'
import { NEW_PASSKEY, PASSKEY_DOOR, PASSKEY_SIGN_IN } from './passkey-steps.ts'
import { Program } from './program.ts'

const [runs = 100, seed = 1] = process.argv.slice(2).map(Number)
const TOKENS = '/account/security/tokens'
const RECOVERY = '/login/2fa/recovery'
const OPERATOR = { by: { kind: 'operator', name: 'olga' }, reason: 'lost the phone' } as const

// What came of the steps, so that a walk that gets nowhere is noticed.
const outcomes = new Map<string, number>()
const REACHED = [
  'password 303 /account',
  'password 303 /login/2fa',
  'password 303 /enroll',
  'code 303 /account',
  'code 422',
  'recover 303 /account',
  'recover 422',
  'key 303 /account',
  'key 422',
  'key-alone 303 /account',
  'key-alone 303 /login',
  'add-key 200',
  'add-key 303 /account/security',
  'add-key 303 /account/confirm',
  'remove-key 303 /account/security',
  'renew 200',
  'enroll 303 /enroll',
  'enroll 200',
  'enroll 303 /account',
  'enroll 303 /login',
  'confirm 303 /account/security/tokens/new',
  'confirm 422',
  'make 200',
  'make 303 /account/confirm',
  'keep 303 /account/security/tokens',
  'all 303 /account/sessions/ended',
]

type Came = { readonly status: number; readonly location: string | null }
type Only<Do extends string> = Extract<Act, { readonly do: Do }>

interface Key {
  readonly authenticator: SoftwareAuthenticator
  /** Reference of the passkey. */
  readonly id: string
}

/** What a browser knows of an enrollment that it began. */
interface Enrolling {
  readonly name: Name
  readonly link: string
}

class Walk {
  readonly #world: World
  readonly #people: Map<Name, Person>
  readonly #browsers: readonly Browser[]
  readonly #model: Model
  readonly #tokens: { readonly text: string; readonly id: string }[] = []
  readonly #keys: Key[] = []
  readonly #codes: string[] = []
  readonly #enrolling = new Map<number, Enrolling>()

  private constructor(world: World, people: Map<Name, Person>) {
    this.#world = world
    this.#people = people
    this.#browsers = Array.from({ length: BROWSERS }, () => world.browser())
    this.#model = new Model(world.clock.timestamp(), BROWSERS, { ada: true, eve: true, bob: false })
  }

  // All sequences share one application: each has accounts of its own.
  static async create(world: World, run: number): Promise<Walk> {
    const people = new Map<Name, Person>()
    for (const name of NAMES)
      people.set(name, await world.person(`${name}${run}`, { factor: name === 'bob' ? 'none' : 'enabled' }))
    return new Walk(world, people)
  }

  async take(next: Action): Promise<void> {
    if (next.do === 'wait') await this.#wait(next.seconds)
    else if ('browser' in next) await this.#drive(next)
    else await this.#administer(next)
    await this.#compare()
  }

  async #drive(next: Act): Promise<void> {
    const driven = this.#browser(next.browser)
    this.#model.visit(next.browser)
    // A fresh token of the page: a refused one is another test's business.
    if ((await driven.open('/login')).location === '/account') await driven.open('/account/sessions')
    const [expected, page] = await this.#act(next, driven)
    const location = page.location?.replace(/\?.*/, '') ?? null
    assert.deepEqual({ status: page.status, location }, expected, next.do)
    const outcome = `${next.do} ${page.status}${location === null ? '' : ` ${location}`}`
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }

  async #act(next: Act, driven: Browser): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const model = this.#model
    switch (next.do) {
      case 'password':
        return this.#password(next.who, index, driven)
      case 'code':
        return this.#code(index, driven)
      case 'recover':
        return this.#recover(next, driven)
      case 'key':
      case 'key-alone':
      case 'remove-key':
        return this.#useKeys(next, driven)
      case 'add-key':
        return this.#addKey(index, driven)
      case 'enroll':
        return this.#enroll(index, driven)
      case 'leave':
        return [model.leaveEnrollment(index), await driven.submit('/enroll/cancel')]
      case 'confirm':
        return this.#confirm(next, driven)
      case 'logout':
        return [model.logout(index), await driven.submit('/logout')]
      case 'others':
        return [model.endOthers(index), await driven.submit('/account/sessions/others')]
      case 'all':
        return [model.endAll(index), await driven.submit('/account/sessions/all')]
      case 'renew':
        return this.#renew(index, driven)
      default:
        return this.#useTokens(next, driven)
    }
  }

  async #password(name: Name, index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const expected = this.#model.password(index, name, true)
    const mails = this.#world.mailbox.list()[0]
    const { email } = this.#person(name)
    const page = await driven.submit('/login', { email, password: PASSWORD })
    const [mail] = this.#world.mailbox.list()
    // The number of mails is limited, and without one an enrollment does not go on.
    const link = mail === mails ? '' : (/\/enroll\/confirm\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? '')
    if (expected.location === '/enroll') this.#enrolling.set(index, { name, link })
    return [expected, page]
  }

  async #code(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const state = this.#model.state(index)
    // Whoever is not pending sends ada's code: it must open nothing.
    const owner = this.#person(state.kind === 'pending' ? state.who : 'ada')
    const code = owner.secret === undefined ? '' : await this.#world.code(owner)
    const expected = this.#model.code(index, this.#step())
    // This page has a form for whoever is at the second door.
    await driven.open(RECOVERY)
    return [expected, await driven.submit('/login/2fa', { code })]
  }

  async #recover(next: Only<'recover'>, driven: Browser): Promise<readonly [Answer, Came]> {
    // The last codes that were shown, so that codes of a set that was replaced are tried too.
    const index = this.#codes.length - 1 - next.code
    const expected = this.#model.recover(next.browser, index)
    await driven.open(RECOVERY)
    return [expected, await driven.submit(RECOVERY, { code: this.#codes[index] ?? 'none' })]
  }

  async #useKeys(
    next: Only<'key' | 'key-alone' | 'remove-key'>,
    driven: Browser,
  ): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const { authenticator, id = 'none' } = this.#keys[next.key] ?? {}
    if (next.do === 'remove-key')
      return [this.#model.removeKey(index, next.key), await driven.submit(`/account/passkeys/${id}/remove`)]
    const isAlone = next.do === 'key-alone'
    const { html } = await driven.open(isAlone ? '/login' : PASSKEY_DOOR)
    const isAsked = html.includes('data-options="')
    const response = isAsked && authenticator !== undefined ? authenticator.respond(html) : '{}'
    const expected = isAlone ? this.#model.signInByKey(index, next.key) : this.#model.useKey(index, next.key)
    return [expected, await driven.submit(isAlone ? PASSKEY_SIGN_IN : PASSKEY_DOOR, { response })]
  }

  async #addKey(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const authenticator = new SoftwareAuthenticator()
    const expected = this.#model.addKey(index)
    const opened = await driven.open(NEW_PASSKEY)
    const response = opened.status === 200 ? authenticator.register(opened.html) : '{}'
    if (opened.status !== 200) await driven.open('/account/sessions')
    const page = await driven.submit(NEW_PASSKEY, { label: 'Key', response })
    const state = this.#model.state(index)
    this.#codes.push(...codesOf(page))
    const isAdded = expected.status === 200 || expected.location === '/account/security'
    if (isAdded && state.kind === 'authenticated') {
      const list = await this.#world.identity.passkeys.list(this.#person(state.who).id)
      const added = list.find(({ credentialId }) => credentialId === authenticator.id)
      this.#keys.push({ authenticator, id: added?.id ?? 'none' })
    }
    return [expected, page]
  }

  async #renew(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const expected = this.#model.renewCodes(index)
    const page = await driven.submit('/account/recovery-codes')
    this.#codes.push(...codesOf(page))
    return [expected, page]
  }

  async #enroll(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const state = this.#model.enrollmentOf(index)
    const known = this.#enrolling.get(index)
    if (state === undefined || known === undefined || state.stage === 'proven')
      return [this.#model.enroll(index, this.#step()), await driven.submit('/enroll/done')]
    if (state.stage === 'set-up') return this.#proveFirst(index, driven, known.name)
    // Without the link nothing goes on.
    if (known.link === '') return [this.#model.leaveEnrollment(index), await driven.submit('/enroll/done')]
    await driven.open(known.link)
    return [this.#model.enroll(index, this.#step()), await driven.submit(known.link)]
  }

  async #proveFirst(index: number, driven: Browser, name: Name): Promise<readonly [Answer, Came]> {
    const { html } = await driven.open('/enroll')
    const key = /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '')
    assert.ok(key !== undefined, 'the page shows a key')
    const person = { ...this.#person(name), secret: new Secret(key) }
    const expected = this.#model.enroll(index, this.#step())
    const page = await driven.submit('/enroll', { code: await this.#world.code(person) })
    this.#people.set(name, person)
    this.#codes.push(...codesOf(page))
    return [expected, page]
  }

  async #confirm(next: Only<'confirm'>, driven: Browser): Promise<readonly [Answer, Came]> {
    const state = this.#model.state(next.browser)
    // Whoever is not signed in sends ada's code: it must open nothing.
    const owner = this.#person(state.kind === 'authenticated' ? state.who : 'ada')
    const code = owner.secret === undefined ? '' : await this.#world.code(owner, next.step)
    const expected = this.#model.confirm(next.browser, next.isRight, this.#step() + next.step)
    const password = next.isRight ? PASSWORD : 'wrong'
    const fields = { return_url: `${TOKENS}/new`, password, code }
    return [expected, await driven.submit('/account/confirm', fields)]
  }

  async #useTokens(
    next: Only<'make' | 'look' | 'revoke' | 'keep'>,
    driven: Browser,
  ): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const model = this.#model
    if (next.do === 'make') return this.#make(index, driven)
    if (next.do === 'look')
      return [
        model.withProofs(index, true, () => ({ status: 200, location: null })),
        await driven.open(`${TOKENS}/new`),
      ]
    const { id = 'none' } = this.#tokens[next.token] ?? {}
    if (next.do === 'revoke')
      return [model.revokeToken(index, next.token), await driven.submit(`${TOKENS}/${id}/revoke`)]
    return [model.confirmToken(index, next.token), await driven.submit(`${TOKENS}/${id}/confirm`)]
  }

  async #make(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const expected = this.#model.makeToken(index)
    const page = await driven.submit(`${TOKENS}/new`, { label: 'x', days: '30', 'scopes[]': [''] })
    const [text] = /sallyport_[0-9A-Za-z]{49}/.exec(page.html) ?? []
    const state = this.#model.state(index)
    if (text !== undefined && state.kind === 'authenticated') {
      const rows = await this.#world.database
        .selectFrom('api_token')
        .select('id')
        .where('account_id', '=', this.#person(state.who).id)
        .execute()
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
    for (const each of this.#browsers) await each.open('/account/sessions')
  }

  async #administer(next: Exclude<Action, Act | { readonly do: 'wait' }>): Promise<void> {
    const { id, email } = this.#person(next.who)
    if (next.do === 'enable') {
      const state = next.enabled ? 'active' : 'disabled'
      await this.#world.database.updateTable('account').set({ state }).where('id', '=', id).execute()
      this.#model.setEnabled(next.who, next.enabled)
    } else if (next.do === 'change') {
      await this.#world.identity.users.endSessions(id)
      this.#model.changeCredentials(next.who)
    } else if (next.do === 'take-away') {
      await this.#world.identity.administration.resets.reset(OPERATOR, id)
      this.#model.resetFactors(next.who)
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
      assert.ok(!('_auth' in session) || !('_2fa' in session || 'enrollment' in session))
      const page = await each.client.get('/account/sessions')
      await page.body?.cancel()
      assert.equal(page.status === 200, this.#model.isSignedIn(index))
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
    const found = this.#people.get(name as Name)
    assert.ok(found !== undefined)
    return found
  }
}

const directory = mkdtempSync(join(tmpdir(), 'sallyport-walk-'))
const hooks: (() => void | Promise<void>)[] = []
const world = await World.open({ after: (hook) => void hooks.push(hook) }, directory)
await world.app.boot()
let run = 0
const sequences = fc.array(habit, { minLength: 2, maxLength: 5, size: 'max' })
const property = fc.asyncProperty(sequences, async (sequence) => {
  world.faults.length = 0
  const walk = await Walk.create(world, (run += 1))
  for (const next of sequence.flat()) await walk.take(next)
})
try {
  await fc.assert(property, { numRuns: runs, seed })
  const { user } = process.cpuUsage()
  const counted = [...outcomes].toSorted().map(([outcome, count]) => `${outcome}: ${count}`)
  process.stdout.write(
    `${run} sequences, ${Math.round(user / 1e6)} s of processor time\n${counted.join('\n')}\n`,
  )
  const missed = REACHED.filter((outcome) => !outcomes.has(outcome))
  assert.ok(runs < 500 || missed.length === 0, `never: ${missed.join(', ')}`)
} finally {
  for (const hook of hooks) await hook()
  rmSync(directory, { recursive: true })
}
