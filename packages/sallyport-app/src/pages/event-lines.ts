import { type AuditSummary, READ_OF_EACH_KIND } from '../audit/index.ts'
import type { PageMessage } from './page-state.ts'
import type { Moment } from './written-times.ts'

/** A line of a list of events. */
export interface EventLine {
  /** Message `event.<kind>`. */
  readonly what: PageMessage
  /** Whose account it concerns; undefined in a list of one account. */
  readonly who: PageMessage | undefined
  /** How often on that day; undefined for once. */
  readonly times: PageMessage | undefined
  /** The client addresses. */
  readonly from: PageMessage
  /** Time of the last occurrence. */
  readonly time: Moment
}

/**
 * Words summaries of the audit trail, with messages `event.<kind>` and `events.…`.
 *
 * @param summaries The summaries.
 * @param words How they are written.
 * @param words.named Whether they name the account, as in a list of several.
 * @param words.toMoment Writes a time.
 * @returns The lines, in the same order.
 */
export function eventLines(
  summaries: readonly AuditSummary[],
  { named, toMoment }: { readonly named: boolean; readonly toMoment: (timestamp: number) => Moment },
): readonly EventLine[] {
  return summaries.map((summary) => ({
    what: { id: `event.${summary.kind}` },
    who: named ? toAccounts(summary) : undefined,
    times: toTimes(summary.times),
    from: toClients(summary),
    time: toMoment(summary.at),
  }))
}

function toTimes(count: number): PageMessage | undefined {
  if (count === 1) return undefined
  return { id: count < READ_OF_EACH_KIND ? 'events.times' : 'events.many-times', values: { count } }
}

// Where the administration sits is not the business of the owner of the account.
function toClients({ clientAddress: address, clients, actor }: AuditSummary): PageMessage {
  if (actor !== null) return { id: 'events.by-administration' }
  if (address === '') return { id: 'events.unknown-client' }
  return { id: 'events.clients', values: { address, others: clients - 1 } }
}

function toAccounts({ name, accounts }: AuditSummary): PageMessage {
  if (name === null) return { id: 'events.unknown-account' }
  return { id: 'events.accounts', values: { name, others: Math.max(0, accounts - 1) } }
}
