/**
 * One measurement: load on a server for some seconds, and the processor time of each response.
 *
 * @module
 */
import { generate } from './generate.ts'
import { connections, type Load } from './scenarios.ts'
import { cpuNanoseconds, type Server } from './server.ts'

/** Result of one measurement. */
export interface Sample {
  readonly answersPerSecond: number
  /** Processor time of the server for each response. */
  readonly cpuMicroseconds: number
  /** Share of its core that the server used, 0 to 1: well below 1 it was not the bottleneck. */
  readonly busy: number
  readonly p99Milliseconds: number
}

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
  const result = await generate({ load, ports: [server.port], connections, seconds, core: 1 })
  const spent = cpuNanoseconds(server.pid) - before

  return {
    answersPerSecond: result.answers / result.seconds,
    cpuMicroseconds: spent / 1000 / result.answers,
    busy: spent / 1e9 / result.seconds,
    p99Milliseconds: result.p99Milliseconds,
  }
}
