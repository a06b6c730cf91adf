import { Limit } from 'sallyport-app/limits'
import {
  AUTHENTICATOR_LIMIT,
  CHALLENGE_ATTEMPTS,
  ENROLLMENT_SECONDS,
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  PENDING_LOGIN_SECONDS,
} from '../../core/limits/limits.ts'
import { MAIL_PASSWORD_SECONDS } from '../../core/accounts/mail-password.ts'
import {
  ANONYMOUS,
  answer,
  type Answer,
  type Asked,
  type Device,
  type Digits,
  type Known,
  leadsTo,
  type State,
  type StateOf,
} from './model-state.ts'

/** What the link of a mail about a lock gives its browser: five tries. */
export const UNLOCKED_LIMIT: Limit = new Limit('unlocked', 5)
const DAY_SECONDS = 24 * 3600
const LOGIN = leadsTo('/login')

const DEVICES: readonly Device[] = ['app', 'spare']

/** The login rules, written down a second time and as plainly as possible: a test compares the application to this. */
export class Model {
  now: number
  protected readonly browsers: State[]
  readonly #accounts: ReadonlyMap<string, Known>
  readonly #failures = new Map<string, Failures>()

  /**
   * @param now Unix timestamp.
   * @param browsers How many browsers there are.
   * @param accounts Names, and whether each has an app.
   */
  constructor(now: number, browsers: number, accounts: Readonly<Record<string, boolean>>) {
    this.now = now
    this.browsers = Array.from({ length: browsers }, () => ANONYMOUS)
    this.#accounts = new Map(Object.entries(accounts).map(([name, hasApp]) => [name, newAccount(hasApp)]))
  }

  state(browser: number): State {
    return this.browsers[browser] ?? ANONYMOUS
  }

  isSignedIn(browser: number): boolean {
    return this.inside(browser) !== undefined
  }

  /** A request that loads the account: a session that was begun with other credentials ends. */
  visit(browser: number): void {
    const state = this.state(browser)
    if (state.kind !== 'authenticated') return
    const account = this.account(state.who)
    if (mayEnter(account) && account.version !== state.version) this.leave(browser)
  }

  changeCredentials(who: string): void {
    this.account(who).version += 1
  }

  /** The session of a browser has ended, as one may when the clock is set. */
  leave(browser: number): void {
    this.browsers[browser] = ANONYMOUS
  }

  setEnabled(who: string, enabled: boolean): void {
    this.account(who).enabled = enabled
  }

  /** `address`: which of the addresses of the account was typed. Default: the present one. */
  password(browser: number, who: string, typed: { isRight: boolean; address?: number }): Answer {
    if (this.state(browser).kind === 'authenticated') return this.outside(browser)
    this.browsers[browser] = ANONYMOUS
    const account = this.account(who)
    const { isRight, address = account.address } = typed
    const subject = `password ${who} ${address}`
    if (this.isLocked(subject, PASSWORD_LIMIT)) return answer(429)
    if (!isRight || address !== account.address || !mayEnter(account)) {
      this.fail(subject, PASSWORD_LIMIT)
      return answer(422)
    }
    if (this.hasFactor(who)) return this.#wait(browser, who, '/login/2fa')
    if (!account.mustEnroll) return this.complete(browser, who, this.now)
    return this.hasMailPassword(who)
      ? this.#wait(browser, who, '/lost')
      : this.beginEnrollment(browser, who, false)
  }

