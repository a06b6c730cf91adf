import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { hosts } from './hosts.ts'
import type { Installation } from './installation.ts'

/** What the last run of the tests of hosts has seen. */
export interface Result {
  readonly name: string
  readonly version: string
  readonly tellsAddress: boolean
}

const MOUNTS = 2
const file = join(fileURLToPath(new URL('../../', import.meta.url)), '.tmp', 'hosts', 'results.json')

/**
 * Keeps which hosts have passed, for the table of the guide.
 *
 * @param installation What was tried.
 * @param passed On how many mounts each host has passed.
 */
export function writeResults({ versionOf }: Installation, passed: ReadonlyMap<string, number>): void {
  const results = hosts
    .filter(({ name }) => passed.get(name) === MOUNTS)
    .map(({ name, packageName, tellsAddress = true }): Result => {
      const version = packageName === undefined ? process.version.slice(1) : versionOf(packageName)
      return { name, version: version ?? '', tellsAddress }
    })
  writeFileSync(file, JSON.stringify(results))
}

/**
 * @returns What the last run has seen.
 * @throws {Error} If there was none.
 */
export function readResults(): readonly Result[] {
  if (!existsSync(file)) throw new Error('Cannot find results: run `npm run test:all -- hosts` first')
  return JSON.parse(readFileSync(file, 'utf8')) as Result[]
}
