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
import { generate } from 'otplib/functional'
import { Secret } from 'sallyport'
import { PasswordReset } from '../../identity/recovery/password-reset.ts'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { authenticatorSubject, factorSubject } from '../../identity/limits/limits.ts'
import { type Act, type Action, ATTACK, BROWSERS, habit, NAMES, type Name } from './account-habits.ts'
import { AccountModel } from './account-model.ts'
import { REACHED } from './account-outcomes.ts'
import type { Answer, LinkKind } from './model-state.ts'
import { codesOf } from './newcomer.ts'
import { NEW_PASSKEY, PASSKEY_DOOR, PASSKEY_SIGN_IN } from './passkey-steps.ts'
import { Program } from './program.ts'
import { type TypedCode, WalkDevices } from './walk-devices.ts'
import { WalkMails } from './walk-mails.ts'

const [runs = 100, seed = 1] = process.argv.slice(2).map(Number)
const TOKENS = '/account/security/tokens'
const RECOVERY = '/login/2fa/recovery'
const SECURITY = '/account/security'
const ADD_COUNTER = '/account/security/add-counter'
const CONFIRM = '/account/confirm'
const PASSWORDS = [PASSWORD, 'a quiet orchard in the rain', 'seven grey herons at low tide'] as const
// The page that costs least, of those that need a login and nothing else.
const INSIDE = '/account/address/sent'
const DAY_SECONDS = 24 * 60 * 60
const OPERATOR = { by: { kind: 'operator', name: 'olga' }, reason: 'lost the phone' } as const

// What came of the steps.
const outcomes = new Map<string, number>()

