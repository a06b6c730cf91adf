import type { AuditRecord } from '../identity/audit-trail.ts'

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
  'password-refused': 'A password was refused',
  'password-accepted': 'The password was right, a code was asked for',
  'password-locked': 'Too many passwords: sign-in was paused',
  'login-refused': 'A sign-in was refused, because somebody was signed in',
  'logged-in': 'Signed in',
  'code-refused': 'A code was refused',
  'code-locked': 'Too many codes: code checks were paused',
  'challenge-spent': 'A sign-in ended: too many wrong codes',
  'challenge-expired': 'A sign-in ended: its time was over',
  'challenge-cancelled': 'A sign-in was cancelled',
  'account-unavailable': 'A sign-in ended: the account cannot be used',
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

/**
 * @param record An entry of the audit trail.
 * @param named Whether the account is named: true in a list of several accounts.
 * @returns The entry for a list.
 */
export function toEvent(
  record: AuditRecord,
  { named }: { readonly named: boolean },
): Readonly<Record<string, unknown>> {
  const sentence = SENTENCES[record.kind] ?? record.kind
  const text = named ? `${record.name ?? 'Nobody known'}: ${sentence}` : sentence
  return {
    text,
    from: record.clientAddress === '' ? 'address unknown' : record.clientAddress,
    time: toMoment(record.at),
  }
}

/**
 * @param seconds A time to wait, at least one second.
 * @returns The time in whole minutes, rounded up: `1 minute`, `15 minutes`.
 */
export function toMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
