/**
 * What a tree of processes has used. Linux only: elsewhere nothing is known of other processes.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'

// The unit of /proc, the same on every Linux that Node runs on.
const TICKS_PER_SECOND = 100

interface ProcessTimes {
  readonly parent: number
  /** Of the process itself, in seconds. */
  readonly own: number
  /** Of its descendants that have ended and were waited for, in seconds. */
  readonly ended: number
}

/**
 * The processor time of a process and all its descendants, user and system.
 *
 * @param pid The process.
 * @returns Seconds; undefined where the system does not tell.
 */
export function processorSecondsOf(pid: number): number | undefined {
  const all = new Map<number, ProcessTimes>()
  for (const id of processIds()) {
    const times = timesOf(id)
    if (times !== undefined) all.set(id, times)
  }
  if (!all.has(pid)) return undefined
  let seconds = 0
  const tree = [pid]
  for (const id of tree) {
    const times = all.get(id)
    seconds += (times?.own ?? 0) + (times?.ended ?? 0)
    for (const [child, { parent }] of all) if (parent === id) tree.push(child)
  }
  return seconds
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Fields of proc(5): the name of the program stands in parentheses, and may contain any character. */
function timesOf(pid: number): ProcessTimes | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent = 0] = fields
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return {
    parent,
    own: (user + system) / TICKS_PER_SECOND,
    ended: (endedUser + endedSystem) / TICKS_PER_SECOND,
  }
}
