import { Limit } from 'sallyport-app/limits'
import {
  AUTHENTICATOR_LIMIT,
  FACTOR_LIMIT,
  RECOVERY_LIMIT,
  ENROLLMENT_MAIL_LIMIT,
} from '../../core/limits/limits.ts'
import { missing } from '../facts-of-parts.ts'
import { mayEnter, Model, UNLOCKED_LIMIT } from './model.ts'
import {
  answer,
  type Answer,
  type Asked,
  type Device,
  leadsTo,
  type Link,
  type LinkKind,
  LINKS,
} from './model-state.ts'

const LOGIN = leadsTo('/login')
const LOST = leadsTo('/lost')

// The link of the mail about a lock, and how long its browser has tries.
const UNLOCK_LINK_SECONDS = 60 * 60
const UNLOCKED_SECONDS = 10 * 60
const SENDS_UNLOCK_LINKS = !missing('unlock')
const HOUR = 60 * 60
const LOST_FACTOR_LIMIT = new Limit('lost-factor', 5, { windowSeconds: 12 * HOUR })
const RECOVERY_CONFIRM_SECONDS = HOUR / 2
const RECOVERY_WAIT_SECONDS = 72 * HOUR
const RECOVERY_LONG_WAIT_SECONDS = 14 * 24 * HOUR
const RECOVERY_OPEN_SECONDS = 7 * 24 * HOUR
const RECOVERY_PAUSE_SECONDS = 72 * HOUR

/** A browser in which locks do not hold for an account. */
interface Unlocked {
  readonly who: string
  readonly subject: string
  readonly until: number
}

