/** The rules of signing in and of proofs, written down a second time and as plainly as possible: a walk compares the application to this. @module */
import type { Limit } from 'sallyport-app/limits'
import { RECOVERY_CODES } from '../../core/factors/recovery-codes.ts'
import {
  AUTHENTICATOR_LIMIT,
  CHALLENGE_ATTEMPTS,
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  PENDING_LOGIN_SECONDS,
  RECOVERY_LIMIT,
} from '../../core/limits/limits.ts'

const DAY_SECONDS = 24 * 3600
const STEP_UP_SECONDS = 300

/** A page that needs fresh proofs, and mends no loss: of a factor that is not there, it leads back. */
export const GUARDED = '/account/security/factors/none/rename'

/** What an answer is: its status, and where it redirects to. */
export interface Answer {
  readonly status: number
  readonly location: string | null
}

/** What makes six digits: one of two apps. */
export type Device = 'app' | 'spare'

/** Six digits, by their time step; null for digits of neither app. */
export interface Digits {
  readonly device: Device
  readonly at: number | null
}

/** What a browser's session is, as the specification names it. */
export type State =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'pending'
      readonly who: string
      readonly version: number
      readonly until: number
      readonly tries: number
    }
  | Inside

/** A session that is signed in. */
interface Inside extends Proofs {
  readonly kind: 'authenticated'
  readonly who: string
  readonly version: number
}

/** When password and factor were proven in a session. */
interface Proofs {
  readonly passwordAt: number | undefined
  readonly factorAt: number | undefined
  /** Whether the factor was a recovery code, which stands in for a lost one and for nothing else. */
  readonly byRecovery: boolean
}

type Pending = Extract<State, { readonly kind: 'pending' }>

/** An account, as far as the rules know it. */
interface Known {
  /** Last used step and all used ones of its apps. */
  readonly devices: Map<Device, { lastStep: number; readonly usedSteps: Set<number> }>
  enabled: boolean
  version: number
  /** Which of its passwords is the present one. */
  password: number
}

/** Failures since the last lock, and how many locks there were before. */
interface Failures {
  readonly times: readonly number[]
  readonly locks: number
}

const ANONYMOUS: State = { kind: 'anonymous' }
const NO_PROOFS: Proofs = { passwordAt: undefined, factorAt: undefined, byRecovery: false }
const LOGIN = leadsTo('/login')
const SECURITY = leadsTo('/account/security')

/** What the application should do. */
export class Model {
  now: number
  readonly #browsers: State[]
  readonly #accounts: ReadonlyMap<string, Known>
  readonly #failures = new Map<string, Failures>()
  readonly #codes: { readonly who: string; isGone: boolean }[] = []

  /**
   * @param now Unix timestamp.
   * @param browsers How many browsers there are.
   * @param accounts Names, and whether each has an app.
   */
  constructor(now: number, browsers: number, accounts: Readonly<Record<string, boolean>>) {
    this.now = now
    this.#browsers = Array.from({ length: browsers }, () => ANONYMOUS)
    this.#accounts = new Map(Object.entries(accounts).map(([name, hasApp]) => [name, newAccount(hasApp)]))
  }

  state(browser: number): State {
    return this.#browsers[browser] ?? ANONYMOUS
  }

  isSignedIn(browser: number): boolean {
    return this.#inside(browser) !== undefined
  }

  passwordOf(who: string): number {
    return this.#account(who).password
  }

  holds(who: string, device: Device): boolean {
    return this.#account(who).devices.has(device)
  }

  /** A request that loads the account: a session that was begun with other credentials ends. */
  visit(browser: number): void {
    const state = this.state(browser)
    if (state.kind !== 'authenticated') return
    const { enabled, version } = this.#account(state.who)
    if (enabled && version !== state.version) this.leave(browser)
  }

  /** The session of a browser has ended, as one may when the clock is set. */
  leave(browser: number): void {
    this.#browsers[browser] = ANONYMOUS
  }

