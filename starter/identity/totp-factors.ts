import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { generateSecret, generateURI, verify } from 'otplib/functional'
import { type Clock, Secret } from 'sallyport'
import type { FactorTable, Schema } from '../database/schema.ts'
import type { Account } from './account.ts'
import type { Attempts } from './attempts.ts'
import type { FactorVault } from './factor-vault.ts'
import { FACTOR_LIMIT, factorSubject } from './limits.ts'

// Of each factor so many accepted time steps are remembered, whatever their time: clocks are set.
const KEPT_STEPS = 100

/** Length of a time step, in seconds. */
export const TOTP_PERIOD_SECONDS = 30

/** For how long a code is accepted after its step, unless told otherwise. */
export const DEFAULT_PAST_SECONDS: number = TOTP_PERIOD_SECONDS - 1

const ISSUER = 'Sallyport starter'

/** How far a code's time may lie from the clock's. Whole seconds, each smaller than the period. */
export interface TotpLeeway {
  /** Behind the clock: lets through a code that expired while it was typed. Default: 29. */
  readonly pastSeconds?: number
  /** Ahead of the clock. Default: 0. */
  readonly futureSeconds?: number
}

/** A pending login that waits for a code. */
export interface PendingChallenge {
  /** Its identifier. */
  readonly id: string
  /** Called in the transaction that uses the code up. Default: nothing more happens. */
  readonly accepted?: (database: Kysely<Schema>) => Promise<void>
}

/** A second factor as its owner may see it: without the secret. */
export interface FactorSummary {
  /** What its owner calls it. */
  readonly label: string
  /** Unix timestamp of the first proof; null while unverified. */
  readonly enabledAt: number | null
  /** Unix timestamp of the last accepted code; null before the first. */
  readonly usedAt: number | null
}

/**
 * Second factors by time-based one-time code (RFC 6238: SHA-1, 6 digits, 30 seconds). The library answers only
 * whether a code fits; that a code is used once, and how often one may guess, is decided here.
 */
export class TotpFactors {
  readonly #database: Kysely<Schema>
  readonly #vault: FactorVault
  readonly #attempts: Attempts
  readonly #tolerance: [past: number, future: number]
  #challenge: PendingChallenge | null = null

  /**
   * @param services `database` with the factors, `vault` that opens their secrets, `attempts` that limits guessing.
   * @param leeway Tolerated distance from the clock. Default: the current step, and the step before for 29 seconds.
   * @throws {RangeError} If a leeway is not a whole number of seconds from 0 to 29.
   */
  constructor(
    services: { readonly database: Kysely<Schema>; readonly vault: FactorVault; readonly attempts: Attempts },
    leeway: TotpLeeway = {},
  ) {
    this.#database = services.database
    this.#vault = services.vault
    this.#attempts = services.attempts
    this.#tolerance = [leeway.pastSeconds ?? DEFAULT_PAST_SECONDS, leeway.futureSeconds ?? 0]
    for (const seconds of this.#tolerance) {
      if (!Number.isInteger(seconds) || seconds < 0 || seconds >= TOTP_PERIOD_SECONDS) {
        throw new RangeError(
          `Cannot tolerate ${seconds} seconds: give 0 to ${TOTP_PERIOD_SECONDS - 1} whole seconds`,
        )
      }
    }
  }

