import { cpuUsage } from 'node:process'

const TURNS = 9
const ATTEMPTS = 4
// The clock of processor time moves in steps of about 4 ms.
const SAMPLE_MILLISECONDS = 100
// What takes microseconds is lost in the clock.
const LEAST_MEASURED = 0.02

/** The goal of: what an input of twice the size may cost. */
export const GOAL_AT_DOUBLE_SIZE = 2.2

/** What no noise of a busy machine comes to, and even a cost of the power 1.5 is above. */
export const MAX_AT_DOUBLE_SIZE = 2.5

/** The same work on a short input and on one that is eight times as long. */
export interface EightFold {
  readonly short: () => unknown
  readonly long: () => unknown
}

/**
 * How many times longer work takes when its input is twice as long: the cube root of what it is over three doublings, for
 * caches and allocators make steps between two sizes that are no growth.
 *
 * The shortest of some runs tells it on a machine that does little else. Where that is above the goal, the processor time
 * of many runs decides, which other work on the machine does not add to: what is not linear stays so.
 *
 * @param work The work, with whatever promise it gives.
 * @returns The factor; 1 when the long input takes no time that could be measured.
 */
export async function growthAtDouble({ short, long }: EightFold): Promise<number> {
  const least = await shortest(short)
  const most = await shortest(long)
  if (most < LEAST_MEASURED) return 1
  let growth = Math.cbrt(most / Math.max(least, LEAST_MEASURED))
  for (let i = 0; i < ATTEMPTS && growth > GOAL_AT_DOUBLE_SIZE; i++) {
    const measured = Math.cbrt((await processorTime(long)) / (await processorTime(short)))
    growth = i === 0 ? measured : Math.min(growth, measured)
  }
  return growth
}

/**
 * How many times the processor time of one work another one takes, in the same run on the same machine: the least of some
 * attempts, for what disturbs one of them does not disturb all.
 *
 * @param work The work.
 * @param reference What it is compared with.
 * @param enough Ends the attempts: the factor that is asked for.
 * @returns The factor.
 */
export async function timesAsMuch(
  work: () => unknown,
  reference: () => unknown,
  enough: number,
): Promise<number> {
  let least = Infinity
  for (let i = 0; i < ATTEMPTS && least > enough; i++) {
    await reference()
    least = Math.min(least, (await processorTime(work)) / (await processorTime(reference)))
  }
  return least
}

async function shortest(work: () => unknown): Promise<number> {
  let least = Infinity
  for (let turn = 0; turn < TURNS; turn++) {
    const start = performance.now()
    await work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

// Milliseconds of the main thread for one run, on an average.
async function processorTime(work: () => unknown): Promise<number> {
  const start = usage()
  for (let runs = 1; ; runs++) {
    await work()
    const { user, system } = usage()
    const spent = (user + system - start.user - start.system) / 1000
    if (spent >= SAMPLE_MILLISECONDS) return spent / runs
  }
}

// The oldest Node knows only what all threads of the process used.
function usage(): NodeJS.CpuUsage {
  return 'threadCpuUsage' in process ? process.threadCpuUsage() : cpuUsage()
}
