import type { Kysely } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { SignInSteps } from '../sign-in-steps.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { PasswordCheck, type PasswordProof } from '../accounts/password-check.ts'
import { Challenges } from '../challenges/challenges.ts'
import { challengeOf, discardPendingLogin } from '../challenges/pending-login.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { beginEnrollment, discardEnrollment } from './pending-enrollment.ts'
import { clientOf } from '../clients/client.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import type { Proofs } from '../sign-in-step.ts'
import { recordProofs } from '../sessions/proofs.ts'
import { KnownClients } from './known-clients.ts'
import { ReturnTargets } from '../sessions/return-target.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'
import { sessionDetails } from '../sessions/session-details.ts'

/** A login whose last proof is about to be used up. */
export interface PreparedLogin {
  /** Records it, in the transaction that uses up the last proof, with the kind of factor that was proven. Default: as the proof says. */
  readonly record: (database: Kysely<Schema>, kind?: FactorKind) => Promise<void>
  /**
   * Signs in, after what was recorded is durable; or leads to the set-up of a factor that a rule asks for, and signs nobody in.
   *
   * @param proven What was proven, and when. Default: what the account has proven before.
   * @returns Path of the page to go to.
   */
  readonly enter: (proven?: Proofs) => Promise<string>
}

/** The only code that calls `login()`, after every factor that the account requires has been proven. */
export class LoginCompletion {
  readonly #database = inject(Database)
  readonly #sessions = inject(SessionAuthentication)
  readonly #passwords = inject(PasswordCheck)
  readonly #challenges = inject(Challenges)
  readonly #audit = inject(AuditTrail)
  readonly #known = inject(KnownClients)
  readonly #targets = inject(ReturnTargets)
  readonly #policy = inject(FactorPolicy)
  readonly #steps = inject(SignInSteps)
  readonly #clock = inject(Clock)

  /**
   * Completes a login that needs only the password.
   *
   * @returns Path of the page to go to; undefined when the account has been erased, disabled or given another password meanwhile.
   * @throws {ServiceUnavailableException} If the accounts cannot be reached or the session store fails.
   */
  complete(context: HttpContext, proof: PasswordProof): Promise<string | undefined> {
    return this.completeOnce(context, proof, async () => true)
  }

  /**
   * Completes a login whose last proof can be used up once.
   *
   * @returns Path of the page to go to; undefined when the proof was used up before, or the account is no longer as it was proven.
   * @throws {ServiceUnavailableException} If the accounts cannot be reached or the session store fails.
   */
  async completeOnce(
    context: HttpContext,
    proof: PasswordProof,
    consume: (database: Kysely<Schema>) => Promise<boolean>,
  ): Promise<string | undefined> {
    const login = await this.prepare(context, proof)
    const isConsumed = await this.#database.transaction().execute(async (transaction) => {
      if (!(await stands(transaction, proof)) || !(await consume(transaction))) return false
      await login.record(transaction)
      return true
    })
    return isConsumed ? login.enter(proof.proven) : undefined
  }

  /**
   * Prepares a login before its last proof is used up: a login that cannot be recorded does not happen. An account that holds no
   * factor of the kind that a rule asks for is not signed in: it adds one first.
   *
   * @param known The kinds of its enabled factors, where they were read in this request. Default: they are read.
   * @returns What records the login, and what signs in.
   */
  async prepare(
    context: HttpContext,
    proof: PasswordProof,
    known?: ReadonlySet<FactorKind>,
  ): Promise<PreparedLogin> {
    if (await this.#policy.mustAdd(proof.identity, known))
      return {
        record: this.#recordingEnrollment(context, proof),
        enter: (proven = proof.proven) => this.#enroll(context, proof, proven),
      }
    const found: Found = { isUntold: false }
    const steps = this.#steps.complete(context, proof)
    const record = this.#recording(context, proof, found)
    return {
      record: async (database, kind = proof.proven?.kind) => {
        await record(database, kind)
        await steps.record(database, kind)
      },
      enter: async (proven = proof.proven ?? {}) => {
        const target = await this.#enter(context, proof, proven)
        if (found.isUntold) await this.#known.tell(proof.identifier, clientOf(context))
        await steps.after()
        return target
      },
    }
  }

  #recordingEnrollment(
    context: HttpContext,
    { identifier }: PasswordProof,
  ): (database: Kysely<Schema>) => Promise<void> {
    return async (database) => {
      const challengeId = await challengeOf(context.session())
      const entry = { kind: AuditEvent.EnrollmentRequired, accountId: identifier, ...clientOf(context) }
      await this.#audit.record(challengeId === undefined ? entry : { ...entry, challengeId }, database)
    }
  }

  // Password and factor were proven, so no link in a mail is asked for.
  async #enroll(
    context: HttpContext,
    { identifier, identity }: PasswordProof,
    proven: Proofs = {},
  ): Promise<string> {
    const session = context.session()
    await this.#leaveLogin(context)
    // As at a pending login: nothing of an earlier identity may remain in this session.
    await this.#sessions.logout(session, context.auth(), { keepNewer: true })
    const beginning = { identifier, reason: 'kind', proven } as const
    const enrollment = await beginEnrollment(session, beginning, this.#clock)
    await this.#challenges.open(enrollment.id, identifier)
    await keepCredentialVersion(session, identity.credentialVersion, enrollment.id)
    return context.url('enrollment:start')
  }

  #recording(context: HttpContext, proof: PasswordProof, found: Found): PreparedLogin['record'] {
    const { identifier, identity, proven } = proof
    const client = clientOf(context)
    return async (database, factor) => {
      const detail = factor ?? proven?.standIn?.kind
      await this.#passwords.forgetFailures(identity.principal.email, database)
      const challengeId = await challengeOf(context.session())
      await this.#audit.record(
        {
          kind: AuditEvent.LoggedIn,
          accountId: identifier,
          ...client,
          ...(challengeId !== undefined && { challengeId }),
          ...(detail !== undefined && { detail }),
        },
        database,
      )
      found.isUntold = await this.#known.meet(database, identifier, client)
    }
  }

  async #leaveLogin(context: HttpContext): Promise<void> {
    const session = context.session()
    await discardPendingLogin(session)
    await discardEnrollment(session)
    await this.#steps.leave(session)
  }

  // Removes the pending login and signs in on the session and the request. The login has already been recorded.
  async #enter(context: HttpContext, proof: PasswordProof, proven: Proofs): Promise<string> {
    const { identifier, identity } = proof
    const target = await this.#targets.take(context)

    // Remove first: login() keeps unrelated entries, and `_2fa` would be one.
    await this.#leaveLogin(context)
    // Before the identity: a session never has one without a version.
    const { credentialVersion } = identity
    await keepCredentialVersion(context.session(), credentialVersion)
    const client = clientOf(context)
    await recordProofs(context.session(), { identifier, credentialVersion }, proven)
    await this.#sessions.login(
      context.session(),
      context.auth(),
      identifier,
      identity.principal,
      identity.permissions,
      { details: sessionDetails(client, proven) },
    )
    // The next page has a form: the secret of its token is written with the rest of the session.
    await context.csrf().token()
    return target
  }
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

/** What its owner is told of a login, found in the transaction that records it. */
interface Found {
  isUntold: boolean
}
