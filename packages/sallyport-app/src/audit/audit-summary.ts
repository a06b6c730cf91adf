import type { AuditRecord } from './audit-entry.ts'

const SECONDS_OF_A_DAY = 24 * 60 * 60

/** A summary of the entries of one kind on one day: the newest entry, and counts. */
export interface AuditSummary extends AuditRecord {
  /** Number of entries. */
  readonly times: number
  /** Number of distinct client addresses. */
  readonly clients: number
  /** Number of distinct known accounts. */
  readonly accounts: number
}

/**
 * Makes lines of entries: each kind once a day, and once for each client and account of the kinds `byClient`.
 *
 * @returns The summaries in the order of their newest entries.
 */
export function summarize(
  records: readonly AuditRecord[],
  byClient: readonly string[],
): readonly AuditSummary[] {
  const lines = Map.groupBy(records, (record) => lineOf(record, byClient))
  return [...lines.values()].flatMap(toSummary)
}

// Entries with the same result are on one line.
function lineOf(record: AuditRecord, byClient: readonly string[]): string {
  const { at, kind, accountId, clientAddress, actor } = record
  const line = `${kind} ${Math.floor(at / SECONDS_OF_A_DAY)}`
  if (actor !== null) return `${line} ${accountId} ${actor}`
  return byClient.includes(kind) ? `${line} ${accountId} ${clientAddress}` : line
}

function toSummary(line: readonly AuditRecord[]): AuditSummary[] {
  const [newest] = line
  if (newest === undefined) return []
  const clients = countOf(line.map(({ clientAddress }) => clientAddress))
  const accounts = countOf(line.map(({ accountId }) => accountId))
  return [{ ...newest, times: line.length, clients, accounts }]
}

function countOf(values: readonly (string | null)[]): number {
  const distinct = new Set(values)
  distinct.delete(null)
  return distinct.size
}
