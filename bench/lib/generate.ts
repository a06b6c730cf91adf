/**
 * Load from a process of its own, so that what sends it is no part of what is measured.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import type { Load } from './scenarios.ts'
import { pinned } from './server.ts'

/** What to send, and for how long. */
export interface Order {
  readonly load: Load
  /** Where the servers listen: each gets the same share of the connections. */
  readonly ports: readonly number[]
  /** Of all servers together. */
  readonly connections: number
  readonly seconds: number
  /** Whether a 503 is no fault, but is not counted. Default: it is one. */
  readonly mayBeRefused?: boolean
  /** The core that the generator runs on. Default: any. */
  readonly core?: number
}

/** What came back. */
export interface LoadResult {
  /** Those with the status that the load expects. */
  readonly answers: number
  readonly statuses: Readonly<Record<string, number>>
  readonly errors: number
  readonly seconds: number
  readonly p99Milliseconds: number
}

const generator = fileURLToPath(new URL('load.mjs', import.meta.url))

/**
 * Loads servers.
 *
 * @param order What to send.
 * @returns What came back.
 * @throws {Error} If a response had another status, or none came that could not be refused.
 */
export async function generate({ load, core, mayBeRefused = false, ...order }: Order): Promise<LoadResult> {
  const command = [
    process.execPath,
    generator,
    JSON.stringify({ ...order, requests: load.requests }),
  ] as const
  const [program, ...args] = core === undefined ? command : pinned(core, command)
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await text(child.stdout)
  if (output === '')
    throw new Error('the load generator did not run; if packages are missing, run "npm ci" in bench')
  // Our own program printed it.
  const result = JSON.parse(output) as Omit<LoadResult, 'answers'>
  const expected = [`${load.status}`, ...(mayBeRefused ? ['503'] : [])]
  const others = Object.keys(result.statuses).filter((status) => !expected.includes(status))
  const answers = result.statuses[load.status] ?? 0
  if (others.length > 0 || result.errors > 0 || (answers === 0 && !mayBeRefused))
    throw new Error(`under load: ${JSON.stringify(result.statuses)}, ${result.errors} errors`)
  return { ...result, answers }
}
