import type { Kysely, Transaction } from 'kysely'
import { type HttpContext, inject } from 'sallyport'
import { clientOf } from 'sallyport-app/clients'
import { TurnedAwayException } from 'sallyport-app/pages'
import { PasswordCheck } from '../accounts/password-check.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { Parts } from '../part.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import type { Proofs, SigningIn } from '../sign-in-step.ts'
import { EnrollmentStart } from './enrollment-start.ts'
import { KnownClients } from './known-clients.ts'
import { SessionEntry } from './session-entry.ts'

/** A login whose last proof is about to be used up. */
export interface PreparedLogin {
  /** Records it, in the transaction that uses up the last proof, with the kind of factor that was proven. Default: as the proof says. */
  readonly record: (transaction: Transaction<Schema>, kind?: Proofs['kind']) => Promise<void>
  /**
   * Signs in, after what was recorded is durable; or leads to the set-up of a factor that a rule asks for, and signs nobody in. Returns the
   * path of the next page. `proven`: what was proven, and when. Default: as the proof says.
   */
  readonly enter: (proven?: Proofs) => Promise<string>
}

/** What completes a login, after every factor that the account requires has been proven. */
export class LoginCompletion {
  readonly #database = inject(Database)
  readonly #passwords = inject(PasswordCheck)
  readonly #audit = inject(AuditTrail)
  readonly #known = inject(KnownClients)
  readonly #policy = inject(FactorPolicy)
  readonly #enrollments = inject(EnrollmentStart)
  readonly #entry = inject(SessionEntry)
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
    if ((await this.#policy.dutyOf(proof.identity))?.isDue !== true) return this.#login(context, proof)
    // What is set up signs in later: a mailbox and a code are not enough for it.
    if (proof.isByMail === true)
      throw new TurnedAwayException(TurnedAway.passwordFirst, context.url('account:login'))
    return {
      record: (transaction) =>
        this.#record(transaction, context, { ...proof, kind: AuditEvent.EnrollmentRequired }),
      enter: async (proven = proof.proven ?? {}) => {
        await this.#enrollments.begin(context, { ...proof, proven }, 'kind')
        return context.url('enrollment:start')
      },
    }
  }

  #login(context: HttpContext, proof: SigningIn): PreparedLogin {
    const { identifier, identity, proven = {} } = proof
    const steps = this.#steps.map((step) => step.complete?.(context, proof))
    return {
      record: async (transaction, detail = proven.kind) => {
        await this.#passwords.forgetFailures(identity.principal.email, transaction)
        await this.#record(transaction, context, { ...proof, kind: AuditEvent.LoggedIn, detail })
        await this.#known.admit(transaction, identifier, clientOf(context))
        for (const step of steps) await step?.record?.(transaction, detail)
      },
      enter: async (reached = proven) => {
        const target = await this.#entry.enter(context, proof, reached)
        for (const step of steps) await step?.after?.()
        return target
      },
    }
  }

  #record(
    database: Transaction<Schema>,
    context: HttpContext,
    { kind, identifier: accountId, challengeId, detail }: RecordedLogin,
  ): Promise<void> {
    const entry = { kind, accountId, ...clientOf(context), ...(challengeId !== undefined && { challengeId }) }
    return this.#audit.record({ ...entry, ...(detail !== undefined && { detail }) }, database)
  }
}

interface RecordedLogin extends SigningIn {
  readonly kind: AuditEvent
  readonly detail?: string | undefined
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
