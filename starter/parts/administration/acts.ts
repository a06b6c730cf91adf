import type { Kysely, Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { ForbiddenException, NotFoundException } from 'sallyport/http'
import { reasonOf } from 'sallyport-app/audit'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { Permission } from './permission.ts'
import { identityIn } from '../../core/accounts/users.ts'
import { type AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { type Actor, actorName } from './actor.ts'
import { refusedBy } from './rule.ts'

/** Something that the administration is about to do. */
export interface Act {
  readonly by: Actor
  /** Why, in one line of 5 to 500 characters. */
  readonly reason: string
}

/** An account that is administered. */
export interface Target {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** An act while it happens. Everything in it is one transaction, and no other act happens meanwhile. */
export interface Acting {
  readonly transaction: Transaction<Schema>
  readonly now: number
  readonly actor: string
  /** The reason, without blanks around it. */
  readonly reason: string
  /** What the actor may do at this moment; undefined for an operator, who is bound by the rules only. */
  readonly permissions: readonly string[] | undefined
  /** @throws {NotFoundException} If there is no such account. */
  target(id: string): Promise<Target>
  /** @throws {ValidationException} With the rule `own_account`, if the actor is its owner. */
  assertNotOwn(target: Target): void
  /** Records what was done, with who and why. `detail`: what it was done with. */
  record(kind: AuditEvent, accountId: string | null, detail?: string): Promise<void>
}

/**
 * The acts of the administration. Every one of them, behind a page or at the command line, gives a reason, is checked against
 * the permissions that the actor has at that very moment, comes alone, and is recorded in the transaction that changes
 * something.
 */
export class Acts {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /**
   * @throws {ValidationException} With the rule `reason_missing`, or what the work throws.
   * @throws {ForbiddenException} If the account that acts lacks the permission, may not sign in, or its session has ended.
   */
  async perform<T>(act: Act, permission: Permission, work: (acting: Acting) => Promise<T>): Promise<T> {
    const reason = reasonOf(act.reason)
    return this.#database.transaction().execute(async (transaction) => {
      await takeTurn(transaction)
      const permissions = await permissionsOf(transaction, act.by, permission)
      return work(this.#acting(transaction, { by: act.by, reason, permissions }))
    })
  }

  #acting(
    transaction: Transaction<Schema>,
    { by, reason, permissions }: Act & Pick<Acting, 'permissions'>,
  ): Acting {
    const actor = actorName(by)
    const clientAddress = by.kind === 'account' ? by.clientAddress : ''
    const device = by.kind === 'account' ? (by.device ?? '') : ''
    return {
      transaction,
      now: this.#clock.timestamp(),
      actor,
      reason,
      permissions,
      target: (id) => targetOf(transaction, id),
      assertNotOwn: (target) => {
        if (by.kind === 'account' && by.id === target.id) throw refusedBy('own_account')
      },
      record: (kind, accountId, detail) => {
        const entry = { kind, accountId, clientAddress, device, actor, reason }
        return this.#audit.record(detail === undefined ? entry : { ...entry, detail }, transaction)
      },
    }
  }
}

/** Waits for the acts under way: a database with several writers at once keeps the others waiting here. */
export async function takeTurn(database: Kysely<Schema>): Promise<void> {
  await database
    .updateTable('administration_turn')
    .set((update) => ({ number: update('number', '+', 1) }))
    .execute()
}

// Loaded here once more: the guard of the page has seen them some time ago.
async function permissionsOf(
  database: Kysely<Schema>,
  by: Actor,
  permission: Permission,
): Promise<readonly string[] | undefined> {
  if (by.kind === 'operator') return undefined
  const identity = await identityIn(database, by.id)
  const { credentialVersion = identity?.credentialVersion } = by
  const isCurrent = identity?.credentialVersion === credentialVersion
  if (isCurrent && identity?.permissions.includes(permission) === true) return identity.permissions
  throw new ForbiddenException('Your account may not do this: it lacks the required permission')
}

async function targetOf(database: Kysely<Schema>, id: string): Promise<Target> {
  const account = await database
    .selectFrom('account')
    .select(['id', 'name', 'email'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (account === undefined) throw new NotFoundException('There is no such account')
  return account
}
