/** The rules of signing in and of proofs, written down a second time and as plainly as possible: a walk compares the application to this. @module */
import type { Clock } from 'sallyport'
import type { Failures, Limit } from 'sallyport-app/limits'
import { RECOVERY_CODES } from '../../core/factors/recovery-codes.ts'
import {
  AUTHENTICATOR_LIMIT,
  CHALLENGE_ATTEMPTS,
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  PENDING_LOGIN_SECONDS,
  RECOVERY_LIMIT,
} from '../../core/limits/limits.ts'
import type { Name } from './habits.ts'

const STEP_UP_SECONDS = 300

/** A page that needs fresh proofs, and mends no loss: of a factor that is not there, it leads back. */
export const GUARDED = '/account/security/factors/none/rename'

/** What comes back: where it leads, or its status. */
export type Answer = string | number

/** What makes six digits: one of two apps. */
export type Device = 'app' | 'spare'

/** Six digits, by their time step; null for digits of neither app. */
export interface Digits {
  readonly device: Device
  readonly at: number | null
}

/** What proves a factor: digits, or a recovery code by its place among all that were ever shown. */
export type Code = Digits | { readonly index: number }

/** What failures of an account are counted for. */
type Limited = 'password' | 'factor' | 'recovery' | Device

// How a limit counts and locks is tested where it is.
const LIMITS: Readonly<Record<Limited, Limit>> = {
  password: PASSWORD_LIMIT,
  factor: FACTOR_LIMIT,
  recovery: RECOVERY_LIMIT,
  app: AUTHENTICATOR_LIMIT,
  spare: AUTHENTICATOR_LIMIT,
}

/** An account, as far as the rules know it. */
export class Account {
  readonly name: Name
  /** Last used step and all used ones of its apps. */
  readonly devices: Map<Device, { lastStep: number; readonly usedSteps: Set<number> }> = new Map()
  /** Those of its recovery codes that count. */
  readonly codes: Set<number> = new Set()
  readonly failed: Map<Limited, Failures> = new Map()
  isEnabled = true
  version = 1
  /** Which of its passwords is the present one. */
  password = 0

  constructor(name: Name, hasApp: boolean) {
    this.name = name
    if (hasApp) this.devices.set('app', { lastStep: -1, usedSteps: new Set() })
  }
}

/** A session that knows an account, and the version of its credentials from then. */
interface Known {
  readonly account: Account
  readonly version: number
}

/** A session in which a login waits for its code. */
interface Pending extends Known {
  readonly kind: 'pending'
  readonly until: number
  readonly tries: number
}

/** A session that is signed in. */
interface Inside extends Known, Proofs {
  readonly kind: 'authenticated'
}

/** When password and factor were proven in a session. */
interface Proofs {
  readonly passwordAt: number | undefined
  readonly factorAt: number | undefined
  /** Whether the factor was a recovery code, which stands in for a lost one and for nothing else. */
  readonly byRecovery: boolean
}

const NO_PROOFS: Proofs = { passwordAt: undefined, factorAt: undefined, byRecovery: false }
const LOGIN = '/login'
const SECURITY = '/account/security'

/** What the application should do, in browsers that have numbers. */
export class Model {
  readonly accounts: Readonly<Record<Name, Account>> = {
    ada: new Account('ada', true),
    bob: new Account('bob', false),
    eve: new Account('eve', true),
  }
  readonly #clock: Clock
  readonly #browsers = new Map<number, Pending | Inside>()
  #shownCodes = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What a browser's session is, as the specification names it; undefined for an anonymous one. */
  state(browser: number): Pending | Inside | undefined {
    return this.#browsers.get(browser)
  }

  isSignedIn(browser: number): boolean {
    return this.#inside(browser) !== undefined
  }

  /** A request that loads the account: a session that was begun with other credentials ends. */
  visit(browser: number): void {
    const state = this.state(browser)
    if (state?.kind === 'authenticated' && state.account.isEnabled && !isCurrent(state)) this.leave(browser)
  }

  /** The session of a browser has ended, as one may when the clock is set. */
  leave(browser: number): void {
    this.#browsers.delete(browser)
  }

