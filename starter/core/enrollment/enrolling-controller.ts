import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { View } from 'sallyport/view'
import type { FactorReplacement } from '../factor-replacement.ts'
import { Parts } from '../part.ts'
import type { HeldCredentials } from '../accounts/credential-version.ts'
import type { PasswordProof } from '../accounts/password-check.ts'
import { Users } from '../accounts/users.ts'
import { Challenges } from '../challenges/challenges.ts'
import { discardEnrollment, type PendingEnrollment, readEnrollment } from '../login/pending-enrollment.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { hasCurrentCredentials } from '../sessions/session-credentials.ts'
import { PageController, type PageState } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'

/** Who sets up a factor. */
export interface Enrolling {
  /** How far it has come. */
  readonly enrollment: PendingEnrollment
  /** The account, reloaded in this request. */
  readonly proof: PasswordProof
  /** What a change of the credentials starts from: it is made only while the enrollment is open. */
  readonly held: HeldCredentials
}

// As many requests of one enrollment as a person sends at once.
const ATTEMPTS = 5

/** What the pages of an enrollment have in common: only the session says whose it is. */
export class EnrollingController extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly users: Users = inject(Users)
  protected readonly challenges: Challenges = inject(Challenges)
  protected readonly replacement: FactorReplacement = inject(inject(Parts).lostFactors.replacement)
  readonly #policy = inject(FactorPolicy)

  /**
   * Reloads the account in every request, because it may have changed since the password was proven.
   *
   * @returns Who enrolls in this session; undefined when nobody does, or the enrollment has ended.
   */
  protected async enrolling(): Promise<Enrolling | undefined> {
    const { context } = this
    const isAnonymous =
      !context.auth().isAuthenticated() && (await this.sessions.identifier(context.session())) === null
    const enrollment = await readEnrollment(context.session(), this.clock)
    if (!isAnonymous || enrollment === undefined) return undefined
    const { id, identifier } = enrollment
    if (!(await this.challenges.isOpen(id))) return undefined
    const identity = await this.users.authenticationIdentity(identifier)
    if (identity === null || !(await hasCurrentCredentials(context.session(), identity))) return undefined
    // Another request may have proven the factor, and not have written the session yet.
    const isProven = enrollment.isProven || identity.changedBy === id
    // Somebody may have ended what allows it meanwhile.
    const isReplacing = enrollment.reason === 'replacement' && !isProven
    if (isReplacing && !(await this.replacement.isAllowed(identifier))) return undefined
    const stands: HeldCredentials['stands'] = (database) => this.challenges.isOpen(id, database)
    const held = { credentialVersion: identity.credentialVersion, mark: id, stands }
    return { enrollment: { ...enrollment, isProven }, held, proof: { identifier, identity } }
  }

  /**
   * @returns Route of the page where that is done. In place of all factors it is an app: what a rule asks for beside it is asked for at
   *   the end of the login.
   */
  protected async setUpRoute({ enrollment, proof }: Enrolling): Promise<string> {
    return enrollment.reason === 'replacement' ? 'enrollment:start' : this.#policy.setUpRoute(proof.identity)
  }

  /**
   * Does a step that ends with a change of the account. If another request of the enrollment has changed the credentials meanwhile,
   * it is done again.
   *
   * @returns What it returned.
   * @throws {TurnedAwayException} If the enrollment is over.
   */
  protected async persist<T>(step: (enrolling: Enrolling) => Promise<T | undefined>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const enrolling = await this.enrolling()
      const result = enrolling === undefined ? undefined : await step(enrolling)
      if (result !== undefined) return result
      if (enrolling === undefined) break
    }
    return this.restart()
  }

  /** @throws {TurnedAwayException} Always: the enrollment is over, or nobody has begun one. */
  protected async restart(): Promise<never> {
    const { context } = this
    if (context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const text = (await this.#isOutdated()) ? 'sign-in.changed' : 'enrollment.expired'
    await discardEnrollment(context.session())
    return this.turnAway({ ...TurnedAway.noEnrollment, text }, 'account:login')
  }

  // Something else than this enrollment has changed the credentials: a reset, or the end of all sessions.
  async #isOutdated(): Promise<boolean> {
    const session = this.context.session()
    const enrollment = await readEnrollment(session, this.clock)
    const identity = enrollment && (await this.users.authenticationIdentity(enrollment.identifier))
    return identity !== undefined && identity !== null && !(await hasCurrentCredentials(session, identity))
  }

  /** @returns The page. */
  protected mailPage({ proof }: Enrolling, { warning, status = 200, headers = {} }: PageState = {}): View {
    const page = { title: 'enrollment.mail.title', failed: status !== 200, page: 'enrollment', narrow: true }
    const { email } = proof.identity.principal
    return this.page('enrollment/mail', { ...page, warning, email }, { status, headers })
  }
}
