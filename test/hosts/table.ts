/**
 * The table of hosts in docs/hosts.md, from the results of the last run of their tests:
 * `node --conditions=sallyport-source test/hosts/table.ts --write`.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { readResults, type Result } from './results.ts'

const BEGIN = '<!-- hosts: begin -->'
const END = '<!-- hosts: end -->'

/** The guide with the table. */
export const HOSTS_GUIDE: string = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url))

/**
 * @param results What was seen.
 * @returns The table.
 */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map(
    ({ name, version, tellsAddress }) =>
      `| ${name} | ${version} | ${tellsAddress ? 'yes' : 'no, unless a proxy tells it'} |`,
  )
  return ['| host | tested version | tells the address of the client |', '|---|---|---|', ...rows].join('\n')
}

/**
 * @param guide Text of the guide.
 * @returns Its table.
 */
export function tableIn(guide: string): string {
  return guide.slice(guide.indexOf(BEGIN) + BEGIN.length, guide.indexOf(END)).trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write')) {
  const guide = readFileSync(HOSTS_GUIDE, 'utf8')
  writeFileSync(
    HOSTS_GUIDE,
    guide.replace(tableIn(guide), () => tableOf(readResults())),
  )
}
