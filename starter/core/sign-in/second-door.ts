import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Users } from '../accounts/users.ts'
import { type AuditEntry, AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import {
  challengeOf,
  chooseFactor,
  discardPendingLogin,
  ensureChallenge,
  hasPendingLogin,
  pendingAccount,
  readPendingLogin,
} from '../challenges/pending-login.ts'
import { Database } from '../database/database.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { type LockableFactor, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { PENDING_LOGIN_SECONDS } from '../limits/limits.ts'
import { isAsProven, LoginCompletion } from '../login/login-completion.ts'
import { type Notice, Notices } from '../mail/notices.ts'
import { factorName } from '../messages/factor-names.ts'
import { PageSlots } from '../page-slots.ts'
import { PageController, type PageState, waitMessage } from '../pages/page-controller.ts'
import { type PageMessage, toMoment } from '../pages/presentation.ts'
import { hasCurrentCredentials } from '../sessions/session-credentials.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Door, type DoorAttempt, Doors, openFactor, shownOn } from './door.ts'

type Restart = 'none' | 'expired' | 'changed' | 'unavailable' | 'spent' | 'over'

// Why a login restarts at the password, as the message `sign-in.<reason>` says, and what is recorded.
const RESTARTS: Readonly<Record<Restart, { readonly kind: AuditEvent | null; readonly code: string }>> = {
  none: { kind: null, code: 'ERR_APP_NO_PENDING_SIGN_IN' },
  expired: { kind: AuditEvent.ChallengeExpired, code: 'ERR_APP_CHALLENGE_EXPIRED' },
  changed: { kind: AuditEvent.ChallengeOutdated, code: 'ERR_APP_CHALLENGE_EXPIRED' },
  unavailable: { kind: AuditEvent.AccountUnavailable, code: 'ERR_APP_UNAVAILABLE' },
  spent: { kind: AuditEvent.ChallengeSpent, code: 'ERR_APP_CHALLENGE_SPENT' },
  // A code was accepted, or no attempt is left, or it was cancelled.
  over: { kind: null, code: 'ERR_APP_CHALLENGE_EXPIRED' },
}

const LOCKED = 'challenge.locked'

/** What the pages of the second door have in common: only the session says whose door it is. */
export class SecondDoor extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly challenges: Challenges = inject(Challenges)
  protected readonly audit: AuditTrail = inject(AuditTrail)
  readonly #users = inject(Users)
  readonly #database = inject(Database)
  readonly #notices = inject(Notices)
  readonly #factors = inject(SecondFactors)
  readonly #completion = inject(LoginCompletion)
  readonly #slots = inject(PageSlots)
  readonly #doors = inject(Doors)

  /** Reads the account again, which may have changed since its password was proven; turns away if no login waits any more. */
  protected async door(): Promise<Door> {
    const { context } = this
    const session = context.session()
    const isAnonymous =
      !context.auth().isAuthenticated() && (await this.sessions.identifier(session)) === null
    const pending = await readPendingLogin(session, this.clock)
    if (!isAnonymous || pending === undefined)
      return this.restart((await hasPendingLogin(session)) ? 'expired' : 'none')
    const { identifier, expiresAt } = pending
    const identity = await this.#users.authenticationIdentity(identifier)
    if (identity === null) return this.restart('unavailable')
    if (!(await hasCurrentCredentials(session, identity))) return this.restart('changed')
    const isByMail = (await challengeOf(session))?.isByPassword !== true
    const proven = isByMail ? {} : { password: expiresAt - PENDING_LOGIN_SECONDS }
    return this.#doors.read(session, { identifier, identity, proven, isByMail })
  }

  /**
   * @param notice What its owner is told of it. Default: nothing.
   * @throws {TurnedAwayException} Always: a browser goes on at the login page, which says why, or leads on who is signed in.
   */
  protected async restart(reason: Restart, notice?: Notice): Promise<never> {
    const { context } = this
    const { kind, code } = RESTARTS[reason]
    const entry = kind === null ? undefined : await this.entry(kind)
    await discardPendingLogin(context.session())
    if (entry !== undefined)
      await this.#database.transaction().execute(async (transaction) => {
        await this.audit.record(entry, transaction)
        if (notice !== undefined) await this.#notices.tell(notice, transaction)
      })
    const isForm = context.method() === 'POST'
    if (context.auth().isAuthenticated()) {
      const text = isForm ? 'sign-in.already' : undefined
      return this.turnAway({ ...TurnedAway.signedIn, text }, 'account:home')
    }
    // Who opens the page has begun nothing.
    const text = isForm || reason !== 'none' ? `sign-in.${reason}` : undefined
    const detail = 'No sign-in waits for this: begin with the password'
    return this.turnAway({ status: 409, code, detail, text }, 'account:login')
  }

  /** @returns An event of the pending login; undefined when none is there in any state. */
  protected async entry(
    kind: AuditEvent,
  ): Promise<(AuditEntry & { readonly accountId: string; readonly challengeId: string }) | undefined> {
    const session = this.context.session()
    const accountId = await pendingAccount(session)
    if (accountId === null) return undefined
    const { id: challengeId } = await ensureChallenge(session)
    return { kind, accountId, ...clientOf(this.context), challengeId }
  }

  /**
   * Checks a code, and completes the login with a right one: the attempt is counted, the code used up and the login recorded in one
   * transaction. A wrong code is recorded, and the last one ends the pending login.
   */
  protected async attempt(
    door: Door,
    form: Submitted<object>,
    attempt: DoorAttempt,
  ): Promise<View | Response> {
    const { proof, challengeId: id, unlock, accepted: kinds } = door
    const { factor, verify, after } = attempt
    const login = await this.#completion.prepare(this.context, { ...proof, form: form.refuse() })
    let triesLeft: number | undefined
    let kind = factor.kind
    let isAccepted: boolean
    try {
      isAccepted = await verify(proof.identity.principal, {
        id,
        client: clientOf(this.context),
        factorId: factor.id,
        unlock,
        kinds,
        reserve: async (database) => {
          if (!(await isAsProven(database, proof))) return false
          triesLeft = await this.challenges.reserve(id, proof.identifier, database)
          return triesLeft !== undefined
        },
        accepted: async (database, proven) => {
          await login.record(database, proven)
          kind = proven
        },
      })
    } catch (error) {
      return this.#pageAfter(door, factor, { ...this.locked(error, LOCKED), form: form.refuse() })
    }
    if (triesLeft === undefined) return this.restart('over')
    if (!isAccepted) return this.#refuse(door, form, { ...attempt, triesLeft })
    const target = await login.enter({ ...proof.proven, factor: this.clock.timestamp(), kind })
    await after?.()
    return this.redirect(target)
  }

  async #refuse(
    door: Door,
    form: Submitted<object>,
    { factor, refusedAs, wrong, triesLeft }: DoorAttempt & { readonly triesLeft: number },
  ): Promise<View | Response> {
    const { challengeId, unlock } = door
    const accountId = door.proof.identifier
    if (refusedAs !== undefined)
      await this.audit.record({ kind: refusedAs, accountId, ...clientOf(this.context), challengeId })
    if (triesLeft === 0) {
      const isLocked = unlock === undefined && (await this.#factors.lockedSeconds(accountId, factor)) > 0
      const kind = door.proof.isByMail === true ? 'factor-refused-by-link' : 'factor-refused'
      // A lock has a mail of its own.
      return this.restart('spent', isLocked ? undefined : { kind, accountId })
    }
    const fault = { field: 'code', code: 'wrong_code', fallback: 'That code is wrong', domain: 'auth' }
    const state = wrong?.(triesLeft) ?? { form: form.refuse({ ...fault, parameters: { triesLeft } }) }
    return this.#pageAfter(door, factor, { ...state, status: 422 })
  }

  // If the code has locked its factor, the page of the one that the sign-in goes on with.
  async #pageAfter(
    { proof }: Door,
    { kind, id }: LockableFactor,
    state: PageState,
  ): Promise<View | Response> {
    const session = this.context.session()
    const door = await this.#doors.read(session, proof)
    const refused = door.usable.find((each) => (id === undefined ? each.kind === kind : each.id === id))
    if (refused === undefined || refused.lockedSeconds === 0) return this.pageOf(kind, door, state)
    // Chosen, so that every page says that it is locked.
    await chooseFactor(session, refused.id)
    const now = { ...door, chosen: refused }
    const { status = 200, headers = {} } = state
    return this.pageOf(openFactor(now)?.kind ?? refused.kind, now, { status, headers })
  }

  /** @returns The page of a kind. If the factor that was chosen is locked, it says so, and until when. */
  protected async pageOf(kind: FactorKind, door: Door, state: PageState = {}): Promise<View | Response> {
    const { usable, proof, chosen } = door
    const { form = blankForm() } = state
    const page = this.#doors.pageOf(kind)
    const added = await this.#doors.dataOf(kind, this.context, door)
    const shown = shownOn(page, door)
    const isLocked = [chosen, shown].some((factor) => (factor?.lockedSeconds ?? 0) > 0)
    const warning = state.warning ?? (isLocked ? this.#lockMessage(usable, shown) : undefined)
    const others = usable.filter((factor) =>
      page.asksForAll === true ? factor.is.page !== page : factor !== shown,
    )
    const data = {
      title: page.title,
      failed: warning !== undefined || form.violations.length > 0,
      page: 'login',
      narrow: true,
      door: 2,
      email: proof.identity.principal.email,
      factor: shown && this.choiceOf(shown),
      others: others.map((other) => this.choiceOf(other)),
      hasSeveral: others.some((other) => other.kind === shown?.kind),
      ...added,
      ...(await this.#slots.fill('secondDoor', this.context, proof.identity)),
    }
    const facts = {
      ...factsOf(shown ?? { kind }),
      ...added,
      others: usable.filter((factor) => factor !== shown).map(factsOf),
    }
    const view = this.page(page.template, data, { ...state, form, ...(warning && { warning }) })
    return this.pageOrState('challenge', facts, view)
  }

  /** @returns The factor that the page of a kind asks for; undefined when the account has none of it. */
  protected shown(kind: FactorKind, door: Door): UsableFactor | undefined {
    return shownOn(this.#doors.pageOf(kind), door)
  }

  /** @returns A factor as the pages name it: with a deadline, and no wait, because the page ends before most locks do. */
  protected choiceOf({ kind, id, label, lockedSeconds }: UsableFactor): Readonly<Record<string, unknown>> {
    const until = this.clock.timestamp() + lockedSeconds
    const locked = lockedSeconds === 0 ? undefined : toMoment(until, this.context.locale())
    return { kind, id, name: factorName({ kind, label }), locked }
  }

  // Which factors are locked, until when, and what the page asks for all the same, or how long to wait.
  #lockMessage(
    usable: readonly UsableFactor[],
    shown: UsableFactor | undefined,
  ): PageMessage & { readonly locked: readonly unknown[] } {
    const waiting = usable.filter(({ lockedSeconds }) => lockedSeconds > 0)
    const locked = waiting.map((factor) => this.choiceOf(factor))
    const first = Math.min(...waiting.map(({ lockedSeconds }) => lockedSeconds))
    const message =
      shown?.lockedSeconds === 0
        ? { id: LOCKED, asks: factorName(shown) }
        : waitMessage(LOCKED, shown?.lockedSeconds ?? first)
    return { ...message, locked }
  }
}

// What programs are told of a factor.
function factsOf({ kind, id, label, lockedSeconds }: Partial<UsableFactor>): object {
  return { kind, factor: id, label, lockedSeconds }
}
