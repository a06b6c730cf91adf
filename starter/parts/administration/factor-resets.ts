import { randomUUID } from 'node:crypto'
import { type Expression, type Kysely, sql, type SqlBool } from 'kysely'
import { Clock, inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { Settings } from '../../core/settings.ts'
import { Database } from '../../core/database/database.ts'
import type { FactorResetTable } from './tables.ts'
import { endFound, isLive } from '../../core/database/lifetime.ts'
import type { Schema } from '../../core/database/schema.ts'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { Permission } from './permission.ts'
import { identityIn } from '../../core/accounts/users.ts'
import { Notices } from '../../core/mail/notices.ts'
import { type Act, type Acting, Acts } from './acts.ts'
import { NewFactors } from './new-factors.ts'
import { operatorOf } from '../../core/audit/operator.ts'
import { maybeSamePerson } from './actor.ts'
import { areDependent, knownActor, type Pair } from './granters.ts'
import { refusedBy } from './rule.ts'
import { SessionEnds } from './session-ends.ts'

/** How long a request for a reset can be approved. */
export const RESET_REQUEST_SECONDS: number = 24 * 60 * 60

/** A request that waits for a second person. */
export interface ResetRequest {
  /** Identifier of the request. */
  readonly id: string
  /** The account. */
  readonly accountId: string
  /** Name of its owner. */
  readonly name: string
  /** Its address. */
  readonly email: string
  /** Who asked: an account reference, or `operator:` and a name. */
  readonly requestedBy: string
  /** Name of the account that asked; null for an operator. */
  readonly requestedByName: string | null
  /** Why. */
  readonly reason: string
  /** Unix timestamp until which it can be approved. */
  readonly expiresAt: number
}

/**
 * Resets the second factors of an account whose owner has lost them. It opens nothing: every factor is gone, every session and
 * pending login ends, the owner gets a mail, and the next login leads to the set-up of a new factor. Where it is configured, one
 * person asks and another one approves; the owner is told at once, and ends the request by signing in with a factor.
 */
export class FactorResets {
  readonly #acts = inject(Acts)
  readonly #database = inject(Database)
  readonly #sessions = inject(SessionEnds)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #newFactors = inject(NewFactors)
  /** Whether a second person has to approve a reset. */
  readonly needsApproval: boolean = inject(Settings).resetNeedsApproval === true

  /**
   * Resets the factors, or asks for it where a second person has to approve.
   *
   * @returns What happened.
   * @throws {ValidationException} If a rule refuses it: it is the own account, or a request waits already.
   * @throws {ForbiddenException} If the actor may not do this.
   * @throws {NotFoundException} If there is no such account.
   */
  async reset(act: Act, accountId: string): Promise<'reset' | 'requested'> {
    if (this.needsApproval) {
      await this.#acts.perform(act, Permission.FactorsReset, (acting) => request(acting, accountId))
      await this.#notices.tell(accountId, 'factors-reset-asked')
      return 'requested'
    }
    await this.#acts.perform(act, Permission.FactorsReset, async (acting) => {
      const target = await acting.target(accountId)
      acting.assertNotOwn(target)
      await this.#reset(acting, target.id)
    })
    await this.#afterwards(accountId)
    return 'reset'
  }

  /**
   * Approves a request, once, and resets the factors. The one who asked and the owner of the account are known by the names and
   * addresses that they have or had in the last 30 days. It is over when its owner has signed in with a factor since, or the credentials
   * of the account have changed.
   *
   * @throws {ValidationException} If a rule refuses it: it is the own account or the own request, the request is over, or the one
   * who asked may not ask any more, or one of the two has the permission from the other, or only since the request.
   * @throws {ForbiddenException} If the actor may not do this.
   * @throws {NotFoundException} If there is no such request.
   */
  async approve(act: Act, requestId: string): Promise<void> {
    await this.endExpired()
    const accountId = await this.#acts.perform(act, Permission.FactorsReset, async (acting) => {
      const row = await rowOf(acting.database, requestId)
      const target = await acting.target(row.account_id)
      acting.assertNotOwn(target)
      const asker = await knownActor(acting.database, row.requested_by)
      const approver = await knownActor(acting.database, acting.actor)
      if (maybeSamePerson(asker, approver)) throw refusedBy('second_person')
      // An operator is no account, and may be its owner all the same.
      if (maybeSamePerson(await knownActor(acting.database, target.id), approver))
        throw refusedBy('own_account')
      if (await areDependent(acting.database, Permission.FactorsReset, pairOf(row, acting.actor)))
        throw refusedBy('dependent_person')
      await decide(acting, requestId, 'approved')
      if (!(await mayStillAsk(acting.database, row.requested_by))) throw refusedBy('requester_gone')
      await this.#reset(acting, target.id)
      return target.id
    })
    await this.#afterwards(accountId)
  }

  /**
   * Says before somebody approves what `approve()` would refuse in any case.
   *
   * @returns The rule that refuses it; undefined when none does.
   */
  async barOf(
    { id, accountId, requestedBy }: Pick<ResetRequest, 'id' | 'accountId' | 'requestedBy'>,
    approverId: string,
  ): Promise<'own_account' | 'second_person' | 'dependent_person' | undefined> {
    if (accountId === approverId) return 'own_account'
    const approver = await knownActor(this.#database, approverId)
    if (maybeSamePerson({ actor: requestedBy }, approver)) return 'second_person'
    const pair = pairOf(await rowOf(this.#database, id), approverId)
    const isBarred = await areDependent(this.#database, Permission.FactorsReset, pair)
    return isBarred ? 'dependent_person' : undefined
  }

  /**
   * Cancels a request. The one who asked may do that, too.
   *
   * @throws {ValidationException} If a rule refuses it: the request is over.
   * @throws {ForbiddenException} If the actor may not do this.
   * @throws {NotFoundException} If there is no such request.
   */
  cancel(act: Act, requestId: string): Promise<void> {
    return this.#acts.perform(act, Permission.FactorsReset, async (acting) => {
      const row = await rowOf(acting.database, requestId)
      await decide(acting, requestId, 'cancelled')
      await acting.record('factor-reset-cancelled', row.account_id)
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
    const isExpired = sql<boolean>`(state = 'requested' AND expires_at <= ${now})`
    return endFound(
      this.#database.selectFrom('factor_reset').select('id').where(isExpired),
      this.#database
        .updateTable('factor_reset')
        .set({ state: 'cancelled', decided_at: now })
        .where(isExpired),
    )
  }

  #isLive(): Expression<SqlBool> {
    return isLive(this.#clock.timestamp(), RESET_REQUEST_SECONDS)
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
        'factor_reset.reason',
        'factor_reset.expires_at as expiresAt',
      ])
      .where('factor_reset.state', '=', 'requested')
      .where(this.#isLive())
  }

  // All kinds, unproven ones too: an enrollment that is under way ends with the credential version.
  async #reset(acting: Acting, accountId: string): Promise<void> {
    const { database } = acting
    for (const table of ['factor', 'recovery_code', 'recovery_code_set'] as const)
      await database.deleteFrom(table).where('account_id', '=', accountId).execute()
    await this.#newFactors.require(database, accountId)
    await this.#versions.raise(database, accountId)
    await acting.record('factors-reset', accountId)
  }

  async #afterwards(accountId: string): Promise<void> {
    await this.#sessions.remove(accountId)
    await this.#notices.tell(accountId, 'factors-reset')
  }
}

