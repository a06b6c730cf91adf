import type { OwnEvent } from './audit-entry.ts'

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

type Row = Readonly<Record<(typeof COLUMNS)[number], string | boolean>>
type Batches = AsyncIterable<readonly OwnEvent[]>
type Describe = (kind: string) => string

/** What a file of entries can be. */
export type ExportFormat = 'csv' | 'json'

/** How each is written, and what it is called. */
export const EXPORTS: Readonly<
  Record<
    ExportFormat,
    {
      readonly type: string
      readonly write: (batches: Batches, describe: Describe) => AsyncGenerator<string>
    }
  >
> = {
  csv: { type: 'text/csv; charset=utf-8; header=present', write: toCsv },
  json: { type: 'application/json', write: toJson },
}

// RFC 4180, the header first.
async function* toCsv(batches: Batches, describe: Describe): AsyncGenerator<string> {
  yield lineOf(COLUMNS)
  const toLine = (event: OwnEvent): string => {
    const row = toRow(event, describe)
    return lineOf(COLUMNS.map((column) => String(row[column])))
  }
  for await (const events of batches) yield events.map(toLine).join('')
}

async function* toJson(batches: Batches, describe: Describe): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const events of batches) {
    if (events.length === 0) continue
    yield separator + events.map((event) => JSON.stringify(toRow(event, describe))).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

function toRow(event: OwnEvent, describe: Describe): Row {
  const [browser = '', system = ''] = event.device.split('/')
  return {
    time: new Date(event.at * 1000).toISOString(),
    event: event.kind,
    description: describe(event.kind),
    client_address: event.clientAddress,
    browser,
    system,
    detail: event.detail ?? '',
    by_administration: event.byAdministration,
  }
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

// A table calculates what begins like a formula. With an apostrophe in front it shows it.
function cellOf(text: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