  /**
   * The same factors for a pending login: an accepted code ends its challenge in the transaction that uses the code up.
   * Of all codes for one challenge one is accepted, whatever their kind, and the others stay good.
   *
   * @param challenge Its identifier, for which a try was counted before, and what else is to happen when a code is
   * accepted, or not at all: when it fails, the code stays good and the challenge open.
   * @returns Factors whose codes are for this challenge.
   */
  forChallenge(challenge: PendingChallenge): Pick<TotpFactors, 'verifyAndConsume'> {
    const services = { database: this.#database, vault: this.#vault, attempts: this.#attempts }
    const [pastSeconds, futureSeconds] = this.#tolerance
    const factors = new TotpFactors(services, { pastSeconds, futureSeconds })
    factors.#challenge = challenge
    return factors
  }

  /**
   * Whether an account must prove a second factor at login. A factor that was never verified does not count.
   *
   * @param accountId Account reference.
   * @returns Whether it has an enabled factor.
   */
  async isRequired(accountId: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('factor')
      .select('id')
      .where('account_id', '=', accountId)
      .where('state', '=', 'enabled')
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Verifies a code and uses it up. Of any number of simultaneous calls with one code, one succeeds. Failures of
   * the account are counted before the code is looked at and forgotten after success.
   *
   * @param principal Whose factor it is; reloaded from the repository, never chosen by the client.
   * @param code What was typed, of any type. Spaces are ignored, for authenticators show codes in groups.
   * @param clock Clock of the application.
   * @returns Whether it was a code of an enabled factor, in time, and of a later step than the last accepted one.
   * @throws {TooManyRequestsException} If the account is locked; the code is not looked at.
   */
  async verifyAndConsume(principal: Account, code: unknown, clock: Clock): Promise<boolean> {
    const limited = { subject: factorSubject(principal.id), limit: FACTOR_LIMIT }
    return this.#attempts.judge([limited], () => this.#consume(principal, code, clock))
  }

  /**
   * @param accountId Account reference.
   * @returns Seconds until codes of the account are looked at again; 0 when they are.
   */
  lockedSeconds(accountId: string): Promise<number> {
    return this.#attempts.lockedSeconds(factorSubject(accountId), FACTOR_LIMIT)
  }

  /**
   * Creates a factor in the state `unverified`; `verifyAndConsume()` does not see it yet.
   *
   * @param accountId Whose factor it is.
   * @param label What its owner calls it.
   * @param clock Clock of the application.
   * @returns `id` of the factor, and the `secret` in Base32, shown to the owner once.
   */
  async add(
    accountId: string,
    label: string,
    clock: Clock,
  ): Promise<{ readonly id: string; readonly secret: Secret }> {
    const secret = new Secret(generateSecret())
    const row = this.#newFactor(accountId, label, { secret, now: clock.timestamp() })
    await this.#database.insertInto('factor').values(row).execute()
    return { id: row.id, secret }
  }

  /**
   * Enables a factor without a proof: for accounts that a program sets up. A person proves a code first.
   *
   * @param id Factor to enable.
   * @param clock Clock of the application.
   */
  async enableUnproven(id: string, clock: Clock): Promise<void> {
    const changes = { state: 'enabled' as const, enabled_at: clock.timestamp() }
    await this.#database.updateTable('factor').set(changes).where('id', '=', id).execute()
  }

  /**
   * Gives an account an enabled factor unless it has one: of any number of simultaneous calls, one does. For accounts
   * that a program sets up.
   *
   * @param accountId Whose factor it is.
   * @param label What its owner calls it.
   * @param clock Clock of the application.
   */
  async ensureUnproven(accountId: string, label: string, clock: Clock): Promise<void> {
    const now = clock.timestamp()
    const row = this.#newFactor(accountId, label, { secret: new Secret(generateSecret()), now })
    await this.#database.transaction().execute(async (transaction) => {
      const enabled = await transaction
        .selectFrom('factor')
        .select('id')
        .where('account_id', '=', accountId)
        .where('state', '=', 'enabled')
        .executeTakeFirst()
      if (enabled !== undefined) return
      await transaction
        .insertInto('factor')
        .values({ ...row, state: 'enabled', enabled_at: now })
        .execute()
    })
  }

  /**
   * @param accountId Account reference.
   * @returns Its enabled factors.
   */
  async list(accountId: string): Promise<readonly FactorSummary[]> {
    const rows = await this.#enabled(accountId)
    return rows.map((row) => ({ label: row.label, enabledAt: row.enabled_at, usedAt: row.used_at }))
  }

  /**
   * What an authenticator app needs to be set up again. Shown to nobody but the owner of a demo account.
   *
   * @param account Whose factor it is.
   * @returns The `secret` in Base32 and the `uri` for a QR code; undefined when no factor is enabled.
   */
  async reveal(account: Account): Promise<{ readonly secret: Secret; readonly uri: Secret } | undefined> {
    const [factor] = await this.#enabled(account.id)
    if (factor === undefined) return undefined
    const secret = this.#vault.open(account.id, factor.secret)
    const uri = generateURI({ issuer: ISSUER, label: account.email, secret: secret.reveal() })
    return { secret, uri: new Secret(uri) }
  }