async function request(acting: Acting, accountId: string): Promise<void> {
  const { database, now, actor, reason } = acting
  const target = await acting.target(accountId)
  acting.assertNotOwn(target)
  // As at the approval: an operator is no account, and may be its owner all the same.
  if (maybeSamePerson(await knownActor(database, target.id), await knownActor(database, actor)))
    throw refusedBy('own_account')
  // One that has expired does not stand in the way of the next.
  await database
    .updateTable('factor_reset')
    .set({ state: 'cancelled', decided_at: now })
    .where('account_id', '=', target.id)
    .where('state', '=', 'requested')
    .where((where) => where.not(isLive(now, RESET_REQUEST_SECONDS)))
    .execute()
  const added = await database
    .insertInto('factor_reset')
    .values({
      id: randomUUID(),
      account_id: target.id,
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
  await acting.record('factor-reset-requested', target.id)
}

async function rowOf(
  database: Kysely<Schema>,
  id: string,
): Promise<Pick<FactorResetTable, 'account_id' | 'requested_by' | 'requested_at'>> {
  const row = await database
    .selectFrom('factor_reset')
    .select(['account_id', 'requested_by', 'requested_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new NotFoundException('There is no such request')
  return row
}

// The row count decides: of several approvals one counts.
async function decide(
  { database, now, actor }: Acting,
  id: string,
  state: 'approved' | 'cancelled',
): Promise<void> {
  const decided = await database
    .updateTable('factor_reset')
    .set({ state, decided_by: actor, decided_at: now })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .where(isLive(now, RESET_REQUEST_SECONDS))
    .executeTakeFirst()
  if (decided.numUpdatedRows !== 1n) throw refusedBy('request_over')
}

function pairOf(row: Pick<FactorResetTable, 'requested_by' | 'requested_at'>, approver: string): Pair {
  return { asker: row.requested_by, approver, since: row.requested_at }
}

async function mayStillAsk(database: Kysely<Schema>, actor: string): Promise<boolean> {
  if (operatorOf(actor) !== undefined) return true
  const identity = await identityIn(database, actor)
  return identity?.permissions.includes(Permission.FactorsReset) === true
}
