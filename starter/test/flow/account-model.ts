import { ADDRESS_CHANGE_SECONDS } from '../../identity/accounts/address-change.ts'
import { ADDRESS_RESTORE_DAYS } from '../../identity/accounts/address-restore.ts'
import { PENDING_LOGIN_SECONDS } from '../../identity/challenges/pending-login.ts'
import { DELETION_DAYS } from '../../identity/deletion/account-deletion.ts'
import { RECOVERY_CODES } from '../../identity/factors/recovery-codes.ts'
import { ENROLLMENT_SECONDS } from '../../identity/factors/unverified-totp.ts'
import { FACTOR_LIMIT, PASSWORD_LIMIT, RECOVERY_LIMIT } from '../../identity/limits/limits.ts'
import { ADDRESS_CHANGE_LIMIT } from '../../identity/limits/recovery-limits.ts'
import { LinkModel } from './link-model.ts'
import { mayEnter } from './model.ts'
import {
  ANONYMOUS,
  answer,
  type Answer,
  type Digits,
  type KnownProof,
  type KnownToken,
  leadsTo,
  type StateOf,
} from './model-state.ts'

const LOGIN = leadsTo('/login')
const SECURITY = leadsTo('/account/security')
const CONFIRM = leadsTo('/account/confirm')
const TOKENS = leadsTo('/account/security/tokens')
const NEW_TOKEN = leadsTo('/account/security/tokens/new')
const CODES = leadsTo('/account/recovery-codes')
const MISSING = answer(404)
const STEP_UP_SECONDS = 300
const TOKEN_SECONDS = 30 * 24 * 3600
const DAY_SECONDS = 24 * 3600
const MAX_TOKENS = 25

/** What a step-up asks for. */
interface Missing {
  readonly password: boolean
  readonly factor: boolean
}

/** What a change of credentials leaves of the proofs of its session. */
type Kept = 'all' | 'none' | { readonly factorAt: number }

/** The life of an account behind the login: its factors, its programs, its address, its end. */
export class AccountModel extends LinkModel {
  readonly #tokens: KnownToken[] = []
  readonly #keys: KnownProof[] = []
  readonly #codes: KnownProof[] = []

  /** A recovery code at the second door. `index`: of all codes that were ever shown, in their order. */
  recover(browser: number, index: number): Answer {
    const state = this.live(browser)
    if (state === undefined) return LOGIN
    const { who } = state
    const judged = this.#judgeRecovery(browser, who, index)
    if (judged === 429) return answer(429)
    if (judged === 422) return this.missed(browser, state)
    const done = this.complete(browser, who, state.until - PENDING_LOGIN_SECONDS, this.now)
    const inside = this.inside(browser)
    if (inside !== undefined) this.browsers[browser] = { ...inside, byRecovery: true }
    return done
  }

  /** A passkey at the second door. */
  useKey(browser: number, index: number): Answer {
    const state = this.live(browser)
    if (state === undefined) return LOGIN
    if (!this.#isKeyOf(index, state.who)) return this.missed(browser, state)
    return this.complete(browser, state.who, state.until - PENDING_LOGIN_SECONDS, this.now)
  }

  /** A passkey as the whole login. */
  signInByKey(browser: number, index: number): Answer {
    if (this.state(browser).kind === 'authenticated') return LOGIN
    this.browsers[browser] = ANONYMOUS
    const { who = '' } = this.#keys[index] ?? {}
    if (!this.#isKeyOf(index, who) || !mayEnter(this.account(who))) return LOGIN
    return this.complete(browser, who, undefined, this.now)
  }

  addKey(browser: number): Answer {
    return this.#changing(browser, { isForLoss: true, keeps: 'all' }, (who) => {
      const isFirst = !this.hasFactor(who)
      this.#keys.push({ who, isGone: false })
      return this.#added(who, isFirst)
    })
  }

