import { Clock, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { prefersJson } from 'sallyport/http'
import { blankForm, type ShownForm, type Submitted, ValidationException, Violation } from 'sallyport/input'
import type { View } from 'sallyport/view'
import type { PasswordProof } from '../../identity/accounts/password-check.ts'
import { type AuthenticationIdentity, Users } from '../../identity/accounts/users.ts'
import { type AuditEntry, type AuditEvent, AuditTrail } from '../../identity/audit/audit-trail.ts'
import { Challenges } from '../../identity/challenges/challenges.ts'
import { chooseFactor, chosenFactor } from '../../identity/challenges/chosen-factor.ts'
import {
  challengeIdentifier,
  challengeOf,
  discardPendingLogin,
  hasPendingLogin,
  PENDING_LOGIN_SECONDS,
  pendingAccount,
  readPendingLogin,
} from '../../identity/challenges/pending-login.ts'
import { clientOf } from '../../identity/clients/client.ts'
import { type FactorKind, isHeld } from '../../identity/factors/factor-kinds.ts'
import {
  type LockableFactor,
  SecondFactors,
  type UsableFactor,
} from '../../identity/factors/second-factors.ts'
import { FactorLocks } from '../../identity/factors/factor-locks.ts'
import { MailCodes } from '../../identity/factors/mail-codes.ts'
import { type BrowserTrust, TrustedBrowsers } from '../../identity/devices/trusted-browsers.ts'
import { PasskeyProofs } from '../../identity/factors/passkey-proofs.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { FactorPolicy } from '../../identity/policy/factor-policy.ts'
import { noteDone } from '../../identity/sessions/done-note.ts'
import { LoginCompletion } from '../../identity/sessions/login-completion.ts'
import { hasCurrentCredentials } from '../../identity/sessions/session-credentials.ts'
import type { Proofs } from '../../identity/step-up/proofs.ts'
import { PageController } from '../page-controller.ts'
import { Restart } from './restart.ts'
import {
  type CodePage,
  type DoorKeys,
  type DoorPage,
  PAGES,
  type Refusal,
  type TypedCode,
  wrongCode,
} from './door-page.ts'
import {
  choicesOf,
  lockedOf,
  lockMessage,
  type LockMessage,
  openFactor,
  shownFactor,
} from './factor-choices.ts'
import type { TrustChoice } from './trust-field.ts'
import { TurnedAway } from '../turned-away.ts'

/** What the pages of the second door have in common: only the session says whose door it is. */
export class SecondDoor extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly users: Users = inject(Users)
  protected readonly secondFactors: SecondFactors = inject(SecondFactors)
  protected readonly challenges: Challenges = inject(Challenges)
  protected readonly completion: LoginCompletion = inject(LoginCompletion)
  protected readonly audit: AuditTrail = inject(AuditTrail)
  protected readonly notices: Notices = inject(Notices)
  protected readonly mailCodes: MailCodes = inject(MailCodes)
  protected readonly locks: FactorLocks = inject(FactorLocks)
  protected readonly clock: Clock = inject(Clock)
  readonly #passkeys = inject(PasskeyProofs)
  protected readonly policy: FactorPolicy = inject(FactorPolicy)
  readonly #browsers = inject(TrustedBrowsers)

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

  /**
   * @param proof The account.
   * @param kind What the second proof was.
   * @returns What was proven, and when.
   */
  protected provenBy(proof: PasswordProof, kind: FactorKind): Proofs {
    return { ...proof.proven, factor: this.clock.timestamp(), kind }
  }

  /**
   * @param proof The account.
   * @param form The form that proves the second step: its owner may have asked for no second step in this browser.
   * @returns What the login does about the browser.
   */
  protected trust(proof: PasswordProof, form: TrustChoice): BrowserTrust {
    return this.#browsers.prepare(this.context, proof, form.trust !== undefined)
  }

  /**
   * @param reason Why the login restarts.
   * @returns A redirect to the login page, which says why. If another request has completed the login meanwhile, this browser is
   *   signed in, and the login page leads on.
   * @throws {ValidationException} With a violation that says why, for a form of a client that prefers JSON.
   * @throws {HttpException} For a page that such a client opens.
   */
  protected async restart(reason: Restart): Promise<Response> {
    const { context } = this
    const isCompleted = await this.isCompleted()
    const { kind, text, code } = isCompleted ? Restart.completed : reason
    const isSignedIn = context.auth().isAuthenticated()
    const isForm = context.method() === 'POST'
    await this.end(kind)
    if (isForm && this.#prefersJson()) throw this.#ended(text, code)
    this.tellProgram(isSignedIn ? TurnedAway.signedIn : TurnedAway.noSignIn)
    // The login page leads on who is signed in.
    if (isSignedIn) {
      await context.flash().add('warning', 'sign-in.already')
      return this.redirectToRoute('account:login')
    }
    // Who opens the page has begun nothing.
    if (!isForm && text === Restart.none.text) return this.redirectToRoute('account:login')
    // The session keeps the message only if nothing came of the login. Otherwise it is gone by now, and the login page tells it.
    if (isCompleted) noteDone(context, context.url('account:login'), this.clock)
    return this.redirectSaying(context.url('account:login'), { kind: 'warning', text })
  }

  /**
   * @returns Whether another request has completed the login that waits in this session.
   */
  protected async isCompleted(): Promise<boolean> {
    const id = await challengeOf(this.context.session())
    return id !== undefined && (await this.challenges.isCompleted(id))
  }

  /**
   * Records a wrong code, and ends the pending login after the last attempt.
   *
   * @param proof Whose code it was.
   * @param refusal What was refused.
   * @returns The login page after the last attempt; undefined when the page is shown again.
   * @throws {Error} The error of the refusal, for a client that prefers JSON.
   */
  protected async refused(
    proof: PasswordProof,
    { factor, asked, unlock, kind, triesLeft, error }: Refusal,
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
    if (this.#prefersJson())
      throw triesLeft === 0 ? this.#ended(Restart.spent.text, Restart.spent.code) : error
    return triesLeft === 0 ? this.#spentPage(proof.identity) : undefined
  }

  /**
   * Ends the pending login, even if that cannot be recorded.
   *
   * @param kind What is recorded; null for nothing.
   * @param leave What else ends. Default: nothing.
   */
  protected async end(kind: AuditEvent | null, leave?: () => Promise<void>): Promise<void> {
    const entry = kind === null ? null : await this.#entry(kind)
    await discardPendingLogin(this.context.session())
    await leave?.()
    if (entry !== null) await this.audit.record(entry)
  }

  /**
   * @param kind What is recorded for the pending login; nothing without one.
   * @param detail Kind of the factor, where the event does not name it. Default: none.
   */
  protected async record(kind: AuditEvent, detail?: FactorKind): Promise<void> {
    const entry = await this.#entry(kind)
    if (entry !== null) await this.audit.record({ ...entry, ...(detail !== undefined && { detail }) })
  }

  /**
   * @param identity Account that signs in.
   * @param kind What the page asks for.
   * @param known What opens the door, where it was read before. Default: it is read.
   * @returns The factor that it asks for: the one that was chosen or used last.
   */
  protected async asked(
    identity: AuthenticationIdentity,
    kind: FactorKind,
    known?: readonly UsableFactor[],
  ): Promise<UsableFactor | undefined> {
    const usable = known ?? (await this.usable(identity))
    return shownFactor({ kind, usable, chosen: await chosenFactor(this.context.session(), usable) })
  }

  /**
   * @param identity Account that signs in.
   * @returns The factors that open its second door, the one that was used last first, and then what stands in for them.
   */
  protected async usable(identity: AuthenticationIdentity): Promise<readonly UsableFactor[]> {
    return (await this.keysOf(identity)).usable
  }

  /**
   * @param identity Account that signs in.
   * @returns The factors as `usable()` lists them, the kinds that the account holds, and those that open its second door.
   */
  protected async keysOf(identity: AuthenticationIdentity): Promise<DoorKeys> {
    const all = await this.#usable(identity)
    const held = new Set(all.map(({ kind }) => kind).filter(isHeld))
    const accepted = await this.policy.acceptedKinds(identity, held)
    return { usable: all.filter(({ kind }) => kind === 'mail' || accepted.has(kind)), held, accepted }
  }

  /**
   * @param kind What the page asks for.
   * @param proof The account that signs in.
   * @param state State of the page.
   * @returns The page. If the factor that was asked for is locked, it says so, and until when.
   */
  protected async pageOf(kind: FactorKind, proof: PasswordProof, state: CodePage): Promise<View> {
    const session = this.context.session()
    const id = await challengeIdentifier(session)
    if (kind === 'mail')
      return this.#codePage(PAGES[kind], proof, { ...state, isSent: await this.mailCodes.isSent(id) })
    if (kind !== 'passkey') return this.#codePage(PAGES[kind], proof, state)
    const binding = { purpose: 'second-door', to: id } as const
    const options = await this.#passkeys.ownOptions(session, proof.identifier, binding)
    return this.#codePage(PAGES[kind], proof, { ...state, passkey: options && JSON.stringify(options) })
  }

  /**
   * @param proof The account that signs in.
   * @param factor What a wrong code was for.
   * @param wrong The form, and how many attempts are left for this pending login.
   * @returns Its page; if the code has locked it, the page of the factor that the sign-in goes on with.
   */
  protected pageWhenWrong(
    proof: PasswordProof,
    factor: LockableFactor,
    { form, triesLeft }: { readonly form: Submitted<TypedCode>; readonly triesLeft: number },
  ): Promise<View> {
    const locked = { form: form.refuse(), status: 422 }
    return this.#pageAfter(proof, factor, { otherwise: wrongCode(form, triesLeft), locked })
  }

  /**
   * @param proof The account that signs in.
   * @param factor What no code is checked for at present.
   * @param error What was thrown.
   * @returns The page of the factor that the sign-in goes on with.
   * @throws {Error} Any other error, and every error for a client that prefers JSON.
   */
  protected async pageWhenLocked(
    proof: PasswordProof,
    factor: LockableFactor,
    error: unknown,
  ): Promise<View> {
    const otherwise = await this.locked(error, LOCKED)
    const locked = { status: otherwise.status, headers: otherwise.headers }
    return this.#pageAfter(proof, factor, { otherwise, locked })
  }

  async #pageAfter(
    proof: PasswordProof,
    factor: LockableFactor,
    states: { readonly otherwise: CodePage; readonly locked: CodePage },
  ): Promise<View> {
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

  async #codePage(names: DoorPage, { identity }: PasswordProof, state: CodePage): Promise<View> {
    const { form = blankForm(), status = 200, headers = {}, passkey, isSent = false } = state
    const usable = state.usable ?? (await this.usable(identity))
    const chosen = await chosenFactor(this.context.session(), usable)
    const parts = { kind: names.kind, usable, chosen: openFactor(usable, chosen) }
    // The page may ask for another factor than the one that was chosen.
    const shown = shownFactor(parts)
    const isLocked = [chosen, shown].some((factor) => (factor?.lockedSeconds ?? 0) > 0)
    const waitFor = this.waitFor.bind(this)
    const how = { id: state.lockedText ?? LOCKED, time: this.#when(), waitFor }
    const lock = isLocked ? await lockMessage({ usable, shown }, how) : undefined
    const told = state.warning ?? lock
    const failed = told !== undefined || form.violations.length > 0
    const page = { title: names.title, failed, page: 'login', narrow: true, door: 2 }
    const data = {
      ...page,
      ...choicesOf(parts, this.#when()),
      email: identity.principal.email,
      signIn: await challengeIdentifier(this.context.session()),
      form,
      warning: told ?? state.notice,
      passkey,
      isSent,
      // What stands in for a factor does so once, and a browser does not get that for a month.
      trustDays: isHeld(names.kind) ? this.#browsers.daysFor(identity) : undefined,
    }
    return this.page(names.template, data, { status, headers })
  }

  /**
   * Refuses what cannot be a code. Nothing is counted, recorded or looked up.
   *
   * @param form A form without a code.
   * @returns State of the page that shows it again.
   * @throws {ValidationException} With the violations of the form, for a client that prefers JSON.
   */
  protected malformed(form: ShownForm): CodePage {
    if (prefersJson(this.context.header('accept'))) throw new ValidationException(form.violations)
    return { form, status: 422 }
  }

  /**
   * @param accountId Account that signs in.
   * @returns Identifier of the unlock of this browser; undefined when locks hold in it.
   */
  protected unlockOf(accountId: string): Promise<string | undefined> {
    return this.locks.unlockOf(this.context.session(), accountId)
  }

  // In an unlocked browser nothing is locked.
  async #usable(identity: AuthenticationIdentity): Promise<readonly UsableFactor[]> {
    const { id } = identity.principal
    const enrolled = await this.secondFactors.usable(id)
    const isUnlocked = (await this.unlockOf(id)) !== undefined
    const usable = isUnlocked ? enrolled.map((factor) => ({ ...factor, lockedSeconds: 0 })) : enrolled
    if (!(await this.mailCodes.isOfferedTo(identity))) return usable
    const lockedSeconds = await this.locks.lockedSeconds(this.context.session(), id, { kind: 'mail' })
    return [...usable, { kind: 'mail', id: 'mail', label: '', usedAt: null, lockedSeconds }]
  }

  #prefersJson(): boolean {
    return prefersJson(this.context.header('accept'))
  }

  // The pending login is over, so no other code will do.
  #ended(text: string, code: string): ValidationException {
    return new ValidationException([new Violation({ field: null, code, fallback: this.translate(text) })])
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
    const passkey = await this.#passkeys.signInOptions(this.context.session())
    const warning: LockMessage = { id: Restart.spent.text, locked }
    const data = { ...page, form: blankForm({ email }), warning, stranded: false, passkey }
    return this.page('account/login', data, { status: 422 })
  }
}

const LOCKED = 'challenge.locked'
