import { AUTHENTICATOR_LIMIT, CHALLENGE_ATTEMPTS, PASSWORD_LIMIT } from '../../identity/limits/limits.ts'
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
      readonly passwordAt: number
      readonly factorAt: number | undefined
    }

/** What an answer is: its status, and where it redirects to. */
export interface Answer {
  readonly status: number
  readonly location: string | null
}

/** An account, as far as the login rules know it. */
interface Known {
  readonly hasFactor: boolean
  enabled: boolean
  version: number
  lastStep: number
  readonly usedSteps: Set<number>
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
        { hasFactor, enabled: true, version: 1, lastStep: -1, usedSteps: new Set() },
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
    if (!account.hasFactor) return this.#complete(browser, who, this.now)
    const { version } = account
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
    const { who, tries } = state
    const judged = this.#factor(who, step)
    if (judged === 200) return this.#complete(browser, who, state.until - PENDING_LOGIN_SECONDS, this.now)
    if (judged === 429) return answer(429)
    this.#browsers[browser] = tries + 1 === CHALLENGE_ATTEMPTS ? ANONYMOUS : { ...state, tries: tries + 1 }
    return answer(422)
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

  /** A page, or a form, that needs fresh proofs; `then`: what it answers with them. */
  withProofs(browser: number, isRead: boolean, then: () => Answer): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return isRead ? { ...LOGIN, status: 302 } : LOGIN
    const { password, factor } = this.#missing(state)
    return password || factor ? CONFIRM : then()
  }

  /** The step-up: asks for what is missing only, the password first. */
  confirm(browser: number, isRight: boolean, step: number | null): Answer {
    const state = this.#inside(browser)
    if (state === undefined) return LOGIN
    const { who } = state
    const { password, factor } = this.#missing(state)
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
    return this.withProofs(browser, false, () => {
      const { who = '' } = this.#inside(browser) ?? {}
      this.changeCredentials(who)
      this.#signOut(who)
      return { status: 303, location: '/account/sessions/ended' }
    })
  }

  /** A forgotten password was replaced: guesses at the old one count no more, and nobody is signed in. */
  reset(who: string): void {
    this.changeCredentials(who)
    this.#failures.delete(`password ${who}`)
  }

  #signOut(who: string, but?: number): void {
    for (const [index, state] of this.#browsers.entries())
      if (index !== but && state.kind === 'authenticated' && state.who === who) this.leave(index)
  }

  #inside(browser: number): (State & { kind: 'authenticated' }) | undefined {
    const state = this.state(browser)
    return state.kind === 'authenticated' && this.isSignedIn(browser) ? state : undefined
  }

  #missing(state: State & { kind: 'authenticated' }): {
    readonly password: boolean
    readonly factor: boolean
  } {
    const isFresh = (at: number | undefined): boolean =>
      at !== undefined && this.now - at >= 0 && this.now - at < STEP_UP_SECONDS
    const { hasFactor } = this.#account(state.who)
    return { password: !isFresh(state.passwordAt), factor: hasFactor && !isFresh(state.factorAt) }
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
    if (this.#isLocked(`factor ${who}`, AUTHENTICATOR_LIMIT)) return 429
    const account = this.#account(who)
    // A last step that is still to come was accepted before the clock was set back.
    const isLater = step !== null && (step > account.lastStep || account.lastStep > Math.floor(this.now / 30))
    if (step === null || !this.#isTolerated(step) || !isLater || account.usedSteps.has(step)) {
      this.#fail(`factor ${who}`)
      return 422
    }
    account.lastStep = step
    account.usedSteps.add(step)
    this.#failures.delete(`factor ${who}`)
    return 200
  }

  #complete(browser: number, who: string, passwordAt: number, factorAt?: number): Answer {
    const { version } = this.#account(who)
    this.#browsers[browser] = { kind: 'authenticated', who, version, passwordAt, factorAt }
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
