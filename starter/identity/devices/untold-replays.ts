import { type Kysely, sql } from 'kysely'
import type { HttpContext } from 'sallyport'
import { isSeen } from 'sallyport/http'
import type { Session } from 'sallyport/session'
import type { Schema } from '../../database/schema.ts'
import { AuditEvent } from '../audit/audit-trail.ts'
import { TOLD_REPLAY_KEY } from '../challenges/pending-login.ts'

// What the account page tells once. The entry has exactly these members:
//
//   identifier    account reference
//   at            integer, Unix timestamp in seconds
//   device        browser and system that showed the token, as `deviceOf()` names them
const UNTOLD_KEY = 'replay'

/** A second use of the token of a trusted browser. */
export interface Replay {
  /** Unix timestamp in seconds. */
  readonly at: number
  /** Browser and system of the client. */
  readonly device: string
}

/**
 * @param session Session of a pending login that is about to begin. Its next page tells the replay, so the account page does not.
 * @param accountId Account reference.
 */
export function keepReplayTold(session: Session, accountId: string): Promise<void> {
  return session.set(TOLD_REPLAY_KEY, accountId)
}

/**
 * Finds what no page has told the owner of an account.
 *
 * @param database The transaction that records a login, before it does.
 * @param accountId Account reference.
 * @param session Session of the login.
 * @returns The last replay since the last completed login; undefined for none, and where the second door has told it.
 */
export async function findUntoldReplay(
  database: Kysely<Schema>,
  accountId: string,
  session: Session,
): Promise<Replay | undefined> {
  if ((await session.get(TOLD_REPLAY_KEY)) === accountId) return undefined
  const lastLogin = sql<number>`coalesce((SELECT max(id) FROM event WHERE account_id = ${accountId} AND kind = ${AuditEvent.LoggedIn}), 0)`
  return database
    .selectFrom('event')
    .select(['at', 'device'])
    .where('account_id', '=', accountId)
    .where('kind', '=', AuditEvent.DeviceReplayed)
    .where('id', '>', lastLogin)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * @param session Session of a login that is complete.
 * @param accountId Account reference.
 * @param replay What the account page is to tell.
 */
export function keepUntoldReplay(session: Session, accountId: string, { at, device }: Replay): Promise<void> {
  return session.set(UNTOLD_KEY, { identifier: accountId, at, device })
}

/**
 * @param context Context of the request.
 * @param accountId The signed-in account.
 * @returns What the account page tells now, and never again once a person has seen it; undefined for nothing.
 */
export async function takeUntoldReplay(context: HttpContext, accountId: string): Promise<Replay | undefined> {
  const session = context.session()
  const value = await session.get(UNTOLD_KEY)
  if (typeof value !== 'object' || value === null) return undefined
  if (isSeen(context)) await session.remove(UNTOLD_KEY)
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const { identifier, at, device } = fields
  if (identifier !== accountId || typeof at !== 'number' || typeof device !== 'string') return undefined
  return { at, device }
}
