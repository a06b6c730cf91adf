import { type Kysely, sql, type Transaction } from 'kysely'
import { type Clock, inject } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import { Attempts } from 'sallyport-app/limits'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { AuditEvent } from '../audit/audit-trail.ts'
import { AUTHENTICATOR_LIMIT, codeLimits } from '../limits/limits.ts'
import { CodeCheck, type ComparedFactor, type PendingChallenge } from './code-check.ts'
import { FactorVault } from './factor-vault.ts'
import { FactorKinds } from './known-kinds.ts'
import { parseTotpCode } from './totp-code.ts'

// How many accepted steps of each factor are remembered. A count and no time, because clocks are set.
const KEPT_STEPS = 100

interface EnabledFactor extends ComparedFactor {
  readonly id: string
  readonly secret: string
  readonly last_step: number | null
}

/** The factor service of the specification (FACTOR-01), for one thing that waits for a code. */
export interface FactorService {
  /**
   * Verifies a code and uses it up. A wrong one is counted for each authenticator that it was compared with.
   *
   * @param code The submitted value, of any type. Spaces and hyphens are ignored, because authenticators show codes in groups.
   * @returns Whether it was a timely code of an enabled factor, of a later step than the last accepted one.
   * @throws {TooManyRequestsException} If the account or every authenticator of it is locked.
   * @throws {UnreadableSecretException} If no authenticator has a secret that can be opened; nothing is counted then.
   */
  verifyAndConsume(principal: Account, code: unknown, clock: Clock): Promise<boolean>
}

/**
 * One-time codes of six digits, made from the time or from what else a kind says. The kind only finds out whether a code matches. This
 * class ensures that each code is used once and limits guessing.
 */
export class TotpFactors {
  readonly #database = inject(Database)
  readonly #vault = inject(FactorVault)
  readonly #attempts = inject(Attempts)
  readonly #check = inject(CodeCheck)
  readonly #kinds = inject(FactorKinds)

  /** @returns The factor service for what waits for a code. */
  for(challenge: PendingChallenge): FactorService {
    return {
      verifyAndConsume: ({ id }, code, clock) =>
        this.#verify(id, code, { challenge, now: clock.timestamp() }),
    }
  }

  async #verify(
    accountId: string,
    code: unknown,
    { challenge, now }: Pick<TypedToken, 'challenge' | 'now'>,
  ): Promise<boolean> {
    const compared = await this.#unlocked(accountId, challenge)
    const [detail, another] = new Set(compared.map(({ kind }) => kind))
    const isOne = detail !== undefined && another === undefined
    const refused = { kind: AuditEvent.CodeRefused, ...(isOne && { detail }) }
    const typed = { accountId, challenge, compared, refused }
    const token = parseTotpCode(code)
    return this.#check.judge(typed, async (transaction) =>
      token === undefined ? undefined : this.#useUp(transaction, { ...typed, token, now }),
    )
  }

  // One that is locked must not lock the others.
  async #unlocked(accountId: string, { kinds, unlock }: PendingChallenge): Promise<readonly EnabledFactor[]> {
    const rows = await this.#database
      .selectFrom('factor')
      .select(['id', 'kind', 'label', 'secret', 'last_step'])
      .where('account_id', '=', accountId)
      .where('state', '=', sql.lit('enabled'))
      .where('secret', 'is not', null)
      .$narrowType<{ secret: string }>()
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const asked: readonly EnabledFactor[] = rows
      .filter(({ kind }) => kinds?.has(kind) !== false)
      .map((row) => ({ ...row, limit: AUTHENTICATOR_LIMIT.of(row.id) }))
    const limits = asked.map(({ limit }) => limit)
    const waits = await this.#attempts.locks(codeLimits(accountId, limits, unlock))
    const unlocked = asked.filter(({ limit }) => !waits.has(limit.subject))
    if (asked.length > 0 && unlocked.length === 0)
      throw new TooManyRequestsException(Math.min(...waits.values()))
    return unlocked
  }

  // One whose secret cannot be opened must not lock out the others. If none can, no code can be judged.
  async #useUp(
    transaction: Transaction<Schema>,
    { accountId, token, now, compared }: TypedToken,
  ): Promise<ComparedFactor | undefined> {
    const readable = compared.flatMap((factor) => {
      const secret = this.#vault.tryToOpen(accountId, factor.secret)
      return secret === undefined ? [] : [{ factor, secret }]
    })
    const [first] = compared
    if (first !== undefined && readable.length === 0) this.#vault.open(accountId, first.secret)

    for (const { factor, secret } of readable) {
      const codes = this.#kinds.codesOf(factor.kind)
      const step = await codes?.match({ secret, token, last: factor.last_step, now })
      if (codes === undefined || step === undefined) continue
      const use = { factorId: factor.id, step, now, latest: codes.latest(now) }
      if (await advanceStep(transaction, use)) return factor
    }
    return undefined
  }
}

interface TypedToken {
  readonly accountId: string
  readonly token: string
  readonly now: number
  readonly compared: readonly EnabledFactor[]
  readonly challenge: PendingChallenge
}

interface StepUse {
  readonly factorId: string
  /** Moving factor of the code: number of the time step, or counter. */
  readonly step: number
  readonly now: number
  readonly latest: number
}

// Uses up a code: of several callers, one does. The call that moves the last accepted step forward has used it. It checks the state again,
// because the factor may have been disabled since. A last step in the future was accepted before the clock was set back and is ignored,
// otherwise the account would be locked until that time. The used steps are stored one by one.
async function advanceStep(database: Kysely<Schema>, use: StepUse): Promise<boolean> {
  const { factorId, step, now, latest } = use
  const advanced = await sql`UPDATE factor SET last_step = ${step}, used_at = ${now}
    WHERE id = ${factorId} AND state = 'enabled' AND (last_step IS NULL OR last_step < ${step} OR last_step > ${latest})
      AND NOT EXISTS (SELECT 1 FROM used_step WHERE factor_id = ${factorId} AND step = ${step})`.execute(
    database,
  )
  if (advanced.numAffectedRows !== 1n) return false
  await sql`INSERT INTO used_step (factor_id, step) VALUES (${factorId}, ${step})`.execute(database)
  await sql`DELETE FROM used_step WHERE factor_id = ${factorId} AND id <=
    (SELECT id FROM used_step WHERE factor_id = ${factorId} ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_STEPS})`.execute(
    database,
  )
  return true
}
