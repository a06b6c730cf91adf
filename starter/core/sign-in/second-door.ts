import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Users } from '../accounts/users.ts'
import { type AuditEntry, type AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import {
  challengeIdentifier,
  chooseFactor,
  chosenFactor,
  discardPendingLogin,
  hasPendingLogin,
  isPendingByMail,
  pendingAccount,
  readPendingLogin,
} from '../challenges/pending-login.ts'
import { PENDING_LOGIN_SECONDS } from '../limits/limits.ts'
import { Database } from '../database/database.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { type LockableFactor, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { type Notice, Notices } from '../mail/notices.ts'
import { PageSlots } from '../page-slots.ts'
import { PageController } from '../pages/page-controller.ts'
import { hasCurrentCredentials } from '../sessions/session-credentials.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import {
  choiceOf,
  type ChoiceTime,
  type CodePage,
  type Door,
  type DoorAttempt,
  LOCKED,
  lockMessage,
  openFactor,
  Restart,
} from './door.ts'
import { Doors } from './doors.ts'

/** An event of a pending login. */
interface PendingEntry extends AuditEntry {
  readonly accountId: string
  readonly challengeId: string
}

/** What the pages of the second door have in common: only the session says whose door it is. */
export class SecondDoor extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly users: Users = inject(Users)
  protected readonly challenges: Challenges = inject(Challenges)
  protected readonly audit: AuditTrail = inject(AuditTrail)
  readonly #database = inject(Database)
  readonly #notices = inject(Notices)
  readonly #factors = inject(SecondFactors)
  readonly #completion = inject(LoginCompletion)
  readonly #slots = inject(PageSlots)
  readonly #doors = inject(Doors)

  /**
   * Reads the account again, which may have changed since its password was proven, and what opens its door.
   *
   * @throws {TurnedAwayException} If no login waits in this session any more.
   */
  protected async door(): Promise<Door> {
    const { context } = this
    const session = context.session()
    const isAnonymous =
      !context.auth().isAuthenticated() && (await this.sessions.identifier(session)) === null
    const pending = await readPendingLogin(session, this.clock)
    if (!isAnonymous || pending === undefined)
      return this.restart((await hasPendingLogin(session)) ? Restart.expired : Restart.none)
    const { identifier, expiresAt } = pending
    const identity = await this.users.authenticationIdentity(identifier)
    if (identity === null) return this.restart(Restart.unavailable)
    if (!(await hasCurrentCredentials(session, identity))) return this.restart(Restart.changed)
    const isByMail = await isPendingByMail(session)
    const proven = isByMail ? {} : { password: expiresAt - PENDING_LOGIN_SECONDS }
    return this.#doors.read(session, { identifier, identity, proven, isByMail })
  }

  /**
   * @param notice What its owner is told of it. Default: nothing.
   * @throws {TurnedAwayException} Always: a browser goes on at the login page, which says why, or leads on who is signed in.
   */
  protected async restart(reason: Restart, notice?: Notice): Promise<never> {
    const { context } = this
    const entry = reason.kind === null ? undefined : await this.entry(reason.kind)
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
    const isSilent = !isForm && reason === Restart.none
    return this.turnAway(isSilent ? { ...reason, text: undefined } : reason, 'account:login')
  }

  /** @returns An event of the pending login; undefined when none is there in any state. */
  protected async entry(kind: AuditEvent): Promise<PendingEntry | undefined> {
    const session = this.context.session()
    const accountId = await pendingAccount(session)
    if (accountId === null) return undefined
    const challengeId = await challengeIdentifier(session)
    return { kind, accountId, ...clientOf(this.context), challengeId }
  }

  /**
   * Checks a code, and completes the login with a right one. The attempt is counted, the code used up and the login recorded in one
   * transaction. A wrong code is recorded, and the last one ends the pending login.
   *
   * @returns A redirect to the next page; the page of the factor that the sign-in goes on with.
   * @throws {TurnedAwayException} If the login is over.
   */
  protected async attempt(
    door: Door,
    form: Submitted<object>,
    attempt: DoorAttempt,
  ): Promise<View | Response> {
    const { proof, challengeId: id, unlock, accepted: kinds } = door
    const login = await this.#completion.prepare(this.context, { ...proof, form: form.refuse() }, door.held)
    let triesLeft: number | undefined
    let proven = attempt.factor.kind
    let isAccepted: boolean
    try {
      isAccepted = await attempt.verify(proof.identity.principal, {
        id,
        client: clientOf(this.context),
        factorId: attempt.factor.id,
        unlock,
        kinds,
        reserve: async (database) => {
          if (!(await login.stands(database))) return false
          triesLeft = await this.challenges.reserve(id, proof.identifier, database)
          return triesLeft !== undefined
        },
        accepted: async (database, kind) => {
          await login.record(database, kind)
          proven = kind
        },
      })
    } catch (error) {
      return this.#pageAfter(door, attempt.factor, { ...this.locked(error, LOCKED), form: form.refuse() })
    }
    if (triesLeft === undefined) return this.restart(Restart.over)
    if (!isAccepted) return this.#refuse(door, form, { ...attempt, triesLeft })
    const factor = this.clock.timestamp()
    const target = await login.enter({ ...proof.proven, factor, kind: proven })
    await attempt.after?.()
    return this.redirect(target)
  }

  async #refuse(
    door: Door,
    form: Submitted<object>,
    { factor, refusedAs, wrong, triesLeft }: DoorAttempt & { readonly triesLeft: number },
  ): Promise<View | Response> {
    const { challengeId, unlock } = door
    const accountId = door.proof.identifier
    const client = clientOf(this.context)
    if (refusedAs !== undefined)
      await this.audit.record({ kind: refusedAs, accountId, ...client, challengeId })
    if (triesLeft === 0) {
      const isLocked = unlock === undefined && (await this.#factors.lockedSeconds(accountId, factor)) > 0
      const kind = door.proof.isByMail === true ? 'factor-refused-by-link' : 'factor-refused'
      // A lock has a mail of its own.
      return this.restart(Restart.spent, isLocked ? undefined : { kind, accountId })
    }
    const fault = { field: 'code', code: 'wrong_code', fallback: 'That code is wrong', domain: 'auth' }
    const state = wrong?.(triesLeft) ?? { form: form.refuse({ ...fault, parameters: { triesLeft } }) }
    return this.#pageAfter(door, factor, { ...state, status: 422 })
  }

  // If the code has locked its factor, the page of the one that the sign-in goes on with.
  async #pageAfter({ proof }: Door, factor: LockableFactor, state: CodePage): Promise<View | Response> {
    const session = this.context.session()
    const door = await this.#doors.read(session, proof)
    const refused = door.usable.find(({ kind, id }) =>
      factor.id === undefined ? kind === factor.kind : id === factor.id,
    )
    if (refused === undefined || refused.lockedSeconds === 0) return this.pageOf(factor.kind, door, state)
    // Chosen, so that every page says that it is locked.
    await chooseFactor(session, refused.id)
    const { kind } = openFactor(door.usable, refused) ?? refused
    const { status = 200, headers = {} } = state
    return this.pageOf(kind, door, { status, headers })
  }

  /** @returns The page of a kind. If the factor that was chosen is locked, it says so, and until when. */
  protected async pageOf(kind: FactorKind, door: Door, state: CodePage = {}): Promise<View | Response> {
    const { context } = this
    const { usable, proof } = door
    const { form = blankForm(), status = 200, headers = {} } = state
    const page = this.#doors.pageOf(kind)
    const added = await this.#doors.dataOf(kind, context, door)
    const chosen = await chosenFactor(context.session(), usable)
    const shown = await this.shown(kind, door)
    const isLocked = [chosen, shown].some((factor) => (factor?.lockedSeconds ?? 0) > 0)
    const warning = state.warning ?? (isLocked ? lockMessage(usable, shown, this.time()) : undefined)
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
      form,
      warning,
      factor: shown && choiceOf(shown, this.time()),
      others: others.map((other) => choiceOf(other, this.time())),
      hasSeveral: others.some((other) => other.kind === shown?.kind),
      ...added,
      ...(await this.#slots.fill('secondDoor', context, proof.identity)),
    }
    const facts = {
      ...factsOf(shown ?? { kind }),
      ...added,
      others: usable.filter((factor) => factor !== shown).map(factsOf),
    }
    return this.pageOrState('challenge', facts, this.page(page.template, data, { status, headers }))
  }

  /** @returns The factor that the page of a kind asks for; undefined when the account has none of it. */
  protected shown(kind: FactorKind, door: Door): Promise<UsableFactor | undefined> {
    return this.#doors.shownOn(this.context.session(), kind, door)
  }

  /** @returns When and for whom deadlines are shown. */
  protected time(): ChoiceTime {
    return { now: this.clock.timestamp(), locale: this.context.locale() }
  }
}

// What programs are told of a factor.
function factsOf({ kind, id, label, lockedSeconds }: Partial<UsableFactor>): object {
  return { kind, factor: id, label, lockedSeconds }
}
