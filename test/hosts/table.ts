/**
 * The tables of hosts and runtimes in docs/hosts.md, from the results of the last run of their tests at night:
 * `node --conditions=sallyport-source test/hosts/table.ts --write`.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { readResults, readRuntimeResults, type Result, type RuntimeResult } from './results.ts'

/** The tables of the guide. */
export type TableName = 'hosts' | 'runtimes'

/** The guide with the tables. */
export const HOSTS_GUIDE: string = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url))

function marks(name: TableName): readonly [begin: string, end: string] {
  return [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
}

/**
 * @param results What was seen.
 * @returns The table of hosts.
 */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map(
    ({ name, version, tellsAddress }) =>
      `| ${name} | ${version} | ${tellsAddress ? 'yes' : 'no, unless a proxy sends it'} |`,
  )
  return ['| host | tested version | reports the client’s address |', '|---|---|---|', ...rows].join('\n')
}

/**
 * @param results What was seen.
 * @returns The table of runtimes.
 */
export function runtimeTableOf(results: readonly RuntimeResult[]): string {
  const rows = results.map(({ name, version, tests, reasons }) => {
    const hundreds = (Math.floor(tests / 100) * 100).toLocaleString('en')
    return `| ${name} | ${version} | ${hundreds} | ${reasons.length === 0 ? 'none' : reasons.join(' ')} |`
  })
  return ['| runtime | tested version | tests, at least | differences |', '|---|---|--:|---|', ...rows].join(
    '\n',
  )
}

/**
 * @param guide Text of the guide.
 * @param name Which table.
 * @returns The table.
 */
export function tableIn(guide: string, name: TableName): string {
  const [begin, end] = marks(name)
  return guide.slice(guide.indexOf(begin) + begin.length, guide.indexOf(end)).trim()
}

/**
 * @param guide Text of the guide.
 * @param name Which table.
 * @param table The new table.
 * @returns The guide with it.
 */
export function withTable(guide: string, name: TableName, table: string): string {
  const [begin, end] = marks(name)
  const head = guide.slice(0, guide.indexOf(begin) + begin.length)
  return `${head}\n\n${table}\n\n${guide.slice(guide.indexOf(end))}`
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write')) {
  const withHosts = withTable(readFileSync(HOSTS_GUIDE, 'utf8'), 'hosts', tableOf(readResults()))
  writeFileSync(HOSTS_GUIDE, withTable(withHosts, 'runtimes', runtimeTableOf(readRuntimeResults())))
}
