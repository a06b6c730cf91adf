import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { generateSecret } from 'otplib/functional'
import { type Clock, inject, Secret } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import { Database } from '../database/database.ts'
import type { FactorTable, Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { Attempts } from '../limits/attempts.ts'
import { FactorVault } from './factor-vault.ts'
import { advanceStep, type StepUse } from './used-steps.ts'
import { UnreadableSecretException } from './unreadable-secret.ts'
import type { FactorKind, HeldKind } from './factor-kinds.ts'
import { FactorKinds } from './known-kinds.ts'
import type { LimitedSubject } from '../limits/limit.ts'
import { AUTHENTICATOR_LIMIT, codeLimits, FACTOR_LIMIT } from '../limits/limits.ts'
import { parseTotpCode } from './totp-code.ts'
import { ISSUER } from './unverified-totp.ts'

interface EnabledFactor extends Pick<
  FactorTable,
  'id' | 'kind' | 'label' | 'last_step' | 'enabled_at' | 'used_at'
> {
  readonly secret: string
}

interface ReadableFactor {
  readonly factor: EnabledFactor
  readonly secret: Secret
}

/** A pending login that waits for a code. */
export interface PendingChallenge {
  /** Its identifier. */
  readonly id: string
  /** Identifier of the authenticator that is asked for. Default: any of the account. */
  readonly factorId?: string | undefined
  /** Identifier of the unlock of this browser: locks do not hold, and its own tries are counted. Default: none. */
  readonly unlock?: string | undefined
  /**
   * Called in the transaction that uses up the code, before the code is checked: false when the challenge is over, and nothing
   * is checked. Default: it was called before.
   */
  readonly reserve?: (database: Kysely<Schema>) => Promise<boolean>
  /** Called in the transaction that uses up the code, with the kind of its factor. Default: nothing else happens. */
  readonly accepted?: (database: Kysely<Schema>, kind: FactorKind) => Promise<void>
  /** Kinds of factors that count for it. Default: all. */
  readonly kinds?: ReadonlySet<FactorKind>
}

/** A second factor as its owner may see it, without the secret. */
export interface FactorSummary {
  /** Identifier, for the pages that change it. */
  readonly id: string
  /** Its kind. */
  readonly kind: HeldKind
  /** Name given by its owner. */
  readonly label: string
  /** Unix timestamp of the first verification; null while unverified. */
  readonly enabledAt: number | null
  /** Unix timestamp of the last accepted code; null before the first. */
  readonly usedAt: number | null
}

/**
 * Second factors with one-time codes of six digits, made from the time or from what else a kind says. The kind only finds out whether a
 * code matches. This class ensures that each code is used once and limits guessing.
 */
export class TotpFactors {
  readonly #database = inject(Database)
  readonly #vault = inject(FactorVault)
  readonly #attempts = inject(Attempts)
  readonly #kinds = inject(FactorKinds)

  /**
   * Returns the same factors for a pending login. An accepted code ends the challenge in the transaction that uses up the
   * code. Of all codes for one challenge only one is accepted; the others stay valid.
   *
   * @param challenge Identifier of the challenge, for which an attempt has been counted, and a callback for an accepted code.
   * If the callback fails, the code stays valid and the challenge open.
   * @returns Factors whose codes count for this challenge.
   */
  forChallenge(challenge: PendingChallenge): Pick<TotpFactors, 'verifyAndConsume'> {
    return {
      verifyAndConsume: (principal, code, clock) =>
        this.#verify({ principal, code, now: clock.timestamp(), challenge }),
    }
  }

  /**
   * Verifies a code and uses it up. Of simultaneous calls with the same code, one succeeds. A wrong one is counted, and failures
   * are reset after success, in the transaction that checks it.
   *
   * @param principal Owner of the factor; reloaded from the repository, never chosen by the client.
   * @param code The submitted value, of any type. Spaces and hyphens are ignored, because authenticators show codes in groups.
   * @returns Whether it was a timely code of an enabled factor, of a later step than the last accepted one. A wrong one
   *   counts for each authenticator that it was compared with; a locked one is not compared.
   * @throws {TooManyRequestsException} If the account or every authenticator that is asked for is locked; the code is not checked
   *   then.
   * @throws {UnreadableSecretException} If no authenticator that is asked for has a secret that can be opened; nothing is counted then.
   */
  verifyAndConsume(principal: Account, code: unknown, clock: Clock): Promise<boolean> {
    return this.#verify({ principal, code, now: clock.timestamp() })
  }

  /**
   * Creates a factor in the state `unverified`, which `verifyAndConsume()` ignores.
   *
   * @returns `id` of the factor, and the `secret` in Base32 to show to the owner once.
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

  /** Enables a factor without verification, for accounts that a program sets up. Users must verify a code first. */
  async enableUnproven(id: string, clock: Clock): Promise<void> {
    const changes = { state: 'enabled' as const, enabled_at: clock.timestamp() }
    await this.#database.updateTable('factor').set(changes).where('id', '=', id).execute()
  }

  /**
   * Gives an account an enabled factor unless it has one; simultaneous calls create only one. For accounts that a program
   * sets up.
   */
  async ensureUnproven(accountId: string, label: string, clock: Clock): Promise<void> {
    const now = clock.timestamp()
    const row = this.#newFactor(accountId, label, { secret: new Secret(generateSecret()), now })
    await this.#database.transaction().execute(async (transaction) => {
      const enabled = await transaction
        .selectFrom('factor')
        .select('id')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'totp')
        .where('state', '=', 'enabled')
        .executeTakeFirst()
      if (enabled !== undefined) return
      await transaction
        .insertInto('factor')
        .values({ ...row, state: 'enabled', enabled_at: now })
        .execute()
    })
  }

  /** @returns Its enabled factors. */
  async list(accountId: string): Promise<readonly FactorSummary[]> {
    const rows = await this.#enabled(accountId)
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      label: row.label,
      enabledAt: row.enabled_at,
      usedAt: row.used_at,
    }))
  }

  /**
   * Returns the data for setting up an authenticator app again. For the owner of a demo account only.
   *
   * @returns The `secret` in Base32 and the `uri` for a QR code; undefined when no factor is enabled.
   * @throws {UnreadableSecretException} If the secret cannot be opened.
   */
  async reveal(account: Account): Promise<{ readonly secret: Secret; readonly uri: Secret } | undefined> {
    const factor = (await this.#enabled(account.id)).find(({ kind }) => kind === 'totp')
    if (factor === undefined) return undefined
    const secret = this.#vault.open(account.id, factor.secret)
    const uri = this.#kinds
      .codesOf(factor.kind)
      ?.uri({ issuer: ISSUER, label: account.email, secret: secret.reveal() })
    return uri === undefined ? undefined : { secret, uri: new Secret(uri) }
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

  // Counted in the transaction that checks it: if the process is killed before its end, nobody has learned whether the code was right.
  async #verify(typed: Typed): Promise<boolean> {
    const { principal, challenge } = typed
    const factors = await this.#unlocked(principal.id, challenge)
    const limits = codeLimits(principal.id, factors.map(limitOf), challenge?.unlock)
    return this.#database.transaction().execute(async (transaction) => {
      await this.#attempts.assertOpen(limits, transaction)
      if ((await challenge?.reserve?.(transaction)) === false) return false
      if (await this.#consume(transaction, typed, factors)) return true
      await this.#attempts.count(limits, transaction)
      return false
    })
  }

  // One that is locked must not lock the others.
  async #unlocked(
    accountId: string,
    { factorId, kinds, unlock }: Partial<PendingChallenge> = {},
  ): Promise<readonly EnabledFactor[]> {
    const asked = (await this.#enabled(accountId)).filter(
      ({ id, kind }) => id === (factorId ?? id) && kinds?.has(kind) !== false,
    )
    const waits = await this.#attempts.locks(codeLimits(accountId, asked.map(limitOf), unlock))
    const unlocked = asked.filter((factor) => !waits.has(limitOf(factor).subject))
    if (asked.length > 0 && unlocked.length === 0)
      throw new TooManyRequestsException(Math.min(...waits.values()))
    return unlocked
  }

  async #consume(
    transaction: Kysely<Schema>,
    typed: Typed,
    factors: readonly EnabledFactor[],
  ): Promise<boolean> {
    const token = parseTotpCode(typed.code)
    if (token === undefined) return false

    for (const { factor, secret } of this.#readable(typed.principal.id, factors)) {
      const codes = this.#kinds.codesOf(factor.kind)
      const step = await codes?.match({ secret, token, last: factor.last_step, now: typed.now })
      if (codes === undefined || step === undefined) continue
      const use = { factorId: factor.id, step, now: typed.now, latest: codes.latest(typed.now) }
      if (!(await advanceStep(transaction, { ...use, challengeId: typed.challenge?.id }))) continue
      await this.#accept(transaction, typed, { ...use, kind: factor.kind })
      return true
    }
    return false
  }

  // One whose secret cannot be opened must not lock out the others. If none can, no code can be judged, and none is counted.
  #readable(accountId: string, factors: readonly EnabledFactor[]): readonly ReadableFactor[] {
    const readable: ReadableFactor[] = []
    let fault: UnreadableSecretException | undefined
    for (const factor of factors)
      try {
        readable.push({ factor, secret: this.#vault.open(accountId, factor.secret) })
      } catch (error) {
        if (!(error instanceof UnreadableSecretException)) throw error
        fault = error
      }
    if (readable.length === 0 && fault !== undefined) throw fault
    return readable
  }

  // Failures are reset, the challenge ends, the login is recorded.
  async #accept(transaction: Kysely<Schema>, { principal, challenge }: Typed, use: CodeUse): Promise<void> {
    await this.#attempts.forget(
      [FACTOR_LIMIT.of(principal.id), AUTHENTICATOR_LIMIT.of(use.factorId)],
      transaction,
    )
    if (challenge === undefined) return
    await transaction
      .updateTable('challenge')
      .set({ ended_at: use.now })
      .where('id', '=', challenge.id)
      .execute()
    await challenge.accepted?.(transaction, use.kind)
  }

  #enabled(accountId: string): Promise<readonly EnabledFactor[]> {
    return this.#database
      .selectFrom('factor')
      .select(['id', 'kind', 'label', 'secret', 'last_step', 'enabled_at', 'used_at'])
      .where('account_id', '=', accountId)
      .where('state', '=', sql.lit('enabled'))
      .where('secret', 'is not', null)
      .$narrowType<{ secret: string }>()
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  }
}

function limitOf({ id }: EnabledFactor): LimitedSubject {
  return AUTHENTICATOR_LIMIT.of(id)
}

/** A code that was typed, and the pending login that waits for it. */
interface Typed {
  readonly principal: Account
  readonly code: unknown
  readonly now: number
  readonly challenge?: PendingChallenge
}

/** An accepted code. */
interface CodeUse extends StepUse {
  readonly kind: HeldKind
}
