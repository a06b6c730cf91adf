import { ENROLLMENT_SECONDS } from '../../identity/factors/unverified-totp.ts'
import { RECOVERY_CODES } from '../../identity/factors/recovery-codes.ts'
import {
  AUTHENTICATOR_LIMIT,
  CHALLENGE_ATTEMPTS,
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  RECOVERY_LIMIT,
} from '../../identity/limits/limits.ts'
import { PENDING_LOGIN_SECONDS } from '../../identity/challenges/pending-login.ts'
import type { AttemptLimit } from '../../identity/limits/attempts.ts'

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
  | {
      readonly kind: 'authenticated'
      readonly who: string
      readonly version: number
      /** When password and factor were proven in this session. */
      readonly passwordAt: number | undefined
      readonly factorAt: number | undefined
      /** Whether the factor was a recovery code, which stands in for a lost one and for nothing else. */
      readonly byRecovery: boolean
    }
  | {
      readonly kind: 'enrolling'
      readonly who: string
      readonly version: number
      readonly until: number
      readonly stage: 'mail' | 'set-up' | 'proven'
    }

/** What an answer is: its status, and where it redirects to. */
export interface Answer {
  readonly status: number
  readonly location: string | null
}

/** An account, as far as the login rules know it. */
interface Known {
  hasTotp: boolean
  /** Whether its factors were taken away: the next password leads to a new one. */
  mustEnroll: boolean
  enabled: boolean
  version: number
  lastStep: number
  usedSteps: Set<number>
}

/** A passkey, or a recovery code. */
interface KnownProof {
  readonly who: string
  isGone: boolean
}

/** An API token. */
interface KnownToken {
  readonly who: string
  readonly createdAt: number
  version: number
  isRevoked: boolean
}

const ANONYMOUS: State = { kind: 'anonymous' }
const LOGIN: Answer = { status: 303, location: '/login' }
const ENROLL: Answer = { status: 303, location: '/enroll' }
const SECURITY: Answer = { status: 303, location: '/account/security' }
const CONFIRM: Answer = { status: 303, location: '/account/confirm' }
const MISSING: Answer = { status: 404, location: null }
const STEP_UP_SECONDS = 300
const TOKEN_SECONDS = 30 * 24 * 3600
const MAX_TOKENS = 25

/** The login rules, written down a second time and as plainly as possible: a test compares the application to this. */
export class Model {
  now: number
  readonly #browsers: State[]
  readonly #accounts: ReadonlyMap<string, Known>
  readonly #failures = new Map<string, number[]>()
  readonly #tokens: KnownToken[] = []
  readonly #keys: KnownProof[] = []
  readonly #codes: KnownProof[] = []

