import { type AuditSummary, READ_OF_EACH_KIND } from '../identity/audit/audit-trail.ts'

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

// Swedish formats dates almost as ISO 8601 does: 2026-01-31 23:59.
const MACHINE_FORMAT = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

// The audit trail in plain words.
const SENTENCES: Readonly<Record<string, string>> = {
  'password-refused': 'Wrong password',
  'password-accepted': 'Password accepted, waiting for the code',
  'password-locked': 'Too many wrong passwords, sign-in paused',
  'login-refused': 'Sign-in refused, already signed in',
  'logged-in': 'Signed in',
  'code-refused': 'Wrong code',
  'code-locked': 'Too many wrong codes, code checks paused',
  'challenge-spent': 'Sign-in ended, too many wrong codes',
  'challenge-expired': 'Sign-in expired',
  'challenge-cancelled': 'Sign-in cancelled',
  'account-unavailable': 'Sign-in ended, account not available',
  'logged-out': 'Signed out',
}

/** A time for a `<time>` element. */
export interface Moment {
  /** Value of the attribute `datetime`. */
  readonly iso: string
  /** Visible text. */
  readonly text: string
}

/**
 * @param timestamp Unix timestamp in seconds; null for none.
 * @returns The time in UTC.
 */
export function toMoment(timestamp: number | null): Moment {
  if (timestamp === null) return { iso: '', text: 'Never' }
  const milliseconds = timestamp * 1000
  return { iso: `${MACHINE_FORMAT.format(milliseconds)}Z`, text: `${FORMAT.format(milliseconds)} UTC` }
}

/** A line of a list of events. */
export interface EventLine {
  /** What happened, once or several times on one day. */
  readonly text: string
  /** The client addresses. */
  readonly from: string
  /** Time of the last occurrence. */
  readonly time: Moment
}

/** How events are listed. */
export interface EventListOptions {
  /** Whether lines name the account: true in a list of several accounts. */
  readonly named: boolean
}

/**
 * Formats a list of events.
 *
 * @param summaries Summaries of the audit trail, newest first.
 * @param options How they are formatted.
 * @returns The lines, newest first.
 */
export function toEventLines(
  summaries: readonly AuditSummary[],
  { named }: EventListOptions,
): readonly EventLine[] {
  return summaries.map((summary) => ({
    text: sentence(summary, named) + toTimes(summary.times),
    from: toClients(summary),
    time: toMoment(summary.at),
  }))
}

/**
 * @param seconds Time to wait, at least one second.
 * @returns The time in whole minutes, rounded up: `1 minute`, `15 minutes`.
 */
export function toMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

function toTimes(times: number): string {
  if (times === 1) return ''
  return times < READ_OF_EACH_KIND ? ` (${times} times)` : ` (${times} times or more)`
}

function toClients({ clientAddress, clients }: AuditSummary): string {
  return (
    (clientAddress === '' ? 'address unknown' : clientAddress) + andOthers(clients, 'address', 'addresses')
  )
}

function sentence({ kind, name, accounts }: AuditSummary, named: boolean): string {
  const text = SENTENCES[kind] ?? kind
  if (!named) return text
  const who = (name ?? 'Unknown address') + (name === null ? '' : andOthers(accounts, 'account', 'accounts'))
  return `${who}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

// `one` and `several` name the counted things; `count` includes the one that is named before.
function andOthers(count: number, one: string, several: string): string {
  if (count <= 1) return ''
  return count === 2 ? ` and 1 other ${one}` : ` and ${count - 1} other ${several}`
}
