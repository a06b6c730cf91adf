import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type Host, hosts } from './hosts.ts'

/** What the last run of the tests of hosts has seen. */
export interface Result {
  readonly name: string
  readonly version: string
  readonly tellsAddress: boolean
}

/** A host that has taken all steps on one mount. */
export interface Passed {
  readonly host: Host
  readonly version: string
}

/** What the last run of the framework's tests on a runtime has seen. */
export interface RuntimeResult {
  readonly name: string
  readonly version: string
  /** How many tests ran. */
  readonly tests: number
  /** Why some of them fail. */
  readonly reasons: readonly string[]
}

const MOUNTS = 2
const folder = join(fileURLToPath(new URL('../../', import.meta.url)), '.tmp', 'hosts')
const ofHosts = join(folder, 'results.json')
const ofRuntimes = join(folder, 'runtimes.json')

/**
 * Keeps which hosts have passed, for the table of the guide. What was not tried keeps its result.
 *
 * @param passed One for each mount of a host.
 */
export function writeResults(passed: readonly Passed[]): void {
  const before = existsSync(ofHosts) ? readResults() : []
  const results = hosts.flatMap((host): readonly Result[] => {
    const { name, tellsAddress = true } = host
    const own = passed.filter((one) => one.host === host)
    const [first] = own
    if (first === undefined) return before.filter((result) => result.name === name)
    return own.length === MOUNTS ? [{ name, version: first.version, tellsAddress }] : []
  })
  writeFileSync(ofHosts, JSON.stringify(results))
}

/**
 * Keeps what runtimes do differently, for the table of the guide.
 *
 * @param results One for each runtime.
 */
export function writeRuntimeResults(results: readonly RuntimeResult[]): void {
  writeFileSync(ofRuntimes, JSON.stringify(results))
}

/**
 * @returns What the last run has seen.
 * @throws {Error} If there was none.
 */
export function readResults(): readonly Result[] {
  if (!existsSync(ofHosts)) throw new Error('Cannot find results: run `npm run test:all -- hosts` first')
  return JSON.parse(readFileSync(ofHosts, 'utf8')) as Result[]
}

/**
 * @returns What the last run at night has seen.
 * @throws {Error} If there was none.
 */
export function readRuntimeResults(): readonly RuntimeResult[] {
  if (!existsSync(ofRuntimes))
    throw new Error('Cannot find results: run `NIGHTLY=1 npm run test:all -- hosts` first')
  return JSON.parse(readFileSync(ofRuntimes, 'utf8')) as RuntimeResult[]
}
