import { MAX_TRUSTED_DEVICES, PARALLEL_SECONDS } from '../../identity/devices/trusted-devices.ts'
import { LIFE_SECONDS } from './device-steps.ts'
import { LinkModel } from './link-model.ts'
import {
  answer,
  type Answer,
  type KnownCookie,
  type KnownTrust,
  leadsTo,
  type StateOf,
} from './model-state.ts'

const SECURITY = leadsTo('/account/security')
const MISSING = answer(404)
const ANONYMOUS_FORM = answer(401)

/** Browsers that need no second step, each with one cookie, whoever signs in with it. */
export class TrustModel extends LinkModel {
  /** Whether browsers can be trusted at all. */
  isTrusting = false
  /** Mails about trusted browsers so far: of new ones, and of tokens that were used a second time. */
  readonly trustMails: { trusted: number; replayed: number } = { trusted: 0, replayed: 0 }
  readonly #trusts: KnownTrust[] = []
  readonly #cookies = new Map<number, KnownCookie>()
  readonly #bound = new Set<string>()

  /** The cookie of a browser; undefined for none. */
  cookieOf(browser: number): KnownCookie | undefined {
    return this.#cookies.get(browser)
  }

  /** Somebody puts a copied cookie into a browser. */
  plantCookie(browser: number, cookie: KnownCookie): void {
    this.#cookies.set(browser, cookie)
  }

  /** The present tokens of every trust that has not been removed. */
  presentCookies(): readonly KnownCookie[] {
    return this.#trusts.flatMap(({ isGone, generation }, trust) => (isGone ? [] : [{ trust, generation }]))
  }

  /** A rule about factors is for this account now, or is not. */
  setBound(who: string, isBound: boolean): void {
    if (isBound) this.#bound.add(who)
    else this.#bound.delete(who)
  }

  /** The owner removes one of the trusted browsers. */
  revokeTrust(browser: number, trust: number): Answer {
    const state = this.inside(browser)
    if (!this.isTrusting) return MISSING
    if (state === undefined) return ANONYMOUS_FORM
    const known = this.#trusts[trust]
    if (known === undefined || known.isGone || known.who !== state.who) return SECURITY
    known.isGone = true
    if (this.#cookies.get(browser)?.trust === trust) this.#cookies.delete(browser)
    return SECURITY
  }

  /** The owner removes all of them. */
  revokeTrusts(browser: number): Answer {
    const state = this.inside(browser)
    if (!this.isTrusting) return MISSING
    if (state === undefined) return ANONYMOUS_FORM
    this.dropTrusts(state.who)
    return SECURITY
  }

  override changeCredentials(who: string): void {
    super.changeCredentials(who)
    this.dropTrusts(who)
  }

  protected dropTrusts(who: string): void {
    for (const trust of this.#trusts) if (trust.who === who) trust.isGone = true
  }

  /** Whether recovery codes are left, which can be guessed. */
  protected hasCodes(_who: string): boolean {
    return false
  }

  // The token works once, for its account, and not while somebody guesses.
  protected override enterTrusted(browser: number, who: string): Answer | undefined {
    const cookie = this.#cookies.get(browser)
    if (cookie === undefined || !this.#isOffered(who)) return undefined
    const known = this.#trusts[cookie.trust]
    if (known?.who === who && known.end !== undefined) this.#enterEnded(browser, known, cookie)
    const trust = this.#live(who, cookie)
    if (trust === undefined) return undefined
    if (trust.generation !== cookie.generation) {
      if (!this.#mayBeLost(trust, cookie)) this.#replayed(browser, trust)
      return undefined
    }
    if (this.isGuessed(who, this.hasCodes(who))) return undefined
    trust.generation += 1
    trust.usedAt = this.now
    this.#cookies.set(browser, { trust: cookie.trust, generation: trust.generation })
    const done = this.completeTrusted(browser, who)
    const state = this.state(browser)
    if (state.kind === 'authenticated') this.browsers[browser] = { ...state, trust: cookie.trust }
    return done
  }

  // A cookie of an earlier use is out of date, and what it stood for ends, with the sessions that it began; a box that is ticked makes
  // a new one.
  protected override passDoor(browser: number, state: StateOf<'pending'>, trusts: boolean): Answer {
    const { who } = state
    const done = super.passDoor(browser, state, trusts)
    if (!this.#isOffered(who)) return done
    const cookie = this.#cookies.get(browser)
    const former = cookie === undefined ? undefined : this.#trusts[cookie.trust]
    const isPresent = former?.generation === cookie?.generation
    this.settleTrust(browser, who)
    if (former !== undefined && trusts && (former.who === who || isPresent)) former.isGone = true
    if (trusts) this.#trust(browser, who)
    return done
  }

  // A use that nobody may have had the response to. Where its token was used as well, somebody had it.
  protected settleTrust(browser: number, who: string): void {
    const cookie = this.#cookies.get(browser)
    const trust = cookie === undefined ? undefined : this.#trusts[cookie.trust]
    if (!this.#isOffered(who) || cookie === undefined || trust === undefined) return
    if (trust.who !== who || trust.isGone || cookie.generation === trust.generation) return
    if (cookie.generation < trust.generation - 1) {
      this.#replayed(browser, trust)
      return
    }
    trust.isGone = true
    trust.end = 'lost'
    this.#void(trust)
  }

  #trust(browser: number, who: string): void {
    const own = this.#trusts.filter((trust) => trust.who === who && !trust.isGone)
    if (own.length >= MAX_TRUSTED_DEVICES) throw new Error('The model does not know which of ten leaves')
    const trust = this.#trusts.push({
      who,
      trustedAt: this.now,
      generation: 0,
      usedAt: this.now,
      isGone: false,
      end: undefined,
    })
    this.#cookies.set(browser, { trust: trust - 1, generation: 0 })
    this.trustMails.trusted += 1
  }

  // Within a minute after its use it may be a second tab.
  #mayBeLost(trust: KnownTrust, { generation }: KnownCookie): boolean {
    return generation === trust.generation - 1 && this.now - trust.usedAt < PARALLEL_SECONDS
  }

  // Somebody has copied it, and may be in a session that it began.
  #replayed(browser: number, trust: KnownTrust): void {
    trust.isGone = true
    trust.end = 'replayed'
    this.trustMails.replayed += 1
    this.#cookies.delete(browser)
    this.#void(trust)
  }

  // The second of the two browsers with one token is told, too. A response that was taken for lost has reached whoever shows its token.
  #enterEnded(browser: number, trust: KnownTrust, { generation }: KnownCookie): void {
    if (trust.end === 'replayed') this.#cookies.delete(browser)
    else if (generation === trust.generation) this.#replayed(browser, trust)
  }

  #void(trust: KnownTrust): void {
    const number = this.#trusts.indexOf(trust)
    for (const [index, state] of this.browsers.entries())
      if (state.kind === 'authenticated' && state.trust === number) this.forgetSession(index)
  }

  #live(who: string, { trust }: KnownCookie): KnownTrust | undefined {
    const known = this.#trusts[trust]
    const isLive = known?.isGone === false && known.who === who && this.now < known.trustedAt + LIFE_SECONDS
    return isLive ? known : undefined
  }

  // Who is bound by a rule always passes the second door.
  #isOffered(who: string): boolean {
    return this.isTrusting && !this.#bound.has(who)
  }
}
