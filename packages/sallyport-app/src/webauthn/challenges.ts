import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Connection, Statement } from '../database/index.ts'
import { narrowed } from '../database/internal.ts'

// A challenge is 32 random bytes in base64url. The session keeps it under `passkey.<purpose>` with exactly these members:
//
//   challenge   the value that the authenticator signs
//   to          what it is bound to; empty for nothing but the session
//   expires_at  integer, Unix timestamp in seconds
//
// It is bound to the session by being in it, to the purpose by its key, and to a pending login by its identifier. The
// database keeps the digest of each one that was answered, so that none works twice, not even in a restored session.
const CHALLENGE_BYTES = 32
const KEPT_SECONDS = 60 * 60

/** How long a challenge may be answered. */
export const CHALLENGE_SECONDS = 300

/** One row for each challenge that was answered. Its primary key makes it work once. */
export interface UsedChallengeTable {
  /** Digest of the challenge. */
  challenge: string
  /** Unix timestamp in seconds. */
  used_at: number
}

/** What the schema of an application has for challenges. */
export interface ChallengeTables {
  /** Those that were answered, for an hour. */
  used_passkey_challenge: UsedChallengeTable
}

/** What makes their table: a migration of the application has these statements. They are never edited. */
export const challengeTables: readonly Statement[] = [
  `CREATE TABLE used_passkey_challenge (
    challenge TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX used_passkey_challenge_age ON used_passkey_challenge (used_at)',
]

/** What a challenge is bound to. */
export interface Binding {
  /** What the response is for: no response to one purpose counts for another. */
  readonly purpose: string
  /** Such as the identifier of a pending login or of an account. Default: nothing but the session. */
  readonly to?: string
}

/**
 * Gives the session a challenge. One that was given lately is given again, so that a second tab does not spoil the first; not one
 * that was answered by a request whose session could not be written.
 *
 * @param database Where answered ones are.
 * @param session Session of the request.
 * @param binding What it is bound to, and the clock.
 * @returns The challenge in base64url. It must not be logged.
 */
export async function issueChallenge<Tables extends ChallengeTables>(
  database: Connection<Tables>,
  session: Session,
  { clock, ...binding }: Binding & { readonly clock: Clock },
): Promise<string> {
  const now = clock.timestamp()
  const given = parse(await session.get(keyOf(binding)), binding, now)
  const isYoung = given !== undefined && given.expiresAt - now > CHALLENGE_SECONDS / 2
  if (isYoung && !(await isSpent(database, given.challenge))) return given.challenge
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const { to = '' } = binding
  await session.set(keyOf(binding), { challenge, to, expires_at: now + CHALLENGE_SECONDS })
  return challenge
}

/**
 * Takes the challenge out of the session, whatever the response is like.
 *
 * @param session Session of the request.
 * @param binding What it was bound to.
 * @param clock The clock.
 * @returns The challenge; undefined when there is none, or it has expired.
 */
export async function takeChallenge(
  session: Session,
  binding: Binding,
  clock: Clock,
): Promise<string | undefined> {
  const value = await session.get(keyOf(binding))
  if (value === null) return undefined
  await session.remove(keyOf(binding))
  return parse(value, binding, clock.timestamp())?.challenge
}

/**
 * Takes a challenge back that was not answered.
 *
 * @param session Session of the request.
 * @param purpose What it was for.
 */
export async function discardChallenge(session: Pick<Session, 'remove'>, purpose: string): Promise<void> {
  await session.remove(keyOf({ purpose }))
}

/**
 * Uses a challenge up. Of many responses to it, one succeeds.
 *
 * @param database The transaction of what the response does.
 * @param challenge The challenge.
 * @param now Unix timestamp in seconds.
 * @returns Whether it was unused.
 */
export async function spendChallenge<Tables extends ChallengeTables>(
  database: Connection<Tables>,
  challenge: string,
  now: number,
): Promise<boolean> {
  const used = narrowed<ChallengeTables, Tables>(database)
  await used
    .deleteFrom('used_passkey_challenge')
    .where('used_at', '<=', now - KEPT_SECONDS)
    .execute()
  const inserted = await used
    .insertInto('used_passkey_challenge')
    .values({ challenge: digestOf(challenge), used_at: now })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .returning('challenge')
    .executeTakeFirst()
  return inserted !== undefined
}

async function isSpent<Tables extends ChallengeTables>(
  database: Connection<Tables>,
  challenge: string,
): Promise<boolean> {
  const spent = await narrowed<ChallengeTables, Tables>(database)
    .selectFrom('used_passkey_challenge')
    .select('challenge')
    .where('challenge', '=', digestOf(challenge))
    .executeTakeFirst()
  return spent !== undefined
}

function digestOf(challenge: string): string {
  return createHash('sha256').update(challenge).digest('base64url')
}

function keyOf({ purpose }: Pick<Binding, 'purpose'>): string {
  return `passkey.${purpose}`
}

function parse(
  value: unknown,
  { to = '' }: Binding,
  now: number,
): { readonly challenge: string; readonly expiresAt: number } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields: { readonly challenge?: unknown; readonly to?: unknown; readonly expires_at?: unknown } = value
  const { challenge, to: boundTo, expires_at: expiresAt } = fields
  if (typeof challenge !== 'string' || boundTo !== to || !Number.isSafeInteger(expiresAt)) return undefined
  const left = Number(expiresAt) - now
  // One whose end is further away than its lifetime was given before the clock was set back.
  return left > 0 && left <= CHALLENGE_SECONDS ? { challenge, expiresAt: Number(expiresAt) } : undefined
}
