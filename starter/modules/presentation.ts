import { type AuditSummary, READ_OF_EACH_KIND } from '../identity/audit-trail.ts'

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

// Swedish writes dates as machines do: 2026-01-31 23:59.
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
  'login-refused': 'Sign-in refused, somebody was signed in already',
  'logged-in': 'Signed in',
  'code-refused': 'Wrong code',
  'code-locked': 'Too many wrong codes, code checks paused',
  'challenge-spent': 'Sign-in ended, too many wrong codes',
  'challenge-expired': 'Sign-in ended, its time was over',
  'challenge-cancelled': 'Sign-in cancelled',
  'account-unavailable': 'Sign-in ended, the account cannot be used',
  'logged-out': 'Signed out',
}

/** A moment for a `<time>` element. */
export interface Moment {
  /** For its attribute. */
  readonly iso: string
  /** For people. */
  readonly text: string
}

/**
 * @param timestamp Unix timestamp in seconds; null for none.
 * @returns The moment in UTC.
 */
export function toMoment(timestamp: number | null): Moment {
  if (timestamp === null) return { iso: '', text: 'Never' }
  const milliseconds = timestamp * 1000
  return { iso: `${MACHINE_FORMAT.format(milliseconds)}Z`, text: `${FORMAT.format(milliseconds)} UTC` }
}

/** A line of a list of events. */
export interface EventLine {
  /** What happened: once, or several times on one day. */
  readonly text: string
  /** From where. */
  readonly from: string
  /** When, for the last time. */
  readonly time: Moment
}

/** How events are listed. */
export interface EventListOptions {
  /** Whether the account is named: true in a list of several accounts. */
  readonly named: boolean
}

/**
 * Makes a list of events.
 *
 * @param summaries Summed up entries of the audit trail, newest first.
 * @param options How they are listed.
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
 * @param seconds A time to wait, at least one second.
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

// `one` and `several` name what is counted, the one that was named before included.
function andOthers(count: number, one: string, several: string): string {
  if (count <= 1) return ''
  return count === 2 ? ` and 1 other ${one}` : ` and ${count - 1} other ${several}`
}
