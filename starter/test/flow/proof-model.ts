import { RECOVERY_CODES } from '../../core/factors/recovery-codes.ts'
import {
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  RECOVERY_LIMIT,
  PENDING_LOGIN_SECONDS,
} from '../../core/limits/limits.ts'
import { LinkModel } from './link-model.ts'
import { mayEnter, UNLOCKED_LIMIT } from './model.ts'
import {
  ANONYMOUS,
  answer,
  type Answer,
  type Digits,
  type KnownProof,
  leadsTo,
  type StateOf,
  type Device,
} from './model-state.ts'

const LOGIN = leadsTo('/login')
const HOME = leadsTo('/account')
const SECURITY = leadsTo('/account/security')
const CONFIRM = leadsTo('/account/confirm')
const GUARDED = leadsTo('/account/security/factors/none/rename')
const CODES = leadsTo('/account/recovery-codes')
const STEP_UP_SECONDS = 300

/** What a step-up asks for. */
interface Missing {
  readonly password: boolean
  readonly factor: boolean
}

/** What a change of credentials leaves of the proofs of its session. */
type Kept = 'all' | 'none' | { readonly factorAt: number }

/** What proves an owner behind the second door, and what the proofs let do: the first half of the life of an account. */
export class ProofModel extends LinkModel {
  readonly #keys: KnownProof[] = []
  readonly #codes: KnownProof[] = []

  /** A recovery code at the second door. `index`: of all codes that were ever shown, in their order. */
  recover(browser: number, index: number): Answer {
    const state = this.live(browser)
    if (state === undefined) return this.outside(browser)
    const { who } = state
    const judged = this.#judgeRecovery(browser, who, index)
    if (judged === 429) return answer(429)
    if (judged === 422) return this.missed(browser, state)
    const done = this.complete(browser, who, state.until - PENDING_LOGIN_SECONDS, this.now)
    const inside = this.inside(browser)
    if (inside !== undefined) this.browsers[browser] = { ...inside, byRecovery: true }
    return done
  }

  /** A key at the second door. */
  useKey(browser: number, index: number): Answer {
    const state = this.live(browser)
    if (state === undefined) return this.outside(browser)
    if (!this.#isKeyOf(index, state.who)) return this.missed(browser, state)
    return this.passDoor(browser, state)
  }

  /** A key as the whole login. */
  signInByKey(browser: number, index: number): Answer {
    if (this.state(browser).kind === 'authenticated') return this.isSignedIn(browser) ? HOME : LOGIN
    this.browsers[browser] = ANONYMOUS
    const { who = '' } = this.#keys[index] ?? {}
    if (!this.#isKeyOf(index, who) || !mayEnter(this.account(who))) return LOGIN
    return this.complete(browser, who, undefined, this.now)
  }

  addKey(browser: number): Answer {
    return this.changing(browser, { isForLoss: true, keeps: 'all' }, (who) => {
      const isFirst = !this.hasFactor(who)
      this.#keys.push({ who, isGone: false })
      return this.#added(who, isFirst)
    })
  }

  /** Without it there is nothing to remove, and nothing to confirm. */
  removeKey(browser: number, index: number): Answer {
    return this.changing(browser, { isForLoss: false, keeps: 'none' }, (who) => {
      if (!this.#isKeyOf(index, who)) return undefined
      const key = this.#keys[index]
      if (key !== undefined) key.isGone = true
      if (!this.hasFactor(who)) this.dropCodes(who)
      return SECURITY
    })
  }

  /** A second app, proven by the code of the present step. */
  addSpare(browser: number): Answer {
    return this.changing(browser, { isForLoss: true, keeps: { factorAt: this.now } }, (who) => {
      const isFirst = !this.hasFactor(who)
      const step = Math.floor(this.now / 30)
      this.account(who).spare = { lastStep: step, usedSteps: new Set([step]) }
      this.begin(who, 'spare')
      return this.#added(who, isFirst)
    })
  }

  removeSpare(browser: number): Answer {
    return this.changing(browser, { isForLoss: false, keeps: 'none' }, (who) => {
      if (!this.hasDevice(who, 'spare')) return undefined
      this.account(who).spare = undefined
      if (!this.hasFactor(who)) this.dropCodes(who)
      return SECURITY
    })
  }

  holds(who: string, device: Device): boolean {
    return this.hasDevice(who, device)
  }

  /** New recovery codes, for an account with a factor. */
  renewCodes(browser: number): Answer {
    return this.changing(browser, { isForLoss: true, keeps: 'all' }, (who) => {
      if (!this.hasFactor(who)) return undefined
      this.newCodes(who)
      return answer(200)
    })
  }

  /** A page, or a form, that needs fresh proofs; `isForLoss`: a recovery code is enough, because it mends a loss. */
  withProofs(
    browser: number,
    { isRead, isForLoss }: { readonly isRead: boolean; readonly isForLoss: boolean },
    then: () => Answer,
  ): Answer {
    const state = this.inside(browser)
    if (state === undefined) return isRead ? { ...LOGIN, status: 302 } : answer(401)
    const { password, factor } = this.#missing(state, isForLoss)
    return password || factor ? CONFIRM : then()
  }

  /** The step-up before a factor is renamed: asks for what is missing only, the password first. */
  confirm(browser: number, isRight: boolean, digits: Digits): Answer {
    return this.#confirming(browser, { isRight, isForLoss: false, done: GUARDED }, (who) =>
      this.judge(browser, who, digits),
    )
  }

  /** The step-up before new recovery codes are made, by an old one. */
  confirmByRecovery(browser: number, isRight: boolean, index: number): Answer {
    return this.#confirming(browser, { isRight, isForLoss: true, done: CODES }, (who) =>
      this.#judgeRecovery(browser, who, index),
    )
  }

  /** A key in the place of a code. The password is asked for all the same. */
  confirmByKey(browser: number, index: number): Answer {
    const state = this.inside(browser)
    if (state === undefined) return answer(401)
    if (this.#missing(state, false).factor && this.#isKeyOf(index, state.who))
      this.browsers[browser] = { ...state, factorAt: this.now, byRecovery: false }
    return CONFIRM
  }

  /** Whether the page of the step-up would take the key. */
  takesKey(browser: number, index: number): boolean {
    const state = this.inside(browser)
    return state !== undefined && this.#missing(state, false).factor && this.#isKeyOf(index, state.who)
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
    if (state === undefined) return answer(401)
    const { who } = state
    const { password, factor } = this.#missing(state, isForLoss)
    if (!password && !factor) return done
    const subject = `password ${who} ${this.account(who).address}`
    if (password) {
      if (this.isLocked(subject, PASSWORD_LIMIT)) return answer(429)
      if (!isRight) {
        this.fail(subject, PASSWORD_LIMIT)
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

  // A change by its owner: this browser stays, and every other one and every pending login is out. `change` says
  // what comes back, or undefined when there was nothing to change.
  protected changing(
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
    this.newCodes(who)
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
      if (unlock !== undefined) this.fail(unlock, UNLOCKED_LIMIT)
      else {
        this.fail(`recovery ${who}`, RECOVERY_LIMIT)
        this.fail(`factor ${who}`, FACTOR_LIMIT)
        this.wrongCode(who, 'recovery')
      }
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

  protected newCodes(who: string): void {
    this.dropCodes(who)
    for (let times = 0; times < RECOVERY_CODES; times += 1) this.#codes.push({ who, isGone: false })
  }

  protected dropCodes(who: string): void {
    for (const code of this.#codes) if (code.who === who) code.isGone = true
  }

  protected dropKeys(who: string): void {
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