  /**
   * @param now Unix timestamp.
   * @param browsers How many browsers there are.
   * @param accounts Names, and whether each has a factor.
   */
  constructor(now: number, browsers: number, accounts: Readonly<Record<string, boolean>>) {
    this.now = now
    this.#browsers = Array.from({ length: browsers }, () => ANONYMOUS)
    this.#accounts = new Map(
      Object.entries(accounts).map(([name, hasFactor]) => [
        name,
        {
          hasTotp: hasFactor,
          mustEnroll: false,
          enabled: true,
          version: 1,
          lastStep: -1,
          usedSteps: new Set(),
        },
      ]),
    )
  }

  state(browser: number): State {
    return this.#browsers[browser] ?? ANONYMOUS
  }

  isSignedIn(browser: number): boolean {
    const state = this.state(browser)
    if (state.kind !== 'authenticated') return false
    const { enabled, version } = this.#account(state.who)
    return enabled && version === state.version
  }

  /** A request that loads the account: a session that was begun with other credentials ends. */
  visit(browser: number): void {
    const state = this.state(browser)
    if (state.kind !== 'authenticated') return
    const { enabled, version } = this.#account(state.who)
    if (enabled && version !== state.version) this.leave(browser)
  }

  changeCredentials(who: string): void {
    this.#account(who).version += 1
  }

  /** The session of a browser has ended, as one may when the clock is set. */
  leave(browser: number): void {
    this.#browsers[browser] = ANONYMOUS
  }

  setEnabled(who: string, enabled: boolean): void {
    this.#account(who).enabled = enabled
  }

  password(browser: number, who: string, isRight: boolean): Answer {
    if (this.state(browser).kind === 'authenticated') return LOGIN
    this.#browsers[browser] = ANONYMOUS
    if (this.#isLocked(`password ${who}`, PASSWORD_LIMIT)) return answer(429)
    const account = this.#account(who)
    if (!isRight || !account.enabled) {
      this.#fail(`password ${who}`)
      return answer(422)
    }
    const { version } = account
    if (!this.#hasFactor(who)) {
      if (!account.mustEnroll) return this.#complete(browser, who, this.now)
      this.#browsers[browser] = {
        kind: 'enrolling',
        who,
        version,
        until: this.now + ENROLLMENT_SECONDS,
        stage: 'mail',
      }
      return ENROLL
    }
    this.#browsers[browser] = {
      kind: 'pending',
      who,
      version,
      until: this.now + PENDING_LOGIN_SECONDS,
      tries: 0,
    }
    return { status: 303, location: '/login/2fa' }
  }

  /** `step`: the time step of the code; null for a code of no step. */
  code(browser: number, step: number | null): Answer {
    const state = this.#live(browser)
    if (state === undefined) return LOGIN
    const { who } = state
    const judged = this.#factor(who, step)
    if (judged === 200) return this.#complete(browser, who, state.until - PENDING_LOGIN_SECONDS, this.now)
    return judged === 429 ? answer(429) : this.#missed(browser, state)
  }

  /** A recovery code at the second door. `index`: of all codes that were ever shown, in their order. */
  recover(browser: number, index: number): Answer {
    const state = this.#live(browser)
    if (state === undefined) return LOGIN
    const { who } = state
    const subjects = [`recovery ${who}`, `factor ${who}`]
    if (this.#isLocked(`recovery ${who}`, RECOVERY_LIMIT) || this.#isLocked(`factor ${who}`, FACTOR_LIMIT))
      return answer(429)
    const code = this.#codes[index]
    if (code === undefined || code.isGone || code.who !== who) {
      for (const subject of subjects) this.#fail(subject)
      return this.#missed(browser, state)
    }
    code.isGone = true
    for (const subject of subjects) this.#failures.delete(subject)
    const done = this.#complete(browser, who, state.until - PENDING_LOGIN_SECONDS, this.now)
    const inside = this.state(browser)
    if (inside.kind === 'authenticated') this.#browsers[browser] = { ...inside, byRecovery: true }
    return done
  }

  /** A passkey at the second door. */
  useKey(browser: number, index: number): Answer {
    const state = this.#live(browser)
    if (state === undefined) return LOGIN
    if (!this.#isKeyOf(index, state.who)) return this.#missed(browser, state)
    return this.#complete(browser, state.who, state.until - PENDING_LOGIN_SECONDS, this.now)
  }

  /** A passkey as the whole login. */
  signInByKey(browser: number, index: number): Answer {
    if (this.state(browser).kind === 'authenticated') return LOGIN
    this.#browsers[browser] = ANONYMOUS
    const { who = '' } = this.#keys[index] ?? {}
    if (!this.#isKeyOf(index, who) || !this.#account(who).enabled) return LOGIN
    return this.#complete(browser, who, undefined, this.now)
  }

  addKey(browser: number): Answer {
    return this.#changing(browser, true, (who) => {
      const isFirst = !this.#hasFactor(who)
      this.#keys.push({ who, isGone: false })
      if (!isFirst) return SECURITY
      // With the first factor come the codes, on a page of their own.
      this.#newCodes(who)
      return answer(200)
    })
  }

  removeKey(browser: number, index: number): Answer {
    return this.withProofs(browser, false, () => {
      const { who = '' } = this.#inside(browser) ?? {}
      if (!this.#isKeyOf(index, who)) return MISSING
      return this.#changing(browser, false, () => {
        const key = this.#keys[index]
        if (key !== undefined) key.isGone = true
        if (!this.#hasFactor(who)) this.#dropCodes(who)
        return SECURITY
      })
    })
  }

  /** New recovery codes, for an account with a factor. */
  renewCodes(browser: number): Answer {
    return this.#changing(browser, true, (who) => {
      if (!this.#hasFactor(who)) return undefined
      this.#newCodes(who)
      return answer(200)
    })
  }

  /** An administrator takes the factors of an account away. */
  resetFactors(who: string): void {
    const account = this.#account(who)
    account.hasTotp = false
    account.mustEnroll = true
    for (const key of this.#keys) if (key.who === who) key.isGone = true
    this.#dropCodes(who)
    this.changeCredentials(who)
    this.#signOut(who)
  }

  /** What the next step of the enrollment is; undefined when there is none, or it is over. */
  enrollmentOf(browser: number): (State & { kind: 'enrolling' }) | undefined {
    const state = this.state(browser)
    if (state.kind !== 'enrolling') return undefined
    const { enabled, version } = this.#account(state.who)
    return state.until > this.now && enabled && version === state.version ? state : undefined
  }

  /** The next step of an enrollment, done right: the link, the first code of the new authenticator, and the end. */
  enroll(browser: number, step: number): Answer {
    const state = this.enrollmentOf(browser)
    const until = this.now + ENROLLMENT_SECONDS
    if (state === undefined) {
      if (this.isSignedIn(browser)) return { status: 303, location: '/account' }
      if (this.state(browser).kind === 'enrolling') this.#browsers[browser] = ANONYMOUS
      return LOGIN
    }
    const { who } = state
    if (state.stage === 'proven') return this.#complete(browser, who)
    if (state.stage === 'mail') {
      this.#browsers[browser] = { ...state, stage: 'set-up', until }
      return ENROLL
    }
    const account = this.#account(who)
    account.hasTotp = true
    account.mustEnroll = false
    account.lastStep = step
    account.usedSteps = new Set([step])
    this.#failures.delete(`authenticator ${who}`)
    this.#newCodes(who)
    this.changeCredentials(who)
    this.#browsers[browser] = { ...state, version: account.version, stage: 'proven', until }
    return answer(200)
  }

  /** Leaves the enrollment. */
  leaveEnrollment(browser: number): Answer {
    if (this.isSignedIn(browser)) return { status: 303, location: '/account' }
    this.#browsers[browser] = ANONYMOUS
    return LOGIN
  }

  challengePage(browser: number): Answer {
    return this.#live(browser) === undefined ? LOGIN : answer(200)
  }

  cancel(browser: number): Answer {
    if (!this.isSignedIn(browser)) this.#browsers[browser] = ANONYMOUS
    return LOGIN
  }

  logout(browser: number): Answer {
    this.#browsers[browser] = ANONYMOUS
    return LOGIN
  }

  /**
   * A page, or a form, that needs fresh proofs; `then`: what it answers with them; `acceptsRecovery`: whether a recovery code is
   * enough, because it mends a loss.
   */
  withProofs(browser: number, isRead: boolean, then: () => Answer, acceptsRecovery = false): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return isRead ? { ...LOGIN, status: 302 } : LOGIN
    const { password, factor } = this.#missing(state, acceptsRecovery)
    return password || factor ? CONFIRM : then()
  }

  /** The step-up: asks for what is missing only, the password first. */
  confirm(browser: number, isRight: boolean, step: number | null): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return LOGIN
    const { who } = state
    const { password, factor } = this.#missing(state, false)
    const done: Answer = { status: 303, location: '/account/security/tokens/new' }
    if (!password && !factor) return done
    if (password) {
      if (this.#isLocked(`password ${who}`, PASSWORD_LIMIT)) return answer(429)
      if (!isRight) {
        this.#fail(`password ${who}`)
        return answer(422)
      }
    }
    const judged = factor ? this.#factor(who, step) : 200
    if (judged !== 200) return answer(judged)
    this.#browsers[browser] = {
      ...state,
      passwordAt: password ? this.now : state.passwordAt,
      factorAt: factor ? this.now : state.factorAt,
      byRecovery: factor ? false : state.byRecovery,
    }
    return done
  }

  makeToken(browser: number): Answer {
    return this.withProofs(browser, false, () => {
      const { who = '', version = 0 } = this.#inside(browser) ?? {}
      if (this.#tokens.filter((token) => token.who === who && !token.isRevoked).length >= MAX_TOKENS)
        return answer(422)
      this.#tokens.push({ who, version, createdAt: this.now, isRevoked: false })
      return answer(200)
    })
  }

  /** What a program gets that uses the token. */
  useToken(index: number): number {
    const token = this.#tokens[index]
    if (token === undefined || token.isRevoked) return 401
    const { enabled, version } = this.#account(token.who)
    const age = this.now - token.createdAt
    return enabled && version === token.version && age >= -60 && age < TOKEN_SECONDS ? 200 : 401
  }

  revokeToken(browser: number, index: number): Answer {
    const state = this.#inside(browser)
    const token = this.#tokens[index]
    if (state === undefined) return LOGIN
    if (token === undefined || token.isRevoked || token.who !== state.who) return MISSING
    token.isRevoked = true
    return { status: 303, location: '/account/security/tokens' }
  }

  /** The owner says that a suspended token is known. */
  confirmToken(browser: number, index: number): Answer {
    return this.withProofs(browser, false, () => {
      const { who, version = 0 } = this.#inside(browser) ?? {}
      const token = this.#tokens[index]
      const isSuspended = token?.isRevoked === false && token.who === who && token.version !== version
      if (token === undefined || !isSuspended) return MISSING
      token.version = version
      return { status: 303, location: '/account/security/tokens' }
    })
  }

  endOthers(browser: number): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return LOGIN
    this.#signOut(state.who, browser)
    return { status: 303, location: '/account/sessions' }
  }

  endAll(browser: number): Answer {
    const then = (): Answer => {
      const { who = '' } = this.#inside(browser) ?? {}
      this.changeCredentials(who)
      this.#signOut(who)
      return { status: 303, location: '/account/sessions/ended' }
    }
    return this.withProofs(browser, false, then, true)
  }

  /** A forgotten password was replaced: guesses at the old one count no more, and nobody is signed in. */
  reset(who: string): void {
    this.changeCredentials(who)
    this.#failures.delete(`password ${who}`)
  }

  // A change by its owner: this browser stays, and every other one, every program and every pending login is out. Without a
  // factor there is nothing to renew.
  #changing(browser: number, keepsProofs: boolean, change: (who: string) => Answer | undefined): Answer {
    const then = (): Answer => {
      const state = this.#inside(browser)
      if (state === undefined) return LOGIN
      const done = change(state.who)
      if (done === undefined) return SECURITY
      this.changeCredentials(state.who)
      const { version } = this.#account(state.who)
      const proofs = keepsProofs ? {} : { passwordAt: undefined, factorAt: undefined }
      this.#browsers[browser] = { ...state, ...proofs, version }
      return done
    }
    // What keeps the proofs takes no factor away.
    return this.withProofs(browser, false, then, keepsProofs)
  }

  #hasFactor(who: string): boolean {
    return this.#account(who).hasTotp || this.#keys.some((key) => key.who === who && !key.isGone)
  }

  #isKeyOf(index: number, who: string): boolean {
    const key = this.#keys[index]
    return key !== undefined && !key.isGone && key.who === who
  }

  #newCodes(who: string): void {
    this.#dropCodes(who)
    for (let times = 0; times < RECOVERY_CODES; times += 1) this.#codes.push({ who, isGone: false })
  }

  #dropCodes(who: string): void {
    for (const code of this.#codes) if (code.who === who) code.isGone = true
  }

  // A wrong code, or a wrong response of a passkey: the last try ends the pending login.
  #missed(browser: number, state: State & { kind: 'pending' }): Answer {
    const tries = state.tries + 1
    this.#browsers[browser] = tries === CHALLENGE_ATTEMPTS ? ANONYMOUS : { ...state, tries }
    return answer(422)
  }

  #signOut(who: string, but?: number): void {
    for (const [index, state] of this.#browsers.entries())
      if (index !== but && state.kind === 'authenticated' && state.who === who) this.leave(index)
  }

  #inside(browser: number): (State & { kind: 'authenticated' }) | undefined {
    const state = this.state(browser)
    return state.kind === 'authenticated' && this.isSignedIn(browser) ? state : undefined
  }

  #missing(
    state: State & { kind: 'authenticated' },
    acceptsRecovery: boolean,
  ): { readonly password: boolean; readonly factor: boolean } {
    const isFresh = (at: number | undefined): boolean =>
      at !== undefined && this.now - at >= 0 && this.now - at < STEP_UP_SECONDS
    const hasFactor = this.#hasFactor(state.who)
    const isProven = isFresh(state.factorAt) && (acceptsRecovery || !state.byRecovery)
    return { password: !isFresh(state.passwordAt), factor: hasFactor && !isProven }
  }

  // A pending login that has expired, or whose account is gone, is ended by the next request.
  #live(browser: number): (State & { kind: 'pending' }) | undefined {
    const state = this.state(browser)
    if (state.kind !== 'pending') return undefined
    const left = state.until - this.now
    const { enabled, version } = this.#account(state.who)
    const isCurrent = enabled && version === state.version
    if (left > 0 && left <= PENDING_LOGIN_SECONDS && isCurrent) return state
    this.#browsers[browser] = ANONYMOUS
    return undefined
  }

  // 200 for a right code, which is used up then.
  #factor(who: string, step: number | null): 200 | 422 | 429 {
    const account = this.#account(who)
    // The budget of the account is for all its factors together, and each of them has less.
    const subjects = account.hasTotp ? [`factor ${who}`, `authenticator ${who}`] : [`factor ${who}`]
    if (this.#isLocked(`factor ${who}`, FACTOR_LIMIT)) return 429
    if (account.hasTotp && this.#isLocked(`authenticator ${who}`, AUTHENTICATOR_LIMIT)) return 429
    // A last step that is still to come was accepted before the clock was set back.
    const isLater = step !== null && (step > account.lastStep || account.lastStep > Math.floor(this.now / 30))
    if (
      step === null ||
      !account.hasTotp ||
      !this.#isTolerated(step) ||
      !isLater ||
      account.usedSteps.has(step)
    ) {
      for (const subject of subjects) this.#fail(subject)
      return 422
    }
    account.lastStep = step
    account.usedSteps.add(step)
    for (const subject of subjects) this.#failures.delete(subject)
    return 200
  }

  #complete(browser: number, who: string, passwordAt?: number, factorAt?: number): Answer {
    const { version } = this.#account(who)
    this.#browsers[browser] = { kind: 'authenticated', who, version, passwordAt, factorAt, byRecovery: false }
    this.#failures.delete(`password ${who}`)
    return { status: 303, location: '/account' }
  }

  // The present step, and the one before it while 29 seconds reach back to it.
  #isTolerated(step: number): boolean {
    return step >= Math.floor((this.now - 29) / 30) && step <= Math.floor(this.now / 30)
  }

  #fail(subject: string): void {
    this.#failures.set(subject, [...(this.#failures.get(subject) ?? []), this.now])
  }

  // A try is written down before it is judged, and whatever is dated in the future then counts from now; what is a day
  // old is removed.
  #look(): void {
    for (const [subject, times] of this.#failures) {
      const kept = times.map((time) => Math.min(time, this.now)).filter((time) => time > this.now - 24 * 3600)
      this.#failures.set(subject, kept)
    }
  }

  #isLocked(subject: string, limit: AttemptLimit): boolean {
    this.#look()
    const times = this.#failures.get(subject) ?? []
    const last = times.at(-1)
    if (last === undefined || this.now >= last + limit.windowSeconds) return false
    return times.filter((time) => time > last - limit.windowSeconds).length >= limit.failures
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