  /** The clock was set. Whatever is dated in the future counts from now, for good. */
  clockWasSet(): void {
    for (const { failed } of Object.values(this.accounts))
      for (const [what, { times, locks }] of failed)
        failed.set(what, { times: times.map((time) => Math.min(time, this.#now)), locks })
  }

  /** A forgotten password was replaced: guesses at the old one count no more, and nobody is signed in. */
  reset(account: Account): boolean {
    if (!account.isEnabled) return false
    account.password = 0
    account.version += 1
    account.failed.delete('password')
    return true
  }

  /** Somebody elsewhere has typed wrong codes. */
  attack(account: Account, times: number): void {
    const what: readonly Limited[] = account.devices.has('app') ? ['factor', 'app'] : ['factor']
    // Nothing is counted while something of it is locked.
    for (let count = 0; count < times && !what.some((each) => this.#isLocked(account, each)); count += 1)
      for (const each of what) this.#fail(account, each)
  }

  password(browser: number, account: Account, isRight: boolean): Answer {
    if (this.state(browser)?.kind === 'authenticated') return this.#outside(browser)
    this.leave(browser)
    const judged = this.#judgePassword(account, isRight && account.isEnabled)
    if (judged !== 200) return judged
    if (account.devices.size === 0)
      return this.#complete(browser, account, { ...NO_PROOFS, passwordAt: this.#now })
    const { version } = account
    const until = this.#now + PENDING_LOGIN_SECONDS
    this.#browsers.set(browser, { kind: 'pending', account, version, until, tries: 0 })
    return '/login/2fa'
  }

  /** A code at the second door. The last try ends the pending login. */
  code(browser: number, code: Code): Answer {
    const state = this.#live(browser)
    if (state === undefined) return this.#outside(browser)
    const { account, until } = state
    // No attempt: there is nothing to compare it with.
    if ('device' in code && account.devices.size === 0) return '/login/2fa'
    const judged = this.#judge(account, code)
    if (judged === 429) return 429
    if (judged === 200) {
      const passwordAt = until - PENDING_LOGIN_SECONDS
      return this.#complete(browser, account, {
        passwordAt,
        factorAt: this.#now,
        byRecovery: 'index' in code,
      })
    }
    const tries = state.tries + 1
    this.#browsers.set(browser, { ...state, tries })
    if (tries < CHALLENGE_ATTEMPTS) return 422
    this.leave(browser)
    return LOGIN
  }

  challengePage(browser: number): Answer {
    return this.#live(browser) === undefined ? this.#outside(browser) : 200
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
    return this.isSignedIn(browser) ? this.#withProofs(browser, false, () => SECURITY) : LOGIN
  }

  /** A second app, proven by the code of the present step. */
  addSpare(browser: number): Answer {
    const leaves = { factorAt: this.#now, byRecovery: false }
    return this.#change(browser, { isForLoss: true, leaves }, ({ account }) => {
      const isFirst = account.devices.size === 0
      const step = Math.floor(this.#now / 30)
      account.devices.set('spare', { lastStep: step, usedSteps: new Set([step]) })
      account.failed.delete('spare')
      // With the first factor come the codes, on a page of their own.
      return isFirst ? this.#newCodes(account) : SECURITY
    })
  }

  removeSpare(browser: number): Answer {
    return this.#change(browser, { isForLoss: false, leaves: NO_PROOFS }, ({ account }) => {
      if (!account.devices.delete('spare')) return undefined
      if (account.devices.size === 0) account.codes.clear()
      return SECURITY
    })
  }

  /** New recovery codes, for an account with a factor. */
  renewCodes(browser: number): Answer {
    return this.#change(browser, { isForLoss: true, leaves: {} }, ({ account }) =>
      account.devices.size === 0 ? undefined : this.#newCodes(account),
    )
  }

  /** A new password, which is not the present one: `chosen` says which. */
  changePassword(browser: number, chosen: number): Answer {
    return this.#change(browser, { isForLoss: true, leaves: NO_PROOFS }, ({ account }) => {
      if (account.password === chosen) return 422
      account.password = chosen
      return SECURITY
    })
  }

  /** The step-up before a factor is renamed, or before new recovery codes are made by an old one: asks for what is missing only, the password first. */
  confirm(browser: number, isRight: boolean, code: Code): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return 401
    const byRecovery = 'index' in code
    const { password, factor } = this.#missing(state, byRecovery)
    const judgedPassword = password ? this.#judgePassword(state.account, isRight) : 200
    const judged = judgedPassword === 200 && factor ? this.#judge(state.account, code) : judgedPassword
    if (judged !== 200) return judged
    this.#browsers.set(browser, {
      ...state,
      ...(password && { passwordAt: this.#now }),
      ...(factor && { factorAt: this.#now, byRecovery }),
    })
    return byRecovery ? '/account/recovery-codes' : GUARDED
  }

  get #now(): number {
    return this.#clock.timestamp()
  }

  /** Where a sign-in begins; who is signed in is led to the account. */
  #outside(browser: number): Answer {
    return this.isSignedIn(browser) ? '/account' : LOGIN
  }

  #inside(browser: number): Inside | undefined {
    const state = this.state(browser)
    return state?.kind === 'authenticated' && isCurrent(state) ? state : undefined
  }

  /** A pending login that has expired, or whose account is gone, is ended by the next request. */
  #live(browser: number): Pending | undefined {
    const state = this.state(browser)
    if (state?.kind !== 'pending') return undefined
    const left = state.until - this.#now
    if (left > 0 && left <= PENDING_LOGIN_SECONDS && isCurrent(state)) return state
    this.leave(browser)
    return undefined
  }

  #complete(browser: number, account: Account, proofs: Proofs): Answer {
    this.#browsers.set(browser, { kind: 'authenticated', account, version: account.version, ...proofs })
    account.failed.delete('password')
    return '/account'
  }

  #judgePassword(account: Account, isRight: boolean): 200 | 422 | 429 {
    if (this.#isLocked(account, 'password')) return 429
    if (isRight) return 200
    this.#fail(account, 'password')
    return 422
  }

  /** 200 for a right code, which is used up then. The budget of the account is for all its factors, and each has less. */
  #judge(account: Account, code: Code): 200 | 422 | 429 {
    const held: readonly Limited[] = 'index' in code ? ['recovery'] : [...account.devices.keys()]
    const compared = held.filter((each) => !this.#isLocked(account, each))
    if (this.#isLocked(account, 'factor') || (held.length > 0 && compared.length === 0)) return 429
    const own: Limited = 'index' in code ? 'recovery' : code.device
    const isRight =
      compared.includes(own) &&
      ('index' in code ? account.codes.delete(code.index) : this.#use(account, code))
    if (isRight) for (const each of ['factor', own] as const) account.failed.delete(each)
    else for (const each of ['factor', ...compared] as const) this.#fail(account, each)
    return isRight ? 200 : 422
  }

  #use({ devices }: Account, { device, at }: Digits): boolean {
    const known = devices.get(device)
    if (at === null || known === undefined) return false
    // The present step, and the one before it while 29 seconds reach back to it.
    const isTolerated = at >= Math.floor((this.#now - 29) / 30) && at <= Math.floor(this.#now / 30)
    // A last step that is still to come was accepted before the clock was set back.
    const isLater = at > known.lastStep || known.lastStep > Math.floor(this.#now / 30)
    if (!isTolerated || !isLater || known.usedSteps.has(at)) return false
    known.lastStep = at
    known.usedSteps.add(at)
    return true
  }

  #missing(state: Inside, isForLoss: boolean): { readonly password: boolean; readonly factor: boolean } {
    const isFresh = (at = Infinity): boolean => this.#now >= at && this.#now - at < STEP_UP_SECONDS
    const isProven = isFresh(state.factorAt) && (isForLoss || !state.byRecovery)
    return { password: !isFresh(state.passwordAt), factor: state.account.devices.size > 0 && !isProven }
  }

  /** `isForLoss`: a recovery code is enough, because it mends a loss. */
  #withProofs(browser: number, isForLoss: boolean, then: (state: Inside) => Answer): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return 401
    const { password, factor } = this.#missing(state, isForLoss)
    return password || factor ? '/account/confirm' : then(state)
  }

  // A change by its owner: this browser stays, and every other one and every pending login is out. `make` says
  // what comes back, or undefined when there was nothing to change.
  #change(
    browser: number,
    { isForLoss, leaves }: { readonly isForLoss: boolean; readonly leaves: Partial<Proofs> },
    make: (state: Inside) => Answer | undefined,
  ): Answer {
    return this.#withProofs(browser, isForLoss, (state) => {
      const done = make(state)
      if (done === undefined || done === 422) return done ?? SECURITY
      state.account.version += 1
      this.#browsers.set(browser, { ...state, ...leaves, version: state.account.version })
      return done
    })
  }

  #newCodes(account: Account): Answer {
    account.codes.clear()
    for (let times = 0; times < RECOVERY_CODES; times += 1) account.codes.add((this.#shownCodes += 1) - 1)
    return 200
  }

  #fail({ failed }: Account, what: Limited): void {
    failed.set(what, LIMITS[what].afterFailure(failed.get(what) ?? { times: [], locks: 0 }, this.#now))
  }

  #isLocked({ failed }: Account, what: Limited): boolean {
    const failures = failed.get(what)
    return failures !== undefined && LIMITS[what].lockedSeconds(failures, this.#now) > 0
  }
}

function isCurrent({ account, version }: Known): boolean {
  return account.isEnabled && account.version === version
}
