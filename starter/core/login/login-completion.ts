import type { Kysely, Transaction } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { clientOf } from 'sallyport-app/clients'
import { PasswordCheck } from '../accounts/password-check.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import { challengeOf, discardPendingLogin } from '../challenges/pending-login.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { Parts } from '../part.ts'
import { recordProofs } from '../sessions/proofs.ts'
import { ReturnTargets } from '../sessions/return-target.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'
import { sessionDetails } from '../sessions/session-details.ts'
import { TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'
import type { Proofs, SigningIn } from '../sign-in-step.ts'
import { KnownClients } from './known-clients.ts'
import { beginEnrollment, discardEnrollment } from './pending-enrollment.ts'

/** A login whose last proof is about to be used up. */
export interface PreparedLogin {
  /** Records it, in the transaction that uses up the last proof, with the kind of factor that was proven. Default: as the proof says. */
  readonly record: (transaction: Transaction<Schema>, kind?: FactorKind) => Promise<void>
  /**
   * Signs in, after what was recorded is durable; or leads to the set-up of a factor that a rule asks for, and signs nobody in. Returns the
   * path of the next page. `proven`: what was proven, and when. Default: as the proof says.
   */
  readonly enter: (proven?: Proofs) => Promise<string>
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
  readonly #challenges = inject(Challenges)
  readonly #clock = inject(Clock)
  readonly #steps = inject(Parts).services('signIn')

  /**
   * @param consume Uses the last proof up, once. Default: a password was all.
   * @returns Path of the next page; undefined when the proof was used up before, or the account is no longer as it was proven.
   */
  async completeOnce(
    context: HttpContext,
    proof: SigningIn,
    consume: (transaction: Transaction<Schema>) => Promise<boolean> = async () => true,
  ): Promise<string | undefined> {
    const login = await this.prepare(context, proof)
    const isConsumed = await this.#database.transaction().execute(async (transaction) => {
      if (!(await isAsProven(transaction, proof)) || !(await consume(transaction))) return false
      await login.record(transaction)
      return true
    })
    return isConsumed ? login.enter() : undefined
  }

  /**
   * Prepares a login before its last proof is used up: a login that cannot be recorded does not happen. An account that holds no
   * factor of the kind that a rule asks for is not signed in: it adds one first.
   */
  async prepare(context: HttpContext, proof: SigningIn): Promise<PreparedLogin> {
    const held = proof.held ?? (await this.#factors.kinds(proof.identifier))
    // Who holds none was led to its set-up before.
    const duty = held.size === 0 ? undefined : await this.#policy.dutyOf(proof.identity, held)
    if (duty?.isDue !== true) return this.#login(context, proof)
    // What is set up signs in later: a mailbox and a code are not enough for it.
    if (proof.isByMail === true)
      throw new TurnedAwayException(TurnedAway.passwordFirst, context.url('account:login'))
    return this.#enrollment(context, proof)
  }

  // Password and factor were proven, so no link in a mail is asked for.
  #enrollment(context: HttpContext, { identifier, identity, proven = {} }: SigningIn): PreparedLogin {
    const session = context.session()
    return {
      record: (database) => this.#record(database, AuditEvent.EnrollmentRequired, { context, identifier }),
      enter: async (reached = proven) => {
        await leaveLogin(context)
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

  #login(context: HttpContext, proof: SigningIn): PreparedLogin {
    const { identifier, identity, proven = {} } = proof
    const steps = this.#steps.map((step) => step.complete?.(context, proof))
    return {
      record: async (transaction, kind = proven.kind) => {
        await this.#passwords.forgetFailures(identity.principal.email, transaction)
        await this.#record(transaction, AuditEvent.LoggedIn, { context, identifier, detail: kind })
        await this.#known.admit(transaction, identifier, clientOf(context))
        for (const step of steps) await step?.record?.(transaction, kind)
      },
      enter: async (reached = proven) => {
        const target = await this.#enter(context, proof, reached)
        for (const step of steps) await step?.after?.()
        return target
      },
    }
  }

  async #record(
    database: Transaction<Schema>,
    kind: AuditEvent,
    { context, identifier: accountId, detail }: RecordedLogin,
  ): Promise<void> {
    const challengeId = (await challengeOf(context.session()))?.id
    const entry = { kind, accountId, ...clientOf(context), ...(challengeId !== undefined && { challengeId }) }
    await this.#audit.record({ ...entry, ...(detail !== undefined && { detail }) }, database)
  }

  async #enter(context: HttpContext, { identifier, identity }: SigningIn, proven: Proofs): Promise<string> {
    const session = context.session()
    const target = await this.#targets.take(context)
    // Remove first: login() keeps unrelated entries, and `_2fa` would be one.
    await leaveLogin(context)
    // Before the identity: a session never has one without a version.
    const { credentialVersion, principal, permissions } = identity
    await keepCredentialVersion(session, credentialVersion)
    await recordProofs(session, { identifier, credentialVersion }, proven)
    const details = sessionDetails(clientOf(context), proven)
    await this.#sessions.login(session, context.auth(), identifier, principal, permissions, { details })
    // The next page has a form: the secret of its token is written with the rest of the session.
    await context.csrf().token()
    return target
  }
}

interface RecordedLogin {
  readonly context: HttpContext
  readonly identifier: string
  readonly detail?: string | undefined
}

async function leaveLogin(context: HttpContext): Promise<void> {
  await discardPendingLogin(context.session())
  await discardEnrollment(context.session())
}

/** Asked in the transaction that uses up the last proof: another request may have ended the account, or what was proven, since it was read. */
export async function isAsProven(
  database: Kysely<Schema>,
  { identifier, identity }: SigningIn,
): Promise<boolean> {
  const account = await database
    .selectFrom('account')
    .select('id')
    .where('id', '=', identifier)
    .where('credential_version', '=', identity.credentialVersion)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return account !== undefined
}