/** What the links of mails do: they lift a lock in one browser, and let somebody without a factor back in after a while. */
export class LinkModel extends Model {
  readonly #links: Readonly<Record<LinkKind, Link[]>> = {
    unlock: [],
    address: [],
    restore: [],
    lost: [],
    'lost-stop': [],
  }
  readonly #unlocked = new Map<number, Unlocked>()

  /** How many links of each kind were sent so far. */
  linkCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries(LINKS.map((kind) => [kind, this.#links[kind].length]))
  }

  /** The browser lost its session, with everything in it. */
  forgetSession(browser: number): void {
    this.leave(browser)
    this.#unlocked.delete(browser)
  }

  /** Somebody elsewhere has typed wrong codes. */
  attack(who: string, times: number): void {
    const hasApp = this.hasDevice(who, 'app')
    for (let count = 0; count < times; count += 1) {
      // Nothing is counted while something of it is locked.
      if (this.isLocked(`factor ${who}`, FACTOR_LIMIT)) return
      if (hasApp && this.isLocked(`app ${who}`, AUTHENTICATOR_LIMIT)) return
      this.fail(`factor ${who}`, FACTOR_LIMIT)
      if (hasApp) this.fail(`app ${who}`, AUTHENTICATOR_LIMIT)
    }
  }

  /** The link of a mail about a lock. It signs nobody in. */
  unlock(browser: number, index: number): Answer {
    const link = this.linkAt('unlock', index)
    if (link === undefined || link.isUsed || link.expiresAt <= this.now) return answer(410)
    const account = this.account(link.who)
    if (!mayEnter(account) || account.version !== link.version) return answer(410)
    link.isUsed = true
    const until = this.now + UNLOCKED_SECONDS
    this.#unlocked.set(browser, { who: link.who, subject: `unlocked ${index}`, until })
    if (this.isSignedIn(browser)) return leadsTo('/account/security')
    const state = this.state(browser)
    return state.kind === 'pending' && state.until > this.now ? leadsTo('/login/2fa') : LOGIN
  }

  /** The factor is lost, and a recovery is asked for, behind the password only. */
  lose(browser: number): Answer {
    const state = this.live(browser)
    if (state === undefined) return this.outside(browser)
    const { who, version } = state
    const subject = `lost ${who}`
    if (this.isLocked(subject, LOST_FACTOR_LIMIT)) return answer(429)
    this.fail(subject, LOST_FACTOR_LIMIT)
    this.settle(who)
    const account = this.account(who)
    const isOpen = account.recovery?.readyAt !== undefined
    if (isOpen || (account.recovery === undefined && account.pausedUntil > this.now)) return LOST
    const expiresAt = this.now + RECOVERY_CONFIRM_SECONDS
    const recovery = { version, readyAt: undefined, expiresAt }
    account.recovery = recovery
    // How long the links live is said by the recovery.
    for (const kind of ['lost', 'lost-stop'] as const)
      this.addLink(kind, { who, version, recovery, expiresAt: Number.POSITIVE_INFINITY })
    return LOST
  }

  /** The link that begins the waiting time. */
  confirmLoss(index: number): Answer {
    const link = this.linkAt('lost', index)
    const recovery = link?.recovery
    if (link === undefined || link.isUsed || recovery === undefined || !this.#isOpen(link)) return answer(410)
    const { who } = link
    const account = this.account(who)
    if (!mayEnter(account) || account.version !== recovery.version || recovery.readyAt !== undefined)
      return answer(410)
    link.isUsed = true
    recovery.readyAt =
      this.now + (this.hasMailPassword(who) ? RECOVERY_LONG_WAIT_SECONDS : RECOVERY_WAIT_SECONDS)
    recovery.expiresAt = recovery.readyAt + RECOVERY_OPEN_SECONDS
    this.#addStop(who)
    return answer(200)
  }

  /** A link that stops a recovery. */
  stopLoss(index: number): Answer {
    const link = this.linkAt('lost-stop', index)
    if (link === undefined || !this.#isOpen(link)) return answer(410)
    this.#stop(link.who)
    return answer(200)
  }

  /** After the waiting time, a last link leads to a new factor. */
  continueLoss(browser: number): Answer {
    const state = this.live(browser)
    if (state === undefined) return this.outside(browser)
    const { who } = state
    if (!this.isReady(who)) return LOST
    const begun = this.beginEnrollment(browser, who, true)
    const subject = `enrollment mail ${who}`
    if (!this.isLocked(subject, ENROLLMENT_MAIL_LIMIT)) {
      this.fail(subject, ENROLLMENT_MAIL_LIMIT)
      this.#addStop(who)
    }
    return begun
  }

  protected isReady(who: string): boolean {
    this.settle(who)
    const readyAt = this.account(who).recovery?.readyAt
    return readyAt !== undefined && readyAt <= this.now
  }

  // What has run out, or belongs to earlier credentials, ends without a pause.
  protected settle(who: string): void {
    const account = this.account(who)
    const { recovery, version } = account
    if (recovery === undefined) return
    if (recovery.expiresAt <= this.now || recovery.version !== version || !mayEnter(account))
      account.recovery = undefined
  }

  protected override beginEnrollment(browser: number, who: string, replaces: boolean): Answer {
    if (!replaces && !this.isLocked(`enrollment mail ${who}`, ENROLLMENT_MAIL_LIMIT))
      this.fail(`enrollment mail ${who}`, ENROLLMENT_MAIL_LIMIT)
    return super.beginEnrollment(browser, who, replaces)
  }

  /** What mails to an address have begun ends with it. */
  protected endBegun(who: string): void {
    this.endLinks('address', who)
    this.#stop(who)
  }

  // Who signs in has nothing lost.
  protected override complete(browser: number, who: string, passwordAt?: number, factorAt?: number): Answer {
    this.#stop(who)
    return super.complete(browser, who, passwordAt, factorAt)
  }

  protected signOut(who: string, but?: number): void {
    for (const [index, state] of this.browsers.entries())
      if (index !== but && state.kind === 'authenticated' && state.who === who) this.forgetSession(index)
  }

  protected override unlockOf(browser: number, who: string): string | undefined {
    const unlocked = this.#unlocked.get(browser)
    if (unlocked === undefined || unlocked.who !== who || unlocked.until <= this.now) return undefined
    return this.isLocked(unlocked.subject, UNLOCKED_LIMIT) ? undefined : unlocked.subject
  }

  // The owner is told of a lock by a mail with a link: once, by the code that begins it. While it holds, no code is checked.
  protected override wrongCode(who: string, what: Asked): void {
    if (!SENDS_UNLOCK_LINKS) return
    const isOfAll = this.isLocked(`factor ${who}`, FACTOR_LIMIT)
    if (!isOfAll && !this.#isOwnLocked(who, what)) return
    const { version } = this.account(who)
    this.addLink('unlock', { who, version, expiresAt: this.now + UNLOCK_LINK_SECONDS })
  }

  /** A new device has no failures. */
  protected begin(who: string, device: Device): void {
    this.forget(`${device} ${who}`)
  }

  protected linkAt(kind: LinkKind, index: number): Link | undefined {
    return this.#links[kind][index]
  }

  /** A link that works once; undefined when it works no more. */
  protected takeLink(kind: LinkKind, index: number): Link | undefined {
    const link = this.linkAt(kind, index)
    if (link === undefined || link.isUsed || link.expiresAt <= this.now) return undefined
    link.isUsed = true
    return link
  }

  protected addLink(kind: LinkKind, link: Omit<Link, 'isUsed'>): number {
    return this.#links[kind].push({ ...link, isUsed: false }) - 1
  }

  protected endLinks(kind: LinkKind, who: string, from = 0): void {
    for (const link of this.#links[kind]) if (link.who === who && link.version >= from) link.isUsed = true
  }

  #isOwnLocked(who: string, what: Asked): boolean {
    if (what === 'recovery') return this.isLocked(`recovery ${who}`, RECOVERY_LIMIT)
    const device = what === 'any' ? 'app' : what
    return this.#isDeviceLocked(who, device)
  }

  #isDeviceLocked(who: string, device: Device): boolean {
    return this.hasDevice(who, device) && this.isLocked(`${device} ${who}`, AUTHENTICATOR_LIMIT)
  }

  #isOpen({ who, recovery }: Link): boolean {
    return recovery !== undefined && this.account(who).recovery === recovery && recovery.expiresAt > this.now
  }

  #stop(who: string): void {
    const account = this.account(who)
    if (account.recovery === undefined) return
    account.recovery = undefined
    account.pausedUntil = this.now + RECOVERY_PAUSE_SECONDS
  }

  #addStop(who: string): void {
    const { recovery, version } = this.account(who)
    if (recovery === undefined) return
    this.addLink('lost-stop', { who, version, recovery, expiresAt: Number.POSITIVE_INFINITY })
  }
}
