import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { PageSlots } from '../page-slots.ts'
import type { PasswordProof } from '../accounts/password-check.ts'
import { type AuthenticationIdentity, Users } from '../accounts/users.ts'
import { type AuditEntry, type AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import {
  chooseFactor,
  chosenFactor,
  challengeIdentifier,
  discardPendingLogin,
  hasPendingLogin,
  PENDING_LOGIN_SECONDS,
  pendingAccount,
  readPendingLogin,
} from '../challenges/pending-login.ts'
import { clientOf } from '../clients/client.ts'
import type { AtDoor, SecondFactorKind, FactorKind } from '../factors/factor-kinds.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { type LockableFactor, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { FactorLocks } from '../factors/factor-locks.ts'
import type { LimitedSubject } from '../limits/limit.ts'
import { Notices } from '../mail/notices.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { hasCurrentCredentials } from '../sessions/session-credentials.ts'
import type { Proofs } from '../sign-in-step.ts'
import { PageController } from '../pages/page-controller.ts'
import { Restart } from './restart.ts'
import { type CodePage, type DoorKeys, type Refusal, type TypedCode, wrongCode } from './door-page.ts'
import {
  choicesOf,
  lockedOf,
  lockMessage,
  type LockMessage,
  openFactor,
  shownFactor,
} from './factor-choices.ts'
import { TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'

/** What the pages of the second door have in common: only the session says whose door it is. */
export class SecondDoor extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly users: Users = inject(Users)
  protected readonly secondFactors: SecondFactors = inject(SecondFactors)
  protected readonly challenges: Challenges = inject(Challenges)
  protected readonly completion: LoginCompletion = inject(LoginCompletion)
  protected readonly audit: AuditTrail = inject(AuditTrail)
  protected readonly notices: Notices = inject(Notices)
  protected readonly locks: FactorLocks = inject(FactorLocks)
  protected readonly policy: FactorPolicy = inject(FactorPolicy)
  readonly #slots = inject(PageSlots)
  readonly #kinds = inject(FactorKinds)
  readonly #atDoor: ReadonlyMap<FactorKind, AtDoor> = new Map(
    this.#kinds.all.flatMap(({ kind, atDoor }) => (atDoor === undefined ? [] : [[kind, inject(atDoor)]])),
  )

  /**
   * Reloads the account in the request that completes the login, because it may have changed since the password was checked.
   *
   * @returns The account whose password was proven in this session; otherwise why the login restarts.
   */
  protected async proofOfPassword(): Promise<PasswordProof | Restart> {
    const { context } = this
    const isAnonymous =
      !context.auth().isAuthenticated() && (await this.sessions.identifier(context.session())) === null
    const pending = await readPendingLogin(context.session(), this.clock)
    if (!isAnonymous || pending === undefined)
      return (await hasPendingLogin(context.session())) ? Restart.expired : Restart.none
    const { identifier } = pending
    const identity = await this.users.authenticationIdentity(identifier)
    if (identity === null) return Restart.unavailable
    const proven = { password: pending.expiresAt - PENDING_LOGIN_SECONDS }
    return (await hasCurrentCredentials(context.session(), identity))
      ? { identifier, identity, proven }
      : Restart.changed
  }

  /** @returns What was proven, and when. */
  protected provenBy(proof: PasswordProof, kind: FactorKind): Proofs {
    return { ...proof.proven, factor: this.clock.timestamp(), kind }
  }

  /** @throws {TurnedAwayException} Always: a browser goes on at the login page, which says why, or leads on who is signed in. */
  protected async restart(reason: Restart): Promise<never> {
    const { context } = this
    await this.end(reason.kind)
    const isForm = context.method() === 'POST'
    if (context.auth().isAuthenticated())
      return this.turnAway(
        { ...TurnedAway.signedIn, text: isForm ? 'sign-in.already' : undefined },
        'account:home',
      )
    // Who opens the page has begun nothing.
    const isSilent = !isForm && reason === Restart.none
    return this.turnAway(isSilent ? { ...reason, text: undefined } : reason, 'account:login')
  }

  /**
   * Records a wrong code, and ends the pending login after the last attempt.
   *
   * @returns The login page after the last attempt; undefined when the page is shown again.
   */
  protected async refused(
    proof: PasswordProof,
    { factor, asked, unlock, kind, triesLeft }: Refusal,
  ): Promise<View | undefined> {
    const { identifier: accountId } = proof
    const session = this.context.session()
    await this.record(kind, asked)
    // Recorded once, when the lock begins: attempts during the lock would flood the trail.
    const challengeId = await challengeIdentifier(session)
    const client = clientOf(this.context)
    const isLocked = await this.locks.refused({ accountId, factor, unlock, client, challengeId })
    if (triesLeft === 0) await this.end(Restart.spent.kind)
    if (!isLocked && triesLeft === 0) await this.notices.tell(accountId, 'factor-refused')
    return triesLeft === 0 ? this.#spentPage(proof.identity) : undefined
  }

  /**
   * Ends the pending login, even if that cannot be recorded.
   *
   * @param leave What else ends. Default: nothing.
   */
  protected async end(kind: AuditEvent | null, leave?: () => Promise<void>): Promise<void> {
    const entry = kind === null ? null : await this.#entry(kind)
    await discardPendingLogin(this.context.session())
    await leave?.()
    if (entry !== null) await this.audit.record(entry)
  }

  /** @param detail Kind of the factor, where the event does not name it. Default: none. */
  protected async record(kind: AuditEvent, detail?: FactorKind): Promise<void> {
    const entry = await this.#entry(kind)
    if (entry !== null) await this.audit.record({ ...entry, ...(detail !== undefined && { detail }) })
  }

  /**
   * @param known What opens the door, where it was read before. Default: it is read.
   * @returns The factor that it asks for: the one that was chosen or used last.
   */
  protected async asked(
    identity: AuthenticationIdentity,
    kind: FactorKind,
    known?: readonly UsableFactor[],
  ): Promise<UsableFactor | undefined> {
    const usable = known ?? (await this.usable(identity))
    const chosen = await chosenFactor(this.context.session(), usable)
    return shownFactor({ page: this.#kinds.of(kind).page, usable, chosen })
  }

  /** @returns The factors that open its second door, the one that was used last first, and then what stands in for them. */
  protected async usable(identity: AuthenticationIdentity): Promise<readonly UsableFactor[]> {
    return (await this.keysOf(identity)).usable
  }

  /** @returns The factors as `usable()` lists them, the kinds that the account holds, and those that open its second door. */
  protected async keysOf(identity: AuthenticationIdentity): Promise<DoorKeys> {
    const all = await this.#usable(identity)
    const held = new Set(all.filter(({ is }) => is.isHeld).map(({ kind }) => kind))
    const accepted = await this.policy.acceptedKinds(identity, held)
    const opens = ({ kind, is }: UsableFactor): boolean => this.#isOnlyAtDoor(is) || accepted.has(kind)
    return { usable: all.filter(opens), held, accepted }
  }

  /** @returns The page. If the factor that was asked for is locked, it says so, and until when. */
  protected async pageOf(kind: FactorKind, proof: PasswordProof, state: CodePage): Promise<View | Response> {
    const { context } = this
    const id = await challengeIdentifier(context.session())
    const added = await this.#atDoor.get(kind)?.pageData?.(context, proof.identifier, id)
    return this.#codePage(this.#kinds.of(kind), proof, { ...state, added })
  }

  /** @returns Its page; if the code has locked it, the page of the factor that the sign-in goes on with. */
  protected pageWhenWrong(
    proof: PasswordProof,
    factor: LockableFactor,
    { form, triesLeft }: { readonly form: Submitted<TypedCode>; readonly triesLeft: number },
  ): Promise<View | Response> {
    const locked = { form: form.refuse(), status: 422 }
    return this.#pageAfter(proof, factor, { otherwise: wrongCode(form, triesLeft), locked })
  }

  /**
   * @returns The page of the factor that the sign-in goes on with.
   * @throws {Error} Any other error.
   */
  protected pageWhenLocked(
    proof: PasswordProof,
    factor: LockableFactor,
    error: unknown,
  ): Promise<View | Response> {
    const otherwise = this.locked(error, LOCKED)
    const locked = { status: otherwise.status, headers: otherwise.headers }
    return this.#pageAfter(proof, factor, { otherwise, locked })
  }

  async #pageAfter(
    proof: PasswordProof,
    factor: LockableFactor,
    states: { readonly otherwise: CodePage; readonly locked: CodePage },
  ): Promise<View | Response> {
    const usable = await this.usable(proof.identity)
    const refused = usable.find(({ kind, id }) =>
      factor.id === undefined ? kind === factor.kind : id === factor.id,
    )
    if (refused === undefined || refused.lockedSeconds === 0)
      return this.pageOf(factor.kind, proof, { ...states.otherwise, usable })
    // Chosen, so that every page says that it is locked.
    await chooseFactor(this.context.session(), refused.id)
    const { kind } = openFactor(usable, refused) ?? refused
    return this.pageOf(kind, proof, { ...states.locked, usable })
  }

  async #codePage(
    { kind, page: names }: SecondFactorKind,
    { identity }: PasswordProof,
    state: CodePage & { readonly added: Readonly<Record<string, unknown>> | undefined },
  ): Promise<View | Response> {
    const { form = blankForm(), status = 200, headers = {}, added } = state
    const usable = state.usable ?? (await this.usable(identity))
    const chosen = await chosenFactor(this.context.session(), usable)
    const parts = { page: names, usable, chosen: openFactor(usable, chosen) }
    // The page may ask for another factor than the one that was chosen.
    const shown = shownFactor(parts)
    const isLocked = [chosen, shown].some((factor) => (factor?.lockedSeconds ?? 0) > 0)
    const how = { id: state.lockedText ?? LOCKED, time: this.#when() }
    const lock = isLocked ? lockMessage({ usable, shown }, how) : undefined
    const told = state.warning ?? lock
    const failed = told !== undefined || form.violations.length > 0
    const page = { title: names.title, failed, page: 'login', narrow: true, door: 2 }
    const choices = choicesOf(parts, this.#when())
    const data = {
      ...page,
      ...choices,
      email: identity.principal.email,
      form,
      warning: told ?? state.notice,
      ...added,
      ...(await this.#slots.fill('secondDoor', this.context, identity)),
    }
    const facts = {
      ...factsOf(shown ?? { kind }),
      ...added,
      others: usable.filter((factor) => factor !== shown).map(factsOf),
    }
    return this.pageOrState('challenge', facts, this.page(names.template, data, { status, headers }))
  }

  /** @returns What counts the tries of this browser; undefined when locks hold in it. */
  protected unlockOf(accountId: string): Promise<LimitedSubject | undefined> {
    return this.locks.unlockOf(this.context.session(), accountId)
  }

  // In an unlocked browser nothing is locked.
  async #usable(identity: AuthenticationIdentity): Promise<readonly UsableFactor[]> {
    const { id } = identity.principal
    const enrolled = await this.secondFactors.usable(id)
    const isUnlocked = (await this.unlockOf(id)) !== undefined
    const usable = isUnlocked ? enrolled.map((factor) => ({ ...factor, lockedSeconds: 0 })) : enrolled
    const standIns: UsableFactor[] = []
    for (const is of this.#kinds.all.filter((each) => this.#isOnlyAtDoor(each))) {
      const { kind } = is
      if ((await this.#atDoor.get(kind)?.isOffered?.(identity)) !== true) continue
      const lockedSeconds = await this.locks.lockedSeconds(this.context.session(), id, { kind })
      standIns.push({ kind, id: kind, label: '', usedAt: null, lockedSeconds, is })
    }
    return [...usable, ...standIns]
  }

  #isOnlyAtDoor({ kind }: SecondFactorKind): boolean {
    return this.#atDoor.get(kind)?.isOffered !== undefined
  }

  #when(): { readonly now: number; readonly locale: string } {
    return { now: this.clock.timestamp(), locale: this.context.locale() }
  }

  async #entry(kind: AuditEvent): Promise<AuditEntry | null> {
    const session = this.context.session()
    const accountId = await pendingAccount(session)
    if (accountId === null) return null
    const challengeId = await challengeIdentifier(session)
    return { kind, accountId, ...clientOf(this.context), challengeId }
  }

  // Keeps the address of the previous page, so that only the password has to be typed again. The last code may have locked its factor, too.
  async #spentPage(identity: AuthenticationIdentity): Promise<View> {
    const { email } = identity.principal
    const locked = lockedOf(await this.usable(identity), this.#when())
    const page = { title: 'sign-in.title', failed: true, page: 'login', narrow: true, door: 1 }
    const warning: LockMessage = { id: SPENT, locked }
    const added = await this.#slots.fill('signIn', this.context)
    const data = { ...page, form: blankForm({ email }), warning, stranded: false, ...added }
    const error = new TurnedAwayException(Restart.spent, this.context.url('account:login'))
    return this.page('account/login', data, { status: 422, error })
  }
}

const LOCKED = 'challenge.locked'
const SPENT = 'sign-in.spent'

// What programs are told of a factor.
function factsOf({ kind, id, label, lockedSeconds }: Partial<UsableFactor>): object {
  return { kind, factor: id, label, lockedSeconds }
}