  #wait(browser: number, who: string, page: string): Answer {
    const { version } = this.account(who)
    const until = this.now + PENDING_LOGIN_SECONDS
    this.browsers[browser] = { kind: 'pending', who, version, until, tries: 0 }
    return leadsTo(page)
  }

  /** Whether the password was set by a link in a mail lately: then password and mailbox are one proof. */
  protected hasMailPassword(who: string): boolean {
    const { mailPasswordAt } = this.account(who)
    return mailPasswordAt !== undefined && mailPasswordAt > this.now - MAIL_PASSWORD_SECONDS
  }

  /** A code at the second door, of any device. */
  code(browser: number, digits: Digits): Answer {
    const state = this.live(browser)
    if (state === undefined) return this.outside(browser)
    const { who } = state
    // No attempt: there is nothing to compare it with.
    if (!DEVICES.some((device) => this.hasDevice(who, device))) return leadsTo('/login/2fa')
    const judged = this.judge(browser, who, digits)
    if (judged === 200) return this.passDoor(browser, state)
    return judged === 429 ? answer(429) : this.missed(browser, state)
  }

  challengePage(browser: number): Answer {
    return this.live(browser) === undefined ? this.outside(browser) : answer(200)
  }

  cancel(browser: number): Answer {
    if (!this.isSignedIn(browser)) this.browsers[browser] = ANONYMOUS
    return this.outside(browser)
  }

  /** Where a sign-in begins; who is signed in is led to the account. */
  protected outside(browser: number): Answer {
    return this.isSignedIn(browser) ? leadsTo('/account') : LOGIN
  }

  logout(browser: number): Answer {
    this.browsers[browser] = ANONYMOUS
    return LOGIN
  }

  /** A factor was proven at the second door. */
  protected passDoor(browser: number, state: StateOf<'pending'>): Answer {
    return this.complete(browser, state.who, state.until - PENDING_LOGIN_SECONDS, this.now)
  }

  protected beginEnrollment(browser: number, who: string, replaces: boolean): Answer {
    const { version } = this.account(who)
    const until = this.now + ENROLLMENT_SECONDS
    const passwordAt = replaces ? undefined : this.now
    const proven = { passwordAt, factorAt: undefined }
    this.browsers[browser] = { kind: 'enrolling', who, version, until, stage: 'mail', replaces, ...proven }
    return leadsTo('/enroll')
  }

  /** A browser in which the link of a mail lifted the locks has tries of its own: the subject that they count for. */
  protected unlockOf(_browser: number, _who: string): string | undefined {
    return undefined
  }

  /** Called after each wrong code that counted for everybody; `what` was asked for: any device, or one. */
  protected wrongCode(_who: string, _what: Asked): void {
    // Locks are told by mails, of which this model knows none.
  }

  protected hasFactor(who: string): boolean {
    return this.hasDevice(who, 'app') || this.hasDevice(who, 'spare')
  }

  protected hasDevice(who: string, device: Device): boolean {
    return this.account(who)[device] !== undefined
  }

  /** A wrong code, or a wrong response of a key: the last try ends the pending login. */
  protected missed(browser: number, state: StateOf<'pending'>): Answer {
    const tries = state.tries + 1
    const isSpent = tries === CHALLENGE_ATTEMPTS
    this.browsers[browser] = isSpent ? ANONYMOUS : { ...state, tries }
    return isSpent ? LOGIN : answer(422)
  }

  protected inside(browser: number): StateOf<'authenticated'> | undefined {
    const state = this.state(browser)
    if (state.kind !== 'authenticated') return undefined
    const account = this.account(state.who)
    return mayEnter(account) && account.version === state.version ? state : undefined
  }

  /** A pending login that has expired, or whose account is gone, is ended by the next request. */
  protected live(browser: number): StateOf<'pending'> | undefined {
    const state = this.state(browser)
    if (state.kind !== 'pending') return undefined
    const left = state.until - this.now
    const account = this.account(state.who)
    const isCurrent = mayEnter(account) && account.version === state.version
    if (left > 0 && left <= PENDING_LOGIN_SECONDS && isCurrent) return state
    this.browsers[browser] = ANONYMOUS
    return undefined
  }

  /** 200 for a right code, which is used up then. The budget of the account is for all its factors, and each device has less. */
  protected judge(browser: number, who: string, digits: Digits): 200 | 422 | 429 {
    const held = DEVICES.filter((device) => this.hasDevice(who, device))
    const unlock = this.unlockOf(browser, who)
    const isOpen = (device: Device): boolean => !this.isLocked(`${device} ${who}`, AUTHENTICATOR_LIMIT)
    const compared = unlock === undefined ? held.filter(isOpen) : held
    if (unlock === undefined) {
      if (this.isLocked(`factor ${who}`, FACTOR_LIMIT)) return 429
      if (held.length > 0 && compared.length === 0) return 429
    }
    const own = compared.map((device) => `${device} ${who}`)
    if (!compared.includes(digits.device) || !this.#use(who, digits)) {
      if (unlock !== undefined) this.fail(unlock, UNLOCKED_LIMIT)
      else {
        this.fail(`factor ${who}`, FACTOR_LIMIT)
        for (const subject of own) this.fail(subject, AUTHENTICATOR_LIMIT)
        const locked = compared.find((device) => !isOpen(device))
        this.wrongCode(who, locked ?? compared[0] ?? 'any')
      }
      return 422
    }
    for (const subject of [`factor ${who}`, `${digits.device} ${who}`]) this.forget(subject)
    return 200
  }

  protected complete(browser: number, who: string, passwordAt?: number, factorAt?: number): Answer {
    const { version, address } = this.account(who)
    this.browsers[browser] = { kind: 'authenticated', who, version, passwordAt, factorAt, byRecovery: false }
    this.forget(`password ${who} ${address}`)
    return leadsTo('/account')
  }

  // What is past the window is forgotten then, so that a clock that is set back does not bring it back.
  protected fail(subject: string, limit: Limit): void {
    const { now } = this
    const { times, locks } = this.#failuresOf(subject)
    const hasLocked = times.length >= limit.failures
    const recent = hasLocked ? [] : times.filter((time) => time > now - limit.windowSeconds)
    const isNewDay = (times.at(-1) ?? 0) <= now - DAY_SECONDS
    this.#failures.set(subject, {
      times: [...recent, now],
      locks: isNewDay ? 0 : locks + Number(hasLocked),
    })
  }

  protected forget(subject: string): void {
    this.#failures.delete(subject)
  }

  protected isLocked(subject: string, limit: Limit): boolean {
    const { times, locks } = this.#failuresOf(subject)
    const length = Math.min(limit.windowSeconds * 2 ** locks, limit.maxLockSeconds)
    return times.length >= limit.failures && this.now < (times.at(-1) ?? 0) + length
  }

  // Whatever is dated in the future counts from now.
  #failuresOf(subject: string): Failures {
    const { times, locks } = this.#failures.get(subject) ?? { times: [], locks: 0 }
    const failures = { times: times.map((time) => Math.min(time, this.now)), locks }
    this.#failures.set(subject, failures)
    return failures
  }

  protected account(who: string): Known {
    const account = this.#accounts.get(who)
    if (account === undefined) throw new Error(`The model knows no ${who}`)
    return account
  }

  #use(who: string, { device, at }: Digits): boolean {
    const account = this.account(who)
    if (at === null) return false
    const app = account[device]
    if (app === undefined) return false
    const { lastStep, usedSteps } = app
    // A last step that is still to come was accepted before the clock was set back.
    const isLater = at > lastStep || lastStep > Math.floor(this.now / 30)
    if (!this.#isTolerated(at) || !isLater || usedSteps.has(at)) return false
    app.lastStep = at
    usedSteps.add(at)
    return true
  }

  // The present step, and the one before it while 29 seconds reach back to it.
  #isTolerated(step: number): boolean {
    return step >= Math.floor((this.now - 29) / 30) && step <= Math.floor(this.now / 30)
  }
}

/** @returns Whether it may sign in. */
export function mayEnter({ enabled }: Known): boolean {
  return enabled
}

/** Failures since the last lock, and how many locks there were before. */
interface Failures {
  readonly times: readonly number[]
  readonly locks: number
}

function newAccount(hasApp: boolean): Known {
  return {
    app: hasApp ? { lastStep: -1, usedSteps: new Set() } : undefined,
    spare: undefined,
    mustEnroll: false,
    enabled: true,
    version: 1,
    address: 0,
    password: 0,
    mailPasswordAt: undefined,
    recovery: undefined,
    pausedUntil: 0,
  }
}
