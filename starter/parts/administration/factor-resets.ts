import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { endFound, isLive } from 'sallyport-app/database'
import { operatorOf } from 'sallyport-app/audit'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { identityIn } from '../../core/accounts/users.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Notices } from '../../core/mail/notices.ts'
import { OpenSessions } from '../../core/sessions/open-sessions.ts'
import { Settings } from '../../core/settings.ts'
import { sameActor } from './actor.ts'
import { type Act, type Acting, Acts } from './acts.ts'
import { areDependent } from './granters.ts'
import { NewFactors } from './new-factors.ts'
import { Permission } from './permission.ts'
import { refusedBy } from './rule.ts'

/** How long a request for a reset can be approved. */
export const RESET_REQUEST_SECONDS: number = 24 * 60 * 60

/** A request that waits for a second person. */
export interface ResetRequest {
  readonly id: string
  /** The account, its owner and its address. */
  readonly accountId: string
  readonly name: string
  readonly email: string
  /** Who asked: an account reference, or `operator:` and a name. */
  readonly requestedBy: string
  /** Name of the account that asked; null for an operator. */
  readonly requestedByName: string | null
  readonly requestedAt: number
  readonly reason: string
  /** Unix timestamp until which it can be approved. */
  readonly expiresAt: number
}

/** The rule that keeps somebody from approving a request. */
export type Bar = 'own_account' | 'second_person' | 'dependent_person'

/**
 * Resets the second factors of an account whose owner has lost them. It opens nothing: every factor is gone, every session and
 * pending login ends, the owner gets a mail, and the next login leads to the set-up of a new factor. Where it is configured, one
 * person asks and another one approves; the owner is told at once, and ends the request by signing in with a factor.
 */
export class FactorResets {
  readonly #acts = inject(Acts)
  readonly #database = inject(Database)
  readonly #open = inject(OpenSessions)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #newFactors = inject(NewFactors)
  /** Whether a second person has to approve a reset. */
  readonly needsApproval: boolean = inject(Settings).resetNeedsApproval === true

  /** Resets the factors, or asks for it where a second person has to approve. */
  async reset(act: Act, accountId: string): Promise<'reset' | 'requested'> {
    await this.endExpired()
    await this.#acts.perform(act, Permission.FactorsReset, async (acting) => {
      acting.assertNotOwn(await acting.target(accountId))
      await (this.needsApproval ? this.#request(acting, accountId) : this.#reset(acting, accountId))
    })
    if (this.needsApproval) return 'requested'
    await this.#open.remove(accountId)
    return 'reset'
  }

  /**
   * Approves a request, once, and resets the factors. It is over when its owner has signed in with a factor since, or the credentials of
   * the account have changed.
   */
  async approve(act: Act, requestId: string): Promise<void> {
    await this.endExpired()
    const accountId = await this.#acts.perform(act, Permission.FactorsReset, async (acting) => {
      const found = await rowOf(acting.transaction, requestId)
      const { id } = await acting.target(found.accountId)
      const bar = await barOf(acting.transaction, found, acting.actor)
      if (bar !== undefined) throw refusedBy(bar)
      await decide(acting, requestId, 'approved')
      if (!(await mayStillAsk(acting.transaction, found.requestedBy))) throw refusedBy('requester_gone')
      await this.#reset(acting, id)
      return id
    })
    await this.#open.remove(accountId)
  }

  /** @returns The rule by which `approve()` would refuse this person in any case; undefined when none does. */
  barOf(found: ResetRequest, approver: string): Promise<Bar | undefined> {
    return barOf(this.#database, found, approver)
  }

  /** Cancels a request. The one who asked may do that, too. */
  cancel(act: Act, requestId: string): Promise<void> {
    return this.#acts.perform(act, Permission.FactorsReset, async (acting) => {
      const { accountId } = await rowOf(acting.transaction, requestId)
      await decide(acting, requestId, 'cancelled')
      await acting.record('factor-reset-cancelled', accountId)
    })
  }

  /** @returns The requests that wait, the oldest first. */
  async waiting(limit: number): Promise<readonly ResetRequest[]> {
    await this.endExpired()
    return this.#requests().orderBy('requested_at').orderBy('factor_reset.id').limit(limit).execute()
  }

  /** @returns The request; undefined when there is none that waits. */
  async find(requestId: string): Promise<ResetRequest | undefined> {
    await this.endExpired()
    return this.#requests().where('factor_reset.id', '=', requestId).executeTakeFirst()
  }

  /** Ends the requests whose time is over, so that a clock that is set back revives none. It may run at any time. */
  endExpired(): Promise<void> {
    const now = this.#clock.timestamp()
    const isOver = sql<boolean>`(state = 'requested' AND NOT ${isLive(now, RESET_REQUEST_SECONDS)})`
    return endFound(
      this.#database.selectFrom('factor_reset').select('id').where(isOver),
      this.#database.updateTable('factor_reset').set({ state: 'cancelled', decided_at: now }).where(isOver),
    )
  }

  #requests() {
    return this.#database
      .selectFrom('factor_reset')
      .innerJoin('account', 'account.id', 'factor_reset.account_id')
      .leftJoin('account as other', 'other.id', 'factor_reset.requested_by')
      .select([
        'factor_reset.id',
        'factor_reset.account_id as accountId',
        'account.name',
        'account.email',
        'factor_reset.requested_by as requestedBy',
        'other.name as requestedByName',
        'factor_reset.requested_at as requestedAt',
        'factor_reset.reason',
        'factor_reset.expires_at as expiresAt',
      ])
      .where('factor_reset.state', '=', sql.lit('requested'))
  }

  // All kinds, unproven ones too: an enrollment that is under way ends with the credential version.
  async #reset(acting: Acting, accountId: string): Promise<void> {
    const { transaction } = acting
    for (const table of ['factor', 'recovery_code'] as const)
      await transaction.deleteFrom(table).where('account_id', '=', accountId).execute()
    await this.#newFactors.require(transaction, accountId)
    await this.#versions.raise(transaction, accountId)
    await acting.record('factors-reset', accountId)
    await this.#notices.tell({ kind: 'factors-reset', accountId }, transaction)
  }

  async #request(acting: Acting, accountId: string): Promise<void> {
    await request(acting, accountId)
    await this.#notices.tell({ kind: 'factors-reset-asked', accountId }, acting.transaction)
  }
}