  /** The clock is set. Whatever is dated in the future counts from now, for good. */
  jump(seconds: number): void {
    this.now += seconds
    for (const [subject, { times, locks }] of this.#failures)
      this.#failures.set(subject, { times: times.map((time) => Math.min(time, this.now)), locks })
  }

  changeCredentials(who: string): void {
    this.#account(who).version += 1
  }

  setEnabled(who: string, enabled: boolean): void {
    this.#account(who).enabled = enabled
  }

  /** A forgotten password was replaced: guesses at the old one count no more, and nobody is signed in. */
  reset(who: string): boolean {
    const account = this.#account(who)
    if (!account.enabled) return false
    account.password = 0
    this.changeCredentials(who)
    this.#forget(`password ${who}`)
    return true
  }

  /** Somebody elsewhere has typed wrong codes. */
  attack(who: string, times: number): void {
    const subjects = [`factor ${who}`, ...(this.holds(who, 'app') ? [`app ${who}`] : [])]
    // Nothing is counted while something of it is locked.
    for (let count = 0; count < times && !subjects.some((subject) => this.#isLocked(subject)); count += 1)
      for (const subject of subjects) this.#fail(subject)
  }

  password(browser: number, who: string, isRight: boolean): Answer {
    if (this.state(browser).kind === 'authenticated') return this.#outside(browser)
    this.leave(browser)
    const judged = this.#judgePassword(who, isRight && this.#account(who).enabled)
    if (judged !== 200) return answer(judged)
    const { version } = this.#account(who)
    if (!this.#hasFactor(who)) return this.#complete(browser, who, { ...NO_PROOFS, passwordAt: this.now })
    this.#browsers[browser] = {
      kind: 'pending',
      who,
      version,
      until: this.now + PENDING_LOGIN_SECONDS,
      tries: 0,
    }
    return leadsTo('/login/2fa')
  }

  /** A code at the second door, of any device. */
  code(browser: number, digits: Digits): Answer {
    const state = this.#live(browser)
    if (state === undefined) return this.#outside(browser)
    // No attempt: there is nothing to compare it with.
    if (!this.#hasFactor(state.who)) return leadsTo('/login/2fa')
    return this.#pass(browser, state, this.#judge(state.who, digits), false)
  }

  /** A recovery code at the second door. `index`: of all codes that were ever shown, in their order. */
  recover(browser: number, index: number): Answer {
    const state = this.#live(browser)
    if (state === undefined) return this.#outside(browser)
    return this.#pass(browser, state, this.#judgeRecovery(state.who, index), true)
  }

  challengePage(browser: number): Answer {
    return this.#live(browser) === undefined ? this.#outside(browser) : answer(200)
  }

  cancel(browser: number): Answer {
    if (!this.isSignedIn(browser)) this.leave(browser)
    return this.#outside(browser)
  }

  logout(browser: number): Answer {
    this.leave(browser)
    return LOGIN
  }

  /** A page that needs fresh proofs. */
  look(browser: number): Answer {
    if (!this.isSignedIn(browser)) return { ...LOGIN, status: 302 }
    return this.#withProofs(browser, false, () => SECURITY)
  }

  /** A second app, proven by the code of the present step. */
  addSpare(browser: number): Answer {
    return this.#change(
      browser,
      { isForLoss: true, leaves: { factorAt: this.now, byRecovery: false } },
      (who) => {
        const isFirst = !this.#hasFactor(who)
        const step = Math.floor(this.now / 30)
        this.#account(who).devices.set('spare', { lastStep: step, usedSteps: new Set([step]) })
        this.#forget(`spare ${who}`)
        if (!isFirst) return SECURITY
        // With the first factor come the codes, on a page of their own.
        this.#newCodes(who)
        return answer(200)
      },
    )
  }

  removeSpare(browser: number): Answer {
    return this.#change(browser, { isForLoss: false, leaves: NO_PROOFS }, (who) => {
      if (!this.#account(who).devices.delete('spare')) return undefined
      if (!this.#hasFactor(who)) this.#dropCodes(who)
      return SECURITY
    })
  }

  /** New recovery codes, for an account with a factor. */
  renewCodes(browser: number): Answer {
    return this.#change(browser, { isForLoss: true, leaves: {} }, (who) => {
      if (!this.#hasFactor(who)) return undefined
      this.#newCodes(who)
      return answer(200)
    })
  }

  /** A new password, which is not the present one: `chosen` says which. */
  changePassword(browser: number, chosen: number): Answer {
    const who = this.#inside(browser)?.who
    return this.#withProofs(browser, true, () => {
      if (who !== undefined && this.#account(who).password === chosen) return answer(422)
      return this.#change(browser, { isForLoss: true, leaves: NO_PROOFS }, (owner) => {
        this.#account(owner).password = chosen
        return SECURITY
      })
    })
  }

  /** The step-up before a factor is renamed: asks for what is missing only, the password first. */
  confirm(browser: number, isRight: boolean, digits: Digits): Answer {
    return this.#confirm(browser, { isRight, isForLoss: false, done: leadsTo(GUARDED) }, (who) =>
      this.#judge(who, digits),
    )
  }

  /** The step-up before new recovery codes are made, by an old one. */
  confirmByRecovery(browser: number, isRight: boolean, index: number): Answer {
    const done = leadsTo('/account/recovery-codes')
    return this.#confirm(browser, { isRight, isForLoss: true, done }, (who) =>
      this.#judgeRecovery(who, index),
    )
  }

  /** Where a sign-in begins; who is signed in is led to the account. */
  #outside(browser: number): Answer {
    return this.isSignedIn(browser) ? leadsTo('/account') : LOGIN
  }

  #inside(browser: number): Inside | undefined {
    const state = this.state(browser)
    if (state.kind !== 'authenticated') return undefined
    const { enabled, version } = this.#account(state.who)
    return enabled && version === state.version ? state : undefined
  }

  /** A pending login that has expired, or whose account is gone, is ended by the next request. */
  #live(browser: number): Pending | undefined {
    const state = this.state(browser)
    if (state.kind !== 'pending') return undefined
    const left = state.until - this.now
    const { enabled, version } = this.#account(state.who)
    if (left > 0 && left <= PENDING_LOGIN_SECONDS && enabled && version === state.version) return state
    this.leave(browser)
    return undefined
  }

  #complete(browser: number, who: string, proofs: Proofs): Answer {
    this.#browsers[browser] = { kind: 'authenticated', who, version: this.#account(who).version, ...proofs }
    this.#forget(`password ${who}`)
    return leadsTo('/account')
  }

  // The last try ends the pending login.
  #pass(browser: number, state: Pending, judged: 200 | 422 | 429, byRecovery: boolean): Answer {
    if (judged === 429) return answer(429)
    const passwordAt = state.until - PENDING_LOGIN_SECONDS
    if (judged === 200)
      return this.#complete(browser, state.who, { passwordAt, factorAt: this.now, byRecovery })
    const tries = state.tries + 1
    const isSpent = tries === CHALLENGE_ATTEMPTS
    this.#browsers[browser] = isSpent ? ANONYMOUS : { ...state, tries }
    return isSpent ? LOGIN : answer(422)
  }

  #judgePassword(who: string, isRight: boolean): 200 | 422 | 429 {
    if (this.#isLocked(`password ${who}`)) return 429
    if (isRight) return 200
    this.#fail(`password ${who}`)
    return 422
  }

  /** 200 for a right code, which is used up then. The budget of the account is for all its factors, and each device has less. */
  #judge(who: string, digits: Digits): 200 | 422 | 429 {
    const held = [...this.#account(who).devices.keys()]
    const compared = held.filter((device) => !this.#isLocked(`${device} ${who}`))
    if (this.#isLocked(`factor ${who}`) || (held.length > 0 && compared.length === 0)) return 429
    if (compared.includes(digits.device) && this.#use(who, digits)) {
      for (const subject of ['factor', digits.device]) this.#forget(`${subject} ${who}`)
      return 200
    }
    for (const subject of ['factor', ...compared]) this.#fail(`${subject} ${who}`)
    return 422
  }

  #judgeRecovery(who: string, index: number): 200 | 422 | 429 {
    const own = [`recovery ${who}`, `factor ${who}`]
    if (own.some((subject) => this.#isLocked(subject))) return 429
    const code = this.#codes[index]
    const isRight = code !== undefined && !code.isGone && code.who === who
    if (isRight) code.isGone = true
    for (const subject of own) {
      if (isRight) this.#forget(subject)
      else this.#fail(subject)
    }
    return isRight ? 200 : 422
  }

  #use(who: string, { device, at }: Digits): boolean {
    const known = this.#account(who).devices.get(device)
    if (at === null || known === undefined) return false
    // The present step, and the one before it while 29 seconds reach back to it.
    const isTolerated = at >= Math.floor((this.now - 29) / 30) && at <= Math.floor(this.now / 30)
    // A last step that is still to come was accepted before the clock was set back.
    const isLater = at > known.lastStep || known.lastStep > Math.floor(this.now / 30)
    if (!isTolerated || !isLater || known.usedSteps.has(at)) return false
    known.lastStep = at
    known.usedSteps.add(at)
    return true
  }

  #missing(state: Inside, isForLoss: boolean): { readonly password: boolean; readonly factor: boolean } {
    const isFresh = (at: number | undefined): boolean =>
      at !== undefined && this.now - at >= 0 && this.now - at < STEP_UP_SECONDS
    const isProven = isFresh(state.factorAt) && (isForLoss || !state.byRecovery)
    return { password: !isFresh(state.passwordAt), factor: this.#hasFactor(state.who) && !isProven }
  }

  /** `isForLoss`: a recovery code is enough, because it mends a loss. */
  #withProofs(browser: number, isForLoss: boolean, then: () => Answer): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return answer(401)
    const { password, factor } = this.#missing(state, isForLoss)
    return password || factor ? leadsTo('/account/confirm') : then()
  }

  #confirm(
    browser: number,
    {
      isRight,
      isForLoss,
      done,
    }: { readonly isRight: boolean; readonly isForLoss: boolean; readonly done: Answer },
    judge: (who: string) => 200 | 422 | 429,
  ): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return answer(401)
    const { password, factor } = this.#missing(state, isForLoss)
    const judgedPassword = password ? this.#judgePassword(state.who, isRight) : 200
    if (judgedPassword !== 200) return answer(judgedPassword)
    const judged = factor ? judge(state.who) : 200
    if (judged !== 200) return answer(judged)
    this.#browsers[browser] = {
      ...state,
      ...(password && { passwordAt: this.now }),
      ...(factor && { factorAt: this.now, byRecovery: isForLoss }),
    }
    return done
  }

  // A change by its owner: this browser stays, and every other one and every pending login is out. `make` says
  // what comes back, or undefined when there was nothing to change.
  #change(
    browser: number,
    { isForLoss, leaves }: { readonly isForLoss: boolean; readonly leaves: Partial<Proofs> },
    make: (who: string) => Answer | undefined,
  ): Answer {
    return this.#withProofs(browser, isForLoss, () => {
      const state = this.#inside(browser)
      const done = state && make(state.who)
      if (state === undefined || done === undefined) return SECURITY
      this.changeCredentials(state.who)
      this.#browsers[browser] = { ...state, ...leaves, version: this.#account(state.who).version }
      return done
    })
  }

  #hasFactor(who: string): boolean {
    return this.#account(who).devices.size > 0
  }

  #newCodes(who: string): void {
    this.#dropCodes(who)
    for (let times = 0; times < RECOVERY_CODES; times += 1) this.#codes.push({ who, isGone: false })
  }

  #dropCodes(who: string): void {
    for (const code of this.#codes) if (code.who === who) code.isGone = true
  }

  // What is past the window is forgotten then, so that a clock that is set back does not bring it back.
  #fail(subject: string): void {
    const { times, locks } = this.#failuresOf(subject)
    const { failures, windowSeconds } = limitOf(subject)
    const hasLocked = times.length >= failures
    const recent = hasLocked ? [] : times.filter((time) => time > this.now - windowSeconds)
    const isNewDay = (times.at(-1) ?? 0) <= this.now - DAY_SECONDS
    this.#failures.set(subject, {
      times: [...recent, this.now],
      locks: isNewDay ? 0 : locks + Number(hasLocked),
    })
  }

  #forget(subject: string): void {
    this.#failures.delete(subject)
  }

  #isLocked(subject: string): boolean {
    const { times, locks } = this.#failuresOf(subject)
    const { failures, windowSeconds, maxLockSeconds } = limitOf(subject)
    const length = Math.min(windowSeconds * 2 ** locks, maxLockSeconds)
    return times.length >= failures && this.now < (times.at(-1) ?? 0) + length
  }

  #failuresOf(subject: string): Failures {
    return this.#failures.get(subject) ?? { times: [], locks: 0 }
  }

  #account(who: string): Known {
    const account = this.#accounts.get(who)
    if (account === undefined) throw new Error(`The model knows no ${who}`)
    return account
  }
}

function answer(status: number): Answer {
  return { status, location: null }
}

function leadsTo(location: string): Answer {
  return { status: 303, location }
}

function limitOf(subject: string): Limit {
  if (subject.startsWith('password ')) return PASSWORD_LIMIT
  if (subject.startsWith('recovery ')) return RECOVERY_LIMIT
  return subject.startsWith('factor ') ? FACTOR_LIMIT : AUTHENTICATOR_LIMIT
}

function newAccount(hasApp: boolean): Known {
  const app = { lastStep: -1, usedSteps: new Set<number>() }
  return { devices: new Map(hasApp ? [['app', app]] : []), enabled: true, version: 1, password: 0 }
}
