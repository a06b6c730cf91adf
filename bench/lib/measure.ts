/**
 * One measurement: load on a server for some seconds, and the processor time of each response.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { connections, type Load } from './scenarios.ts'
import { cpuNanoseconds, pinned, type Server } from './server.ts'

/** Result of one measurement. */
export interface Sample {
  readonly answersPerSecond: number
  /** Processor time of the server for each response. */
  readonly cpuMicroseconds: number
  /** Share of its core that the server used, 0 to 1: well below 1 it was not the bottleneck. */
  readonly busy: number
  readonly p99Milliseconds: number
}

/** What lib/load.mjs prints. */
interface LoadResult {
  readonly answers: number
  readonly statuses: Readonly<Record<string, number>>
  readonly errors: number
  readonly seconds: number
  readonly p99Milliseconds: number
}

const generator = fileURLToPath(new URL('load.mjs', import.meta.url))

/**
 * Loads a server from core 1 and measures it.
 *
 * @param server A server that passed the checks of the scenario.
 * @param load What to send.
 * @param seconds How long.
 * @returns The measurement.
 * @throws {Error} If a response under load had another status, or none came.
 */
export async function measure(server: Server, load: Load, seconds: number): Promise<Sample> {
  const before = cpuNanoseconds(server.pid)
  const result = await generate({ port: server.port, requests: load.requests, connections, seconds })
  const spent = cpuNanoseconds(server.pid) - before

  const others = Object.keys(result.statuses).filter((status) => status !== `${load.status}`)
  if (others.length > 0 || result.errors > 0 || result.answers === 0) {
    throw new Error(`under load: ${JSON.stringify(result.statuses)}, ${result.errors} errors`)
  }
  return {
    answersPerSecond: result.answers / result.seconds,
    cpuMicroseconds: spent / 1000 / result.answers,
    busy: spent / 1e9 / result.seconds,
    p99Milliseconds: result.p99Milliseconds,
  }
}

async function generate(order: object): Promise<LoadResult> {
  const [program, ...args] = pinned(1, [process.execPath, generator, JSON.stringify(order)])
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await text(child.stdout)
  if (output === '')
    throw new Error('the load generator did not run; if packages are missing, run "npm ci" in bench')
  // Our own program printed it.
  return JSON.parse(output) as LoadResult
}