async function request(acting: Acting, accountId: string): Promise<void> {
  const { transaction, now, actor, reason } = acting
  const added = await transaction
    .insertInto('factor_reset')
    .values({
      id: randomUUID(),
      account_id: accountId,
      state: 'requested',
      reason,
      requested_by: actor,
      requested_at: now,
      expires_at: now + RESET_REQUEST_SECONDS,
      decided_by: null,
      decided_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows !== 1n) throw refusedBy('already_requested')
  await acting.record('factor-reset-requested', accountId)
}

type Asked = Pick<ResetRequest, 'accountId' | 'requestedBy' | 'requestedAt'>

async function barOf(
  database: Kysely<Schema>,
  { accountId, requestedBy: asker, requestedAt: since }: Asked,
  approver: string,
): Promise<Bar | undefined> {
  if (accountId === approver) return 'own_account'
  if (sameActor(asker, approver)) return 'second_person'
  const pair = { asker, approver, since }
  return (await areDependent(database, Permission.FactorsReset, pair)) ? 'dependent_person' : undefined
}

async function rowOf(database: Kysely<Schema>, id: string): Promise<Asked> {
  const row = await database
    .selectFrom('factor_reset')
    .select(['account_id as accountId', 'requested_by as requestedBy', 'requested_at as requestedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new NotFoundException('There is no such request')
  return row
}

// The row count decides: of several approvals one counts.
async function decide(
  { transaction, now, actor }: Acting,
  id: string,
  state: 'approved' | 'cancelled',
): Promise<void> {
  const decided = await transaction
    .updateTable('factor_reset')
    .set({ state, decided_by: actor, decided_at: now })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .where(isLive(now, RESET_REQUEST_SECONDS))
    .executeTakeFirst()
  if (decided.numUpdatedRows !== 1n) throw refusedBy('request_over')
}

async function mayStillAsk(database: Kysely<Schema>, actor: string): Promise<boolean> {
  if (operatorOf(actor) !== undefined) return true
  const identity = await identityIn(database, actor)
  return identity?.permissions.includes(Permission.FactorsReset) === true
}
