import type { Kysely, Transaction } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { clientOf } from 'sallyport-app/clients'
import { PasswordCheck, type PasswordProof } from '../accounts/password-check.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import { challengeOf, discardPendingLogin } from '../challenges/pending-login.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'
import { recordProofs } from '../sessions/proofs.ts'
import { ReturnTargets } from '../sessions/return-target.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'
import { sessionDetails } from '../sessions/session-details.ts'
import { type Proofs } from '../sign-in-step.ts'
import { SignInSteps } from '../sign-in-steps.ts'
import { KnownClients } from './known-clients.ts'
import { beginEnrollment, discardEnrollment } from './pending-enrollment.ts'

/** A login whose last proof is about to be used up. */
export interface PreparedLogin {
  /** Asks in that transaction, before anything else, whether the account is still as it was proven. */
  readonly stands: (transaction: Transaction<Schema>) => Promise<boolean>
  /** Records it, in the transaction that uses up the last proof, with the kind of factor that was proven. Default: as the proof says. */
  readonly record: (transaction: Transaction<Schema>, kind?: FactorKind) => Promise<void>
  /**
   * Signs in, after what was recorded is durable; or leads to the set-up of a factor that a rule asks for, and signs nobody in.
   *
   * @param proven What was proven, and when. Default: as the proof says.
   * @returns Path of the page to go to.
   */
  readonly enter: (proven?: Proofs) => Promise<string>
}

/** The last proof of a login, if it can be used up once. */
export interface OnceProof {
  /** Uses it up. Default: a password was all. */
  readonly consume?: (transaction: Transaction<Schema>) => Promise<boolean>
  /** The kinds of the enabled factors, where they were read in this request. Default: they are read. */
  readonly held?: ReadonlySet<FactorKind>
}

/** The only code that calls `login()`, after every factor that the account requires has been proven. */
export class LoginCompletion {
  readonly #database = inject(Database)
  readonly #sessions = inject(SessionAuthentication)
  readonly #passwords = inject(PasswordCheck)
  readonly #audit = inject(AuditTrail)
  readonly #known = inject(KnownClients)
  readonly #targets = inject(ReturnTargets)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #steps = inject(SignInSteps)
  readonly #challenges = inject(Challenges)
  readonly #clock = inject(Clock)

  /**
   * Completes a login.
   *
   * @returns Path of the page to go to; undefined when the proof was used up before, or the account is no longer as it was proven.
   */
  async completeOnce(
    context: HttpContext,
    proof: PasswordProof,
    { consume = async () => true, held }: OnceProof = {},
  ): Promise<string | undefined> {
    const login = await this.prepare(context, proof, held)
    const isConsumed = await this.#database.transaction().execute(async (transaction) => {
      if (!(await login.stands(transaction)) || !(await consume(transaction))) return false
      await login.record(transaction)
      return true
    })
    return isConsumed ? login.enter() : undefined
  }

  /**
   * Prepares a login before its last proof is used up: a login that cannot be recorded does not happen. An account that holds no
   * factor of the kind that a rule asks for is not signed in: it adds one first.
   *
   * @param known The kinds of its enabled factors, where they were read in this request. Default: they are read.
   */
  async prepare(
    context: HttpContext,
    proof: PasswordProof,
    known?: ReadonlySet<FactorKind>,
  ): Promise<PreparedLogin> {
    const held = known ?? (await this.#factors.kinds(proof.identifier))
    // Who holds none was led to its set-up before.
    const duty = held.size === 0 ? undefined : await this.#policy.dutyOf(proof.identity, held)
    if (duty?.isDue !== true) return this.#login(context, proof)
    // What is set up signs in later: a mailbox and a code are not enough for it.
    if (proof.isByMail === true)
      throw new TurnedAwayException(TurnedAway.passwordFirst, context.url('account:login'))
    return this.#enrollment(context, proof)
  }

  // Password and factor were proven, so no link in a mail is asked for.
  #enrollment(context: HttpContext, proof: PasswordProof): PreparedLogin {
    const { identifier, identity, proven } = proof
    const session = context.session()
    return {
      stands: (database) => stands(database, proof),
      record: (database) => this.#record(AuditEvent.EnrollmentRequired, { context, identifier, database }),
      enter: async (reached = proven ?? {}) => {
        await this.#leaveLogin(context)
        // As at a pending login: nothing of an earlier identity may remain in this session.
        await this.#sessions.logout(session, context.auth(), { keepNewer: true })
        const beginning = { identifier, reason: 'kind', proven: reached } as const
        const enrollment = await beginEnrollment(session, beginning, this.#clock)
        await this.#challenges.open(enrollment.id, identifier)
        await keepCredentialVersion(session, identity.credentialVersion, enrollment.id)
        return context.url('enrollment:start')
      },
    }
  }

  #login(context: HttpContext, proof: PasswordProof): PreparedLogin {
    const { identifier, identity, proven } = proof
    const client = clientOf(context)
    const steps = this.#steps.complete(context, proof)
    return {
      stands: (database) => stands(database, proof),
      record: async (transaction, kind = proven?.kind) => {
        const detail = kind ?? proven?.standIn?.kind
        await this.#passwords.forgetFailures(identity.principal.email, transaction)
        await this.#record(AuditEvent.LoggedIn, { context, identifier, database: transaction, detail })
        await this.#known.admit(transaction, identifier, client)
        await steps.record(transaction, kind)
      },
      enter: async (reached = proven ?? {}) => {
        const target = await this.#enter(context, proof, reached)
        await steps.after()
        return target
      },
    }
  }

  async #record(kind: AuditEvent, { context, identifier, database, detail }: Recorded): Promise<void> {
    const challengeId = await challengeOf(context.session())
    await this.#audit.record(
      {
        kind,
        accountId: identifier,
        ...clientOf(context),
        ...(challengeId !== undefined && { challengeId }),
        ...(detail !== undefined && { detail }),
      },
      database,
    )
  }

  async #leaveLogin(context: HttpContext): Promise<void> {
    const session = context.session()
    await discardPendingLogin(session)
    await discardEnrollment(session)
  }

  async #enter(context: HttpContext, proof: PasswordProof, proven: Proofs): Promise<string> {
    const { identifier, identity } = proof
    const session = context.session()
    const target = await this.#targets.take(context)
    // Remove first: login() keeps unrelated entries, and `_2fa` would be one.
    await this.#leaveLogin(context)
    // Before the identity: a session never has one without a version.
    const { credentialVersion } = identity
    await keepCredentialVersion(session, credentialVersion)
    await recordProofs(session, { identifier, credentialVersion }, proven)
    const details = sessionDetails(clientOf(context), proven)
    await this.#sessions.login(
      session,
      context.auth(),
      identifier,
      identity.principal,
      identity.permissions,
      { details },
    )
    // The next page has a form: the secret of its token is written with the rest of the session.
    await context.csrf().token()
    return target
  }
}

interface Recorded {
  readonly context: HttpContext
  readonly identifier: string
  readonly database: Kysely<Schema>
  readonly detail?: string | undefined
}

// Another request may have ended the account, or what was proven, since it was read.
async function stands(database: Kysely<Schema>, { identifier, identity }: PasswordProof): Promise<boolean> {
  const account = await database
    .selectFrom('account')
    .select('id')
    .where('id', '=', identifier)
    .where('credential_version', '=', identity.credentialVersion)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return account !== undefined
}
