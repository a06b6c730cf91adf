import { Limit } from 'sallyport-app/limits'
import { ENROLLMENT_SECONDS } from '../../core/limits/limits.ts'
import { mayEnter } from './model.ts'
import { ANONYMOUS, answer, type Answer, leadsTo, type StateOf } from './model-state.ts'
import { ProofModel } from './proof-model.ts'

const LOGIN = leadsTo('/login')
const SECURITY = leadsTo('/account/security')
const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
// What a change of address promises: five in an hour, a link for an hour, and a way back for a week.
const ADDRESS_CHANGE_LIMIT = new Limit('address-change', 5, { windowSeconds: HOUR_SECONDS })
const ADDRESS_CHANGE_SECONDS = HOUR_SECONDS
const ADDRESS_RESTORE_DAYS = 7

/** The life of an account behind the login: its sessions, its set-up, its address. */
export class AccountModel extends ProofModel {
  /** A new password, which is not the present one: `chosen` says which. */
  changePassword(browser: number, chosen: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: true }, () => {
      const { who = '' } = this.inside(browser) ?? {}
      if (this.account(who).password === chosen) return answer(422)
      return this.changing(browser, { isForLoss: true, keeps: 'none' }, () => {
        this.account(who).password = chosen
        return SECURITY
      })
    })
  }

  passwordOf(who: string): number {
    return this.account(who).password
  }

  addressOf(who: string): number {
    return this.account(who).address
  }

  /** An administrator takes the factors of an account away. */
  resetFactors(who: string): void {
    const account = this.account(who)
    account.app = undefined
    account.spare = undefined
    account.mustEnroll = true
    this.dropKeys(who)
    this.dropCodes(who)
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
      account.spare = undefined
      account.recovery = undefined
      this.dropKeys(who)
    }
    this.begin(who, 'app')
    this.newCodes(who)
    this.changeCredentials(who)
    const factorAt = state.replaces ? undefined : this.now
    this.browsers[browser] = { ...state, version: account.version, stage: 'proven', until, factorAt }
    return answer(200)
  }

  /** Leaves the enrollment, unless its factor counts by now. Without one, a login goes on that waits for its second step. */
  leaveEnrollment(browser: number): Answer {
    if (this.isSignedIn(browser)) return leadsTo('/account')
    if (this.enrollmentOf(browser)?.stage === 'proven') return leadsTo('/enroll')
    if (this.state(browser).kind === 'enrolling') this.browsers[browser] = ANONYMOUS
    return LOGIN
  }

  endOthers(browser: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: true }, () => {
      const { who = '' } = this.inside(browser) ?? {}
      this.signOut(who, browser)
      return leadsTo('/account/sessions')
    })
  }

  endAll(browser: number): Answer {
    return this.withProofs(browser, { isRead: false, isForLoss: true }, () => {
      const { who = '' } = this.inside(browser) ?? {}
      this.changeCredentials(who)
      this.signOut(who)
      return LOGIN
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
      this.fail(`address ${who}`, ADDRESS_CHANGE_LIMIT)
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
    this.changeCredentials(who)
    this.endBegun(who)
    const expiresAt = this.now + ADDRESS_RESTORE_DAYS * DAY_SECONDS
    this.addLink('restore', { who, version: account.version, address: former, expiresAt })
    if (inside === undefined) return LOGIN
    if (inside.who !== who) return leadsTo('/account')
    this.browsers[browser] = { ...inside, version: account.version }
    return leadsTo('/account')
  }

  /** The link at the former address: whoever changed it, and everybody else, is out. */
  useRestoreLink(index: number): Answer {
    const link = this.takeLink('restore', index)
    if (link === undefined) return answer(410)
    const { who } = link
    const account = this.account(who)
    account.address = link.address ?? account.address
    this.changeCredentials(who)
    this.endBegun(who)
    this.endLinks('restore', who, link.version)
    this.signOut(who)
    return leadsTo('/forgot')
  }
}