  #newFactor(
    accountId: string,
    label: string,
    { secret, now }: { readonly secret: Secret; readonly now: number },
  ): FactorTable {
    return {
      id: randomUUID(),
      account_id: accountId,
      kind: 'totp',
      label,
      state: 'unverified',
      secret: this.#vault.seal(accountId, secret),
      last_step: null,
      created_at: now,
      enabled_at: null,
      used_at: null,
    }
  }

  async #consume(principal: Account, code: unknown, clock: Clock): Promise<boolean> {
    const digits = typeof code === 'string' ? code.replaceAll(' ', '') : ''
    if (!/^[0-9]{6}$/.test(digits)) return false

    const now = clock.timestamp()
    for (const factor of await this.#enabled(principal.id)) {
      const secret = this.#vault.open(principal.id, factor.secret)
      const step = await this.#matchingStep(secret, digits, now)
      if (step !== undefined && (await this.#useUp(principal, { factorId: factor.id, step, now })))
        return true
    }
    return false
  }

  async #matchingStep(secret: Secret, token: string, epoch: number): Promise<number | undefined> {
    const options = {
      secret: secret.reveal(),
      token,
      epoch,
      epochTolerance: this.#tolerance,
      period: TOTP_PERIOD_SECONDS,
    }
    const result = await verify(options)
    return result.valid && 'timeStep' in result ? result.timeStep : undefined
  }

  // All of it or nothing: the code is used up, failures are forgotten, the challenge ends, the login is recorded.
  #useUp(principal: Account, use: StepUse): Promise<boolean> {
    const challenge = this.#challenge
    return this.#database.transaction().execute(async (transaction) => {
      if (!(await this.#advance(transaction, use))) return false
      await remember(transaction, use)
      await this.#attempts.forget(factorSubject(principal.id), transaction)
      if (challenge === null) return true
      const isOver = { ended_at: use.now }
      await transaction.updateTable('challenge').set(isOver).where('id', '=', challenge.id).execute()
      await challenge.accepted?.(transaction)
      return true
    })
  }

  // One conditional statement: whoever moves the last accepted step forward has used the code. The state is asked
  // again, for the factor may have been disabled since it was read; and another code may have ended the challenge.
  // A last step that is still to come was accepted before the clock was set back. It refuses nothing then, or the
  // account were locked until that time; the steps that were used are known one by one.
  async #advance(database: Kysely<Schema>, { factorId, step, now }: StepUse): Promise<boolean> {
    const [, futureSeconds] = this.#tolerance
    const latest = Math.floor((now + futureSeconds) / TOTP_PERIOD_SECONDS)
    const isOpen =
      this.#challenge === null
        ? sql<boolean>`TRUE`
        : sql<boolean>`EXISTS (SELECT 1 FROM challenge WHERE id = ${this.#challenge.id} AND ended_at IS NULL)`
    const result = await database
      .updateTable('factor')
      .set({ last_step: step, used_at: now })
      .where('id', '=', factorId)
      .where('state', '=', 'enabled')
      .where((where) =>
        where.or([
          where('last_step', 'is', null),
          where('last_step', '<', step),
          where('last_step', '>', latest),
        ]),
      )
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM used_step WHERE factor_id = ${factorId} AND step = ${step})`,
      )
      .where(isOpen)
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }

  #enabled(
    accountId: string,
  ): Promise<
    { id: string; label: string; secret: string; enabled_at: number | null; used_at: number | null }[]
  > {
    return this.#database
      .selectFrom('factor')
      .select(['id', 'label', 'secret', 'enabled_at', 'used_at'])
      .where('account_id', '=', accountId)
      .where('state', '=', 'enabled')
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  }
}

/** A time step that is used. */
interface StepUse {
  readonly factorId: string
  readonly step: number
  /** Unix timestamp in seconds. */
  readonly now: number
}

async function remember(database: Kysely<Schema>, { factorId, step }: StepUse): Promise<void> {
  await database.insertInto('used_step').values({ factor_id: factorId, step }).execute()
  const kept = database
    .selectFrom('used_step')
    .select('id')
    .where('factor_id', '=', factorId)
    .orderBy('id', 'desc')
    .limit(KEPT_STEPS)
  await database
    .deleteFrom('used_step')
    .where('factor_id', '=', factorId)
    .where('id', 'not in', kept)
    .execute()
}