  removeKey(browser: number, index: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: false }, () => {
      const { who = '' } = this.inside(browser) ?? {}
      if (!this.#isKeyOf(index, who)) return MISSING
      return this.#changing(browser, { isForLoss: false, keeps: 'none' }, () => {
        const key = this.#keys[index]
        if (key !== undefined) key.isGone = true
        if (!this.hasFactor(who)) this.#dropCodes(who)
        return SECURITY
      })
    })
  }

  /** A generator with a counter, proven by its first code. */
  addCounter(browser: number): Answer {
    return this.#changing(browser, { isForLoss: true, keeps: { factorAt: this.now } }, (who) => {
      const isFirst = !this.hasFactor(who)
      this.account(who).counter = 0
      this.forget(`counter ${who}`)
      return this.#added(who, isFirst)
    })
  }

  /** Without one there is nothing to remove. */
  removeCounter(browser: number): Answer {
    return this.#changing(browser, { isForLoss: false, keeps: 'none' }, (who) => {
      if (!this.hasDevice(who, 'counter')) return undefined
      this.account(who).counter = undefined
      if (!this.hasFactor(who)) this.#dropCodes(who)
      return SECURITY
    })
  }

  /** The last used counter of the generator of an account. */
  counterOf(who: string): number | undefined {
    return this.account(who).counter
  }

  hasApp(who: string): boolean {
    return this.hasDevice(who, 'app')
  }

  /** New recovery codes, for an account with a factor. */
  renewCodes(browser: number): Answer {
    return this.#changing(browser, { isForLoss: true, keeps: 'all' }, (who) => {
      if (!this.hasFactor(who)) return undefined
      this.#newCodes(who)
      return answer(200)
    })
  }

  /** A new password, which is not the present one: `chosen` says which. */
  changePassword(browser: number, chosen: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: true }, () => {
      const { who = '' } = this.inside(browser) ?? {}
      if (this.account(who).password === chosen) return answer(422)
      return this.#changing(browser, { isForLoss: true, keeps: 'none' }, () => {
        this.account(who).password = chosen
        return SECURITY
      })
    })
  }

  passwordOf(who: string): number {
    return this.account(who).password
  }

  isErased(who: string): boolean {
    return this.account(who).isErased
  }

  addressOf(who: string): number {
    return this.account(who).address
  }

  /** An administrator takes the factors of an account away. */
  resetFactors(who: string): void {
    const account = this.account(who)
    account.app = undefined
    account.counter = undefined
    account.mustEnroll = true
    this.#dropKeys(who)
    this.#dropCodes(who)
    this.changeCredentials(who)
    this.signOut(who)
  }

  /** What the next step of the enrollment is; undefined when there is none, or it is over. */
  enrollmentOf(browser: number): StateOf<'enrolling'> | undefined {
    const state = this.state(browser)
    if (state.kind !== 'enrolling') return undefined
    const account = this.account(state.who)
    if (!mayEnter(account) || account.version !== state.version || state.until <= this.now) return undefined
    return !state.replaces || state.stage === 'proven' || this.isReady(state.who) ? state : undefined
  }

  /** The next step of an enrollment, done right: the link, the first code of the new app, and the end. */
  enroll(browser: number, step: number): Answer {
    const state = this.enrollmentOf(browser)
    const until = this.now + ENROLLMENT_SECONDS
    if (state === undefined) {
      if (this.isSignedIn(browser)) return leadsTo('/account')
      if (this.state(browser).kind === 'enrolling') this.browsers[browser] = ANONYMOUS
      return LOGIN
    }
    const { who } = state
    if (state.stage === 'proven') return this.complete(browser, who, state.passwordAt, state.factorAt)
    if (state.stage === 'mail') {
      this.browsers[browser] = { ...state, stage: 'set-up', until }
      return leadsTo('/enroll')
    }
    const account = this.account(who)
    account.app = { lastStep: step, usedSteps: new Set([step]) }
    account.mustEnroll = false
    if (state.replaces) {
      account.counter = undefined
      account.recovery = undefined
      this.#dropKeys(who)
    }
    this.forget(`app ${who}`)
    this.#newCodes(who)
    this.changeCredentials(who)
    const factorAt = state.replaces ? undefined : this.now
    this.browsers[browser] = { ...state, version: account.version, stage: 'proven', until, factorAt }
    return answer(200)
  }

  /** Leaves the enrollment. */
  leaveEnrollment(browser: number): Answer {
    if (this.isSignedIn(browser)) return leadsTo('/account')
    this.browsers[browser] = ANONYMOUS
    return LOGIN
  }

  /** A page, or a form, that needs fresh proofs; `isForLoss`: a recovery code is enough, because it mends a loss. */
  withProofs(
    browser: number,
    { isRead, isForLoss }: { readonly isRead: boolean; readonly isForLoss: boolean },
    then: () => Answer,
  ): Answer {
    const state = this.inside(browser)
    if (state === undefined) return isRead ? { ...LOGIN, status: 302 } : LOGIN
    const { password, factor } = this.#missing(state, isForLoss)
    return password || factor ? CONFIRM : then()
  }

  /** The step-up before a token is made: asks for what is missing only, the password first. */
  confirm(browser: number, isRight: boolean, digits: Digits): Answer {
    return this.#confirming(browser, { isRight, isForLoss: false, done: NEW_TOKEN }, (who) =>
      this.judge(browser, who, { digits, asked: ['app', 'counter'], named: 'any' }),
    )
  }

  /** The step-up before new recovery codes are made, by an old one. */
  confirmByRecovery(browser: number, isRight: boolean, index: number): Answer {
    return this.#confirming(browser, { isRight, isForLoss: true, done: CODES }, (who) =>
      this.#judgeRecovery(browser, who, index),
    )
  }

  /** A passkey in the place of a code. The password is asked for all the same. */
  confirmByKey(browser: number, index: number): Answer {
    const state = this.inside(browser)
    if (state === undefined) return LOGIN
    if (this.#missing(state, false).factor && this.#isKeyOf(index, state.who))
      this.browsers[browser] = { ...state, factorAt: this.now, byRecovery: false }
    return CONFIRM
  }

  /** Whether the page of the step-up would take the passkey. */
  takesKey(browser: number, index: number): boolean {
    const state = this.inside(browser)
    return state !== undefined && this.#missing(state, false).factor && this.#isKeyOf(index, state.who)
  }

  makeToken(browser: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: false }, () => {
      const { who = '', version = 0 } = this.inside(browser) ?? {}
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
    const account = this.account(token.who)
    const age = this.now - token.createdAt
    const isCurrent = mayEnter(account) && account.version === token.version
    return isCurrent && age >= -60 && age < TOKEN_SECONDS ? 200 : 401
  }

  revokeToken(browser: number, index: number): Answer {
    const state = this.inside(browser)
    const token = this.#tokens[index]
    if (state === undefined) return LOGIN
    if (token === undefined || token.isRevoked || token.who !== state.who) return MISSING
    token.isRevoked = true
    return TOKENS
  }

  /** The owner says that a suspended token is known. */
  confirmToken(browser: number, index: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: false }, () => {
      const { who, version = 0 } = this.inside(browser) ?? {}
      const token = this.#tokens[index]
      const isSuspended = token?.isRevoked === false && token.who === who && token.version !== version
      if (token === undefined || !isSuspended) return MISSING
      token.version = version
      return TOKENS
    })
  }

  endOthers(browser: number): Answer {
    const state = this.inside(browser)
    if (state === undefined) return LOGIN
    this.signOut(state.who, browser)
    return leadsTo('/account/sessions')
  }

  endAll(browser: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: true }, () => {
      const { who = '' } = this.inside(browser) ?? {}
      this.changeCredentials(who)
      this.signOut(who)
      return leadsTo('/account/sessions/ended')
    })
  }

  /** A forgotten password was replaced: guesses at the old one count no more, and nobody is signed in. */
  reset(who: string): void {
    const account = this.account(who)
    account.password = 0
    account.mailPasswordAt = this.now
    this.changeCredentials(who)
    this.forget(`password ${who} ${account.address}`)
  }

  /** Asks for another address: `address` is the number of the new one. */
  changeAddress(browser: number, address: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: false }, () => {
      const { who = '', version = 0 } = this.inside(browser) ?? {}
      if (this.isLocked(`address ${who}`, ADDRESS_CHANGE_LIMIT)) return answer(429)
      this.fail(`address ${who}`)
      this.endLinks('address', who)
      this.addLink('address', { who, version, address, expiresAt: this.now + ADDRESS_CHANGE_SECONDS })
      return leadsTo('/account/address/sent')
    })
  }

  /** The link in the mail to the new address. */
  useAddressLink(browser: number, index: number): Answer {
    const link = this.takeLink('address', index)
    if (link === undefined) return answer(410)
    const { who } = link
    const account = this.account(who)
    if (!mayEnter(account) || account.version !== link.version) return answer(410)
    const inside = this.inside(browser)
    const former = account.address
    account.address = link.address ?? former
    account.version += 1
    this.endBegun(who)
    const expiresAt = this.now + ADDRESS_RESTORE_DAYS * DAY_SECONDS
    this.addLink('restore', { who, version: account.version, address: former, expiresAt })
    if (inside?.who !== who) return leadsTo('/address/done')
    this.browsers[browser] = { ...inside, version: account.version }
    return leadsTo('/account/profile')
  }

  /** The link at the former address: whoever changed it, and everybody else, is out. */
  useRestoreLink(index: number): Answer {
    const link = this.takeLink('restore', index)
    if (link === undefined || this.account(link.who).isErased) return answer(410)
    const { who } = link
    const account = this.account(who)
    account.address = link.address ?? account.address
    account.version += 1
    account.deletion = undefined
    this.endBegun(who)
    this.endLinks('restore', who, link.version)
    this.signOut(who)
    return leadsTo('/address/restored')
  }

  /** The owner asks to delete the account, and is out. */
  askDeletion(browser: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: false }, () => {
      const { who = '' } = this.inside(browser) ?? {}
      const account = this.account(who)
      account.version += 1
      const expiresAt = Number.POSITIVE_INFINITY
      const link = this.addLink('keep', { who, version: account.version, expiresAt })
      account.deletion = { link, dueAt: this.now + DELETION_DAYS * DAY_SECONDS }
      this.endBegun(who)
      this.leave(browser)
      this.signOut(who)
      return leadsTo('/deletion/asked')
    })
  }

  /** The link that keeps an account, whoever uses it. */
  useKeepLink(index: number): Answer {
    const link = this.linkAt('keep', index)
    if (link === undefined || this.account(link.who).deletion?.link !== index) return answer(410)
    this.account(link.who).deletion = undefined
    return leadsTo('/deletion/stopped')
  }

  /** Erases what is due: nothing of it opens anything any more. */
  erase(names: readonly string[]): void {
    for (const who of names) {
      const account = this.account(who)
      if (account.deletion === undefined || account.deletion.dueAt > this.now) continue
      account.deletion = undefined
      account.recovery = undefined
      account.isErased = true
      this.forget(`password ${who} ${account.address}`)
    }
  }

  #confirming(
    browser: number,
    {
      isRight,
      isForLoss,
      done,
    }: { readonly isRight: boolean; readonly isForLoss: boolean; readonly done: Answer },
    judge: (who: string) => 200 | 422 | 429,
  ): Answer {
    const state = this.inside(browser)
    if (state === undefined) return LOGIN
    const { who } = state
    const { password, factor } = this.#missing(state, isForLoss)
    if (!password && !factor) return done
    const subject = `password ${who} ${this.account(who).address}`
    if (password) {
      if (this.isLocked(subject, PASSWORD_LIMIT)) return answer(429)
      if (!isRight) {
        this.fail(subject)
        return answer(422)
      }
    }
    const judged = factor ? judge(who) : 200
    if (judged !== 200) return answer(judged)
    this.browsers[browser] = {
      ...state,
      passwordAt: password ? this.now : state.passwordAt,
      factorAt: factor ? this.now : state.factorAt,
      byRecovery: factor ? isForLoss : state.byRecovery,
    }
    return done
  }

  // A change by its owner: this browser stays, and every other one, every program and every pending login is out. `change` says
  // what comes back, or undefined when there was nothing to change.
  #changing(
    browser: number,
    { isForLoss, keeps }: { readonly isForLoss: boolean; readonly keeps: Kept },
    change: (who: string) => Answer | undefined,
  ): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss }, () => {
      const state = this.inside(browser)
      if (state === undefined) return LOGIN
      const done = change(state.who)
      if (done === undefined) return SECURITY
      this.changeCredentials(state.who)
      const { version } = this.account(state.who)
      this.browsers[browser] = { ...state, ...proofsAfter(keeps), version }
      return done
    })
  }

  // With the first factor come the codes, on a page of their own.
  #added(who: string, isFirst: boolean): Answer {
    if (!isFirst) return SECURITY
    this.#newCodes(who)
    return answer(200)
  }

  #judgeRecovery(browser: number, who: string, index: number): 200 | 422 | 429 {
    const unlock = this.unlockOf(browser, who)
    const own = [`recovery ${who}`, `factor ${who}`]
    const isLocked =
      this.isLocked(`recovery ${who}`, RECOVERY_LIMIT) || this.isLocked(`factor ${who}`, FACTOR_LIMIT)
    if (unlock === undefined && isLocked) return 429
    const code = this.#codes[index]
    if (code === undefined || code.isGone || code.who !== who) {
      for (const subject of unlock === undefined ? own : [unlock]) this.fail(subject)
      if (unlock === undefined) this.wrongCode(who, 'recovery')
      return 422
    }
    code.isGone = true
    for (const subject of own) this.forget(subject)
    return 200
  }

  protected override hasFactor(who: string): boolean {
    return super.hasFactor(who) || this.#keys.some((key) => key.who === who && !key.isGone)
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

  #dropKeys(who: string): void {
    for (const key of this.#keys) if (key.who === who) key.isGone = true
  }

  #missing(state: StateOf<'authenticated'>, isForLoss: boolean): Missing {
    const isFresh = (at: number | undefined): boolean =>
      at !== undefined && this.now - at >= 0 && this.now - at < STEP_UP_SECONDS
    const isProven = isFresh(state.factorAt) && (isForLoss || !state.byRecovery)
    return { password: !isFresh(state.passwordAt), factor: this.hasFactor(state.who) && !isProven }
  }
}

function proofsAfter(keeps: Kept): Partial<StateOf<'authenticated'>> {
  if (keeps === 'all') return {}
  if (keeps === 'none') return { passwordAt: undefined, factorAt: undefined }
  return { factorAt: keeps.factorAt, byRecovery: false }
}