type Came = { readonly status: number; readonly location: string | null }
type Only<Do extends string> = Extract<Act, { readonly do: Do }>
type LinkAct = 'unlock' | 'use-address' | 'use-restore' | 'stay' | 'use-lost' | 'stop-lost'
type OwnAct = Only<LinkAct | 'new-password' | 'new-address' | 'delete' | 'lose' | 'continue'>
type AdministratorAct = Extract<Action, { readonly who: Name }> & { readonly browser?: never }

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
  readonly #browsers: Browser[]
  readonly #model: AccountModel
  readonly #mails: WalkMails
  readonly #run: number
  readonly #tokens: { readonly text: string; readonly id: string }[] = []
  readonly #keys: Key[] = []
  readonly #codes: string[] = []
  readonly #enrolling = new Map<number, Enrolling>()
  readonly #devices: WalkDevices
  #addresses = 0

  private constructor(world: World, people: Map<Name, Person>, run: number) {
    this.#world = world
    this.#people = people
    this.#run = run
    this.#mails = new WalkMails(world)
    this.#browsers = Array.from({ length: BROWSERS }, () => world.browser())
    this.#model = new AccountModel(world.clock.timestamp(), BROWSERS, { ada: true, eve: true, bob: false })
    this.#devices = new WalkDevices(world, this.#model)
  }

  // All sequences share one application: each has accounts of its own.
  static async create(world: World, run: number): Promise<Walk> {
    const people = new Map<Name, Person>()
    for (const name of NAMES)
      people.set(name, await world.person(`${name}${run}`, { factor: name === 'bob' ? 'none' : 'enabled' }))
    return new Walk(world, people, run)
  }

  async take(next: Action): Promise<void> {
    if (next.do === 'wait') this.#wait(next.seconds)
    else if (next.do === 'sleep') this.#sleep(next.days)
    else if (next.do === 'erase') await this.#erase()
    else if ('browser' in next) await this.#drive(next)
    else await this.#administer(next)
    this.#mails.collect()
    assert.deepEqual(this.#mails.counts(), this.#model.linkCounts(), `the mails after ${next.do}`)
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
    note(`${next.do} ${page.status}${location === null ? '' : ` ${location}`}`)
  }

  async #act(next: Act, driven: Browser): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const model = this.#model
    switch (next.do) {
      case 'password':
        return this.#password(next, driven)
      case 'code':
      case 'count':
        return this.#code(next, driven)
      case 'recover':
        return this.#recover(next, driven)
      case 'key':
      case 'key-alone':
      case 'remove-key':
        return this.#useKeys(next, driven)
      case 'add-key':
        return this.#addKey(index, driven)
      case 'add-counter':
        return this.#addCounter(index, driven)
      case 'remove-counter':
        return this.#removeCounter(index, driven)
      case 'enroll':
        return this.#enroll(index, driven)
      case 'leave':
        return [model.leaveEnrollment(index), await driven.submit('/enroll/cancel')]
      case 'confirm':
        return this.#confirm(next, driven)
      case 'confirm-key':
        return this.#confirmByKey(next, driven)
      case 'confirm-recovery':
        return this.#confirmByRecovery(next, driven)
      case 'logout':
        return [model.logout(index), await driven.submit('/logout')]
      case 'others':
        return [model.endOthers(index), await driven.submit('/account/sessions/others')]
      case 'all':
        return [model.endAll(index), await driven.submit('/account/sessions/all')]
      case 'renew':
        return this.#renew(index, driven)
      case 'make':
      case 'look':
      case 'revoke':
      case 'keep':
        return this.#useTokens(next, driven)
      default:
        return this.#own(next, driven)
    }
  }

  // What owners do with their account, and what mails make of it.
  async #own(next: OwnAct, driven: Browser): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const model = this.#model
    switch (next.do) {
      case 'new-password': {
        const password = PASSWORDS[next.password]
        return [
          model.changePassword(index, next.password),
          await driven.submit('/account/password', { password }),
        ]
      }
      case 'new-address': {
        const state = model.state(index)
        const email = this.#emailOf(
          state.kind === 'authenticated' ? state.who : 'ada',
          (this.#addresses += 1),
        )
        return [
          model.changeAddress(index, this.#addresses),
          await driven.submit('/account/address', { email }),
        ]
      }
      case 'delete': {
        const state = model.state(index)
        const email = this.#emailOf(state.kind === 'authenticated' ? state.who : 'ada')
        return [model.askDeletion(index), await driven.submit('/account/delete', { email })]
      }
      case 'lose':
        return [model.lose(index), await driven.submit('/lost')]
      case 'continue':
        return this.#continue(index, driven)
      default:
        return this.#useLink(next, driven)
    }
  }

  async #useLink(next: Only<LinkAct>, driven: Browser): Promise<readonly [Answer, Came]> {
    const model = this.#model
    const uses: Readonly<Record<LinkAct, readonly [LinkKind, (index: number) => Answer]>> = {
      unlock: ['unlock', (index) => model.unlock(next.browser, index)],
      'use-address': ['address', (index) => model.useAddressLink(next.browser, index)],
      'use-restore': ['restore', (index) => model.useRestoreLink(index)],
      stay: ['keep', (index) => model.useKeepLink(index)],
      'use-lost': ['lost', (index) => model.confirmLoss(index)],
      'stop-lost': ['lost-stop', (index) => model.stopLoss(index)],
    }
    const [kind, use] = uses[next.do]
    const { index, path } = this.#mails.link(kind, next.link)
    await driven.open(path)
    return [use(index), await driven.submit(path)]
  }

  async #password(next: Only<'password'>, driven: Browser): Promise<readonly [Answer, Came]> {
    const { browser: index, who: name, typed } = next
    const model = this.#model
    const isFormer = typed === 'former address' && model.addressOf(name) !== 0
    const address = isFormer ? model.addressOf(name) - 1 : model.addressOf(name)
    const isRight = typed !== 'other password'
    const expected = model.password(index, name, { isRight, address })
    const password = PASSWORDS[(model.passwordOf(name) + (isRight ? 0 : 1)) % PASSWORDS.length]
    this.#mails.collect()
    const page = await driven.submit('/login', {
      email: this.#emailOf(name, address),
      password: password ?? '',
    })
    this.#noteEnrollment(expected, { index, name })
    return [expected, page]
  }

  // The number of mails is limited, and without one an enrollment does not go on.
  #noteEnrollment(expected: Answer, { index, name }: { readonly index: number; readonly name: Name }): void {
    const link = this.#mails.collect()
    if (expected.location === '/enroll') this.#enrolling.set(index, { name, link })
  }

  async #continue(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const state = this.#model.state(index)
    const expected = this.#model.continueLoss(index)
    this.#mails.collect()
    const page = await driven.submit('/lost/continue')
    if (state.kind === 'pending') this.#noteEnrollment(expected, { index, name: toName(state.who) })
    return [expected, page]
  }

  async #code(next: Only<'code' | 'count'>, driven: Browser): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const model = this.#model
    const state = model.state(index)
    // Whoever is not pending sends a code of ada: it must open nothing.
    const name = toName(state.kind === 'pending' ? state.who : 'ada')
    const { digits, code } = await this.#devices.typed(this.#person(name), name, next)
    if (state.kind === 'pending' && model.hasApp(name) && model.counterOf(name) !== undefined)
      await driven.submit('/login/2fa/choose', {
        factor: await this.#devices.idOf(this.#person(name), digits.device),
      })
    return [model.code(index, digits), await driven.submit('/login/2fa', { code })]
  }

  async #recover(next: Only<'recover'>, driven: Browser): Promise<readonly [Answer, Came]> {
    const { index, code } = this.#recoveryCode(next.code)
    return [this.#model.recover(next.browser, index), await driven.submit(RECOVERY, { code })]
  }

  // The last codes that were shown, so that codes of a set that was replaced are tried too.
  #recoveryCode(age: number): { readonly index: number; readonly code: string } {
    const index = this.#codes.length - 1 - age
    return { index, code: this.#codes[index] ?? '0000-0000-0000' }
  }

  async #useKeys(
    next: Only<'key' | 'key-alone' | 'remove-key'>,
    driven: Browser,
  ): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const key = this.#keys.length - 1 - next.key
    const { authenticator, id = 'none' } = this.#keys[key] ?? {}
    if (next.do === 'remove-key')
      return [this.#model.removeKey(index, key), await driven.submit(`/account/passkeys/${id}/remove`)]
    const isAlone = next.do === 'key-alone'
    const { html } = await driven.open(isAlone ? '/login' : PASSKEY_DOOR)
    const isAsked = html.includes('data-options="')
    const response = isAsked && authenticator !== undefined ? authenticator.respond(html) : '{}'
    const expected = isAlone ? this.#model.signInByKey(index, key) : this.#model.useKey(index, key)
    return [expected, await driven.submit(isAlone ? PASSKEY_SIGN_IN : PASSKEY_DOOR, { response })]
  }

  async #addKey(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const authenticator = new SoftwareAuthenticator()
    const expected = this.#model.addKey(index)
    const opened = await driven.open(NEW_PASSKEY)
    const response = opened.status === 200 ? authenticator.register(opened.html) : '{}'
    if (opened.status !== 200) await driven.open(INSIDE)
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

  // One for each account: a second one is only looked for.
  async #addCounter(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const state = this.#model.state(index)
    const name = toName(state.kind === 'authenticated' ? state.who : 'ada')
    if (this.#model.counterOf(name) !== undefined) return this.#look(index, driven)
    const expected = this.#model.addCounter(index)
    const opened = await driven.open(ADD_COUNTER)
    const key = secretIn(opened.html)
    if (key === undefined) {
      await driven.open(INSIDE)
      return [expected, await driven.submit(ADD_COUNTER, { label: 'Token', code: '000000' })]
    }
    const code = await generate({ strategy: 'hotp', secret: key, counter: 0 })
    const page = await driven.submit(ADD_COUNTER, { label: 'Token', code })
    this.#devices.keep(name, new Secret(key))
    this.#codes.push(...codesOf(page))
    return [expected, page]
  }

  async #removeCounter(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const state = this.#model.state(index)
    const name = toName(state.kind === 'authenticated' ? state.who : 'ada')
    const id = await this.#devices.idOf(this.#person(name), 'counter')
    return [this.#model.removeCounter(index), await driven.submit(`${SECURITY}/factors/${id}/remove`)]
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
    const key = secretIn(html)
    assert.ok(key !== undefined, 'the page shows a key')
    const person = { ...this.#person(name), secret: new Secret(key) }
    const expected = this.#model.enroll(index, this.#step())
    const page = await driven.submit('/enroll', { code: await this.#world.code(person) })
    this.#people.set(name, person)
    this.#codes.push(...codesOf(page))
    return [expected, page]
  }

  async #confirm(next: Only<'confirm'>, driven: Browser): Promise<readonly [Answer, Came]> {
    const name = this.#insider(next.browser)
    const typed: TypedCode =
      next.device === 'app' ? { do: 'code', isRight: true, step: next.step } : { do: 'count', skip: 1 }
    const { digits, code } = await this.#devices.typed(this.#person(name), name, typed)
    const password = this.#passwordOf(name, next.isRight)
    const expected = this.#model.confirm(next.browser, next.isRight, digits)
    const fields = { return_url: `${TOKENS}/new`, password, code }
    return [expected, await driven.submit(CONFIRM, fields)]
  }

  async #confirmByKey(next: Only<'confirm-key'>, driven: Browser): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const key = this.#keys.length - 1 - next.key
    if (this.#model.takesKey(index, key)) note('confirm-key taken')
    const return_url = `${TOKENS}/new`
    const { html } = await driven.open(`${CONFIRM}?return_url=${encodeURIComponent(return_url)}`)
    const authenticator = html.includes('data-options="') ? this.#keys[key]?.authenticator : undefined
    const response = authenticator?.respond(html) ?? '{}'
    const expected = this.#model.confirmByKey(index, key)
    return [expected, await driven.submit(`${CONFIRM}/passkey`, { return_url, response })]
  }

  async #confirmByRecovery(
    next: Only<'confirm-recovery'>,
    driven: Browser,
  ): Promise<readonly [Answer, Came]> {
    const { index, code } = this.#recoveryCode(next.code)
    const password = this.#passwordOf(this.#insider(next.browser), next.isRight)
    const fields = { return_url: '/account/recovery-codes', password, recovery_code: code }
    const expected = this.#model.confirmByRecovery(next.browser, next.isRight, index)
    return [expected, await driven.submit(CONFIRM, fields)]
  }

  // Whoever is not signed in sends what is ada's: it must open nothing.
  #insider(index: number): Name {
    const state = this.#model.state(index)
    return toName(state.kind === 'authenticated' ? state.who : 'ada')
  }

  #passwordOf(name: Name, isRight: boolean): string {
    return isRight ? (PASSWORDS[this.#model.passwordOf(name)] ?? '') : 'wrong'
  }

  async #useTokens(
    next: Only<'make' | 'look' | 'revoke' | 'keep'>,
    driven: Browser,
  ): Promise<readonly [Answer, Came]> {
    const { browser: index } = next
    const model = this.#model
    if (next.do === 'make') return this.#make(index, driven)
    if (next.do === 'look') return this.#look(index, driven)
    const { id = 'none' } = this.#tokens[next.token] ?? {}
    if (next.do === 'revoke')
      return [model.revokeToken(index, next.token), await driven.submit(`${TOKENS}/${id}/revoke`)]
    return [model.confirmToken(index, next.token), await driven.submit(`${TOKENS}/${id}/confirm`)]
  }

  async #look(index: number, driven: Browser): Promise<readonly [Answer, Came]> {
    const page = { isRead: true, isForLoss: false }
    const expected = this.#model.withProofs(index, page, () => ({ status: 200, location: null }))
    return [expected, await driven.open(`${TOKENS}/new`)]
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

  // Less than a session lasts, and the pages that are opened after each step keep it: when it ends is another test's business.
  #wait(seconds: number): void {
    this.#world.clock.advance(seconds)
    this.#model.now += seconds
  }

  // Long enough for every session to end.
  #sleep(days: number): void {
    this.#world.clock.advance(days * DAY_SECONDS)
    this.#model.now += days * DAY_SECONDS
    this.#enrolling.clear()
    for (const index of this.#browsers.keys()) {
      this.#browsers[index] = this.#world.browser()
      this.#model.forgetSession(index)
    }
  }

  async #erase(): Promise<void> {
    await this.#world.identity.erasure.run()
    this.#model.erase(NAMES)
  }

  async #administer(next: AdministratorAct): Promise<void> {
    const { id } = this.#person(next.who)
    if (this.#model.isErased(next.who)) return
    if (next.do === 'attack') await this.#attack(next.who)
    else if (next.do === 'enable') {
      const state = next.enabled ? 'active' : 'disabled'
      await this.#world.database.updateTable('account').set({ state }).where('id', '=', id).execute()
      this.#model.setEnabled(next.who, next.enabled)
    } else if (next.do === 'change') {
      await this.#world.identity.users.endSessions(id)
      this.#model.changeCredentials(next.who)
    } else if (next.do === 'take-away') {
      await this.#world.identity.administration.resets.reset(OPERATOR, id)
      this.#model.resetFactors(next.who)
    } else await this.#reset(next.who, this.#emailOf(next.who))
  }

  // Somebody elsewhere has guessed: as many wrong codes are on record.
  async #attack(name: Name): Promise<void> {
    const { id } = this.#person(name)
    const app = this.#model.hasApp(name)
      ? [authenticatorSubject(await this.#devices.idOf(this.#person(name), 'app'))]
      : []
    const at = this.#world.clock.timestamp()
    const rows = [factorSubject(id), ...app].flatMap((subject) =>
      Array.from({ length: ATTACK }, () => ({ subject, at, judged: 1 })),
    )
    await this.#world.database.insertInto('attempt').values(rows).execute()
    this.#model.attack(name, ATTACK)
  }

  // A link that is not sent resets nothing: of a disabled account, or after too many of them.
  async #reset(name: Name, email: string): Promise<void> {
    const resets = this.#world.app.get(PasswordReset)
    const request = await resets.request(email, { clientAddress: '', device: '' }).catch(() => undefined)
    if (request?.kind !== 'known') return
    const passwordHash = await this.#world.hasher.hash(PASSWORD)
    if ((await resets.reset(request.token, { passwordHash, clientAddress: '', device: '' })) === undefined)
      return
    this.#model.reset(name)
  }

  async #compare(): Promise<void> {
    for (const [index, each] of this.#browsers.entries()) {
      const state = this.#model.state(index)
      const session = each.sessionId === undefined ? {} : await each.session()
      assert.equal(session['_auth'], state.kind === 'authenticated' ? this.#person(state.who).id : undefined)
      assert.ok(!('_auth' in session) || !('_2fa' in session || 'enrollment' in session))
      // Without an identity in the session there is nobody to be.
      const isSignedIn = '_auth' in session && (await each.open(INSIDE)).status === 200
      assert.equal(isSignedIn, this.#model.isSignedIn(index))
      this.#model.visit(index)
    }
    for (const [index, { text }] of this.#tokens.entries()) {
      const { status, headers } = await new Program(this.#world, text).get('/me')
      assert.equal(status, this.#model.useToken(index), `token ${index}`)
      assert.deepEqual(headers.getSetCookie(), [])
    }
    assert.deepEqual(this.#world.faults, [])
  }

  #emailOf(name: string, address: number = this.#model.addressOf(name)): string {
    return address === 0
      ? `${name}${this.#run}@example.test`
      : `${name}${this.#run}-${address}@new.example.test`
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

function note(outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

function toName(who: string): Name {
  const name = NAMES.find((each) => each === who)
  assert.ok(name !== undefined)
  return name
}

function secretIn(html: string): string | undefined {
  return /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '')
}

const directory = mkdtempSync(join(tmpdir(), 'sallyport-walk-'))
const hooks: (() => void | Promise<void>)[] = []
const world = await World.open({ after: (hook) => void hooks.push(hook) }, directory)
await world.app.boot()
let run = 0
const sequences = fc.array(habit, { minLength: 2, maxLength: 4, size: 'max' })
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
