import type { OwnEvent } from '../../core/audit/own-events.ts'

// The columns of the CSV and the members of the JSON, in this order. Programs read them: a released one is never renamed.
const COLUMNS = [
  'time',
  'event',
  'description',
  'client_address',
  'browser',
  'system',
  'detail',
  'by_administration',
] as const

/** One exported entry. */
export type ExportedRow = Readonly<Record<Exclude<(typeof COLUMNS)[number], 'by_administration'>, string>> & {
  /** Whether the administration did it, and not the owner of the account. */
  readonly by_administration: boolean
}

/** @returns The row of it. `describe` says in words what happened. */
export function toRow(record: OwnEvent, describe: (record: OwnEvent) => string): ExportedRow {
  const [browser = '', system = ''] = record.device.split('/')
  return {
    time: new Date(record.at * 1000).toISOString(),
    event: record.kind,
    description: describe(record),
    client_address: record.clientAddress,
    browser,
    system,
    detail: record.detail ?? '',
    by_administration: record.byAdministration,
  }
}

/** @returns The lines of a CSV file (RFC 4180), the header first. */
export async function* toCsv(batches: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string> {
  yield lineOf(COLUMNS)
  for await (const rows of batches)
    yield rows.map((row) => lineOf(COLUMNS.map((column) => String(row[column])))).join('')
}

/** @returns The text of a JSON array. */
export async function* toJson(batches: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of batches) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

// A table calculates what begins like a formula. With an apostrophe in front it shows it.
function cellOf(text: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
