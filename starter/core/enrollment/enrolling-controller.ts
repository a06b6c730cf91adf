import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { View } from 'sallyport/view'
import { hasCurrentCredentials, keepCredentialVersion } from 'sallyport-app/sessions'
import type { HeldCredentials } from '../accounts/credential-version.ts'
import { Users } from '../accounts/users.ts'
import { Challenges } from '../challenges/challenges.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import type { RecoveryCodeSet } from '../factors/recovery-codes.ts'
import {
  advanceEnrollment,
  discardEnrollment,
  type PendingEnrollment,
  readEnrollment,
} from '../login/pending-enrollment.ts'
import type { FactorReplacement } from '../factors/factor-replacement.ts'
import { Parts } from '../part.ts'
import { PageController, type PageState } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import type { Proofs, SigningIn } from '../sign-in-step.ts'

/** Who sets up a factor. */
export interface Enrolling {
  readonly enrollment: PendingEnrollment
  readonly proof: SigningIn
  /** What a change of the credentials starts from: it is made only while the enrollment is open. */
  readonly held: HeldCredentials
}

/** The message that says why nobody enrolls in a session. */
type NotEnrolling = 'enrollment.expired' | 'sign-in.changed'

/** What the pages of an enrollment have in common: only the session says whose it is. */
export class EnrollingController extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly challenges: Challenges = inject(Challenges)
  protected readonly replacement: FactorReplacement | undefined = inject(Parts)
    .services('factorReplacement')
    .at(0)
  readonly #users = inject(Users)
  readonly #policy = inject(FactorPolicy)

  /**
   * @returns Who enrolls in this session.
   * @throws {TurnedAwayException} If nobody does.
   */
  protected async enrolling(): Promise<Enrolling> {
    const { context } = this
    if (context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const found = await this.find()
    if (typeof found !== 'string') return found
    await discardEnrollment(context.session())
    return this.turnAway({ ...TurnedAway.noEnrollment, text: found }, 'account:login')
  }

  /** Reloads the account in every request, because it may have changed since the password was proven. */
  protected async find(): Promise<Enrolling | NotEnrolling> {
    const session = this.context.session()
    const enrollment = await readEnrollment(session, this.clock)
    if (enrollment === undefined || (await this.sessions.identifier(session)) !== null)
      return 'enrollment.expired'
    const { id, identifier } = enrollment
    const identity = await this.#users.authenticationIdentity(identifier)
    // Something else has changed the credentials: a reset, or the end of all sessions.
    if (identity !== null && !(await hasCurrentCredentials(session, identity))) return 'sign-in.changed'
    if (identity === null || !(await this.challenges.isOpen(id))) return 'enrollment.expired'
    // Another request may have proven the factor, and not have written the session yet.
    const isProven = enrollment.isProven || identity.changedBy === id
    // Somebody may have ended what allows it meanwhile.
    const isReplacing = enrollment.reason === 'replacement' && !isProven
    if (isReplacing && (await this.replacement?.isAllowed(identifier)) !== true) return 'enrollment.expired'
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

  /** Notes that the factor counts, and shows the recovery codes that came with it: they are kept nowhere. Nobody is signed in yet. */
  protected async showCodes(
    { enrollment }: Enrolling,
    added: { readonly credentialVersion: number; readonly set: RecoveryCodeSet | undefined },
    proven: Proofs = enrollment.proven,
  ): Promise<View> {
    const session = this.context.session()
    await keepCredentialVersion(session, added.credentialVersion)
    await advanceEnrollment(session, { ...enrollment, isProven: true, proven }, this.clock)
    return this.codesPage(added.set?.codes ?? [])
  }

  /** @returns The page that offers the recovery codes again. */
  protected provenPage(state: PageState = {}): View {
    const page = { title: 'codes.again.title', page: 'enrollment', narrow: true }
    return this.page('enrollment/proven', page, state)
  }

  /** @returns The page that waits for the link in a mail. */
  protected mailPage({ proof }: Enrolling, state: PageState = {}): View {
    const { email } = proof.identity.principal
    const page = { title: 'enrollment.mail.title', page: 'enrollment', narrow: true, email }
    return this.page('enrollment/mail', page, state)
  }
}
