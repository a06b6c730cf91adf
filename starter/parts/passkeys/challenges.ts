import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Schema } from '../../core/database/schema.ts'

// A challenge is 32 random bytes in base64url. The session keeps it under `passkey.<purpose>` with exactly these members:
//
//   challenge   the value that the authenticator signs
//   expires_at  integer, Unix timestamp in seconds
//
// It is bound to the session by being in it, to the purpose by its key, and to the pending login by its identifier. The
// database keeps the digest of each one that was answered, so that none works twice, not even in a restored session.
const CHALLENGE_BYTES = 32
const KEPT_SECONDS = 60 * 60

/** How long a challenge may be answered. */
export const PASSKEY_CHALLENGE_SECONDS = 300

/** What a response is for: no response to one counts for the other. */
export type PasskeyPurpose = 'sign-in' | 'second-door' | 'step-up' | 'registration'

/** A challenge, and what it is bound to. */
export interface PasskeyBinding {
  /** What the response is for. */
  readonly purpose: PasskeyPurpose
  /** Identifier of the pending login or of the account. Default: nothing but the session. */
  readonly to?: string
}

/**
 * Gives the session a challenge. One that was given lately is given again, so that a second tab does not spoil the first; not one
 * that was answered by a request whose session could not be written.
 *
 * @returns The challenge in base64url. It must not be logged.
 */
export async function issuePasskeyChallenge(
  database: Kysely<Schema>,
  session: Session,
  { clock, ...binding }: PasskeyBinding & { readonly clock: Clock },
): Promise<string> {
  const now = clock.timestamp()
  const given = parse(await session.get(keyOf(binding)), binding, now)
  const isYoung = given !== undefined && given.expiresAt - now > PASSKEY_CHALLENGE_SECONDS / 2
  if (isYoung && !(await isSpent(database, given.challenge))) return given.challenge
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const { to = '' } = binding
  const expiresAt = now + PASSKEY_CHALLENGE_SECONDS
  await session.set(keyOf(binding), { challenge, to, expires_at: expiresAt })
  return challenge
}

/**
 * Takes the challenge out of the session, whatever the response is like.
 *
 * @returns The challenge; undefined when there is none, or it has expired.
 */
export async function takePasskeyChallenge(
  session: Session,
  binding: PasskeyBinding,
  clock: Clock,
): Promise<string | undefined> {
  const value = await session.get(keyOf(binding))
  if (value === null) return undefined
  await session.remove(keyOf(binding))
  return parse(value, binding, clock.timestamp())?.challenge
}

/** What was asked for on the way to a login is not answered any more. */
export async function discardLoginChallenges(session: Pick<Session, 'remove'>): Promise<void> {
  await session.remove(keyOf({ purpose: 'sign-in' }))
  await session.remove(keyOf({ purpose: 'second-door' }))
}

/**
 * Uses a challenge up. Of many responses to it, one succeeds.
 *
 * @returns Whether it was unused.
 */
export async function spendPasskeyChallenge(
  database: Kysely<Schema>,
  challenge: string,
  now: number,
): Promise<boolean> {
  await database
    .deleteFrom('used_passkey_challenge')
    .where('used_at', '<=', now - KEPT_SECONDS)
    .execute()
  const inserted = await database
    .insertInto('used_passkey_challenge')
    .values({ challenge: digestOf(challenge), used_at: now })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .returning('challenge')
    .executeTakeFirst()
  return inserted !== undefined
}

async function isSpent(database: Kysely<Schema>, challenge: string): Promise<boolean> {
  const spent = await database
    .selectFrom('used_passkey_challenge')
    .select('challenge')
    .where('challenge', '=', digestOf(challenge))
    .executeTakeFirst()
  return spent !== undefined
}

function digestOf(challenge: string): string {
  return createHash('sha256').update(challenge).digest('base64url')
}

function keyOf({ purpose }: PasskeyBinding): string {
  return `passkey.${purpose}`
}

function parse(
  value: unknown,
  { to = '' }: PasskeyBinding,
  now: number,
): { readonly challenge: string; readonly expiresAt: number } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields: { readonly challenge?: unknown; readonly to?: unknown; readonly expires_at?: unknown } = value
  const { challenge, to: boundTo, expires_at: expiresAt } = fields
  if (typeof challenge !== 'string' || boundTo !== to || !Number.isSafeInteger(expiresAt)) return undefined
  const left = Number(expiresAt) - now
  // One whose end is further away than its lifetime was given before the clock was set back.
  return left > 0 && left <= PASSKEY_CHALLENGE_SECONDS
    ? { challenge, expiresAt: Number(expiresAt) }
    : undefined
}
