/**
 * What a tree of processes has used. Linux only: elsewhere nothing is known of other processes.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'

// The unit of /proc, the same on every Linux that Node runs on.
const TICKS_PER_SECOND = 100

/** What a tree of processes has used since it began, in seconds. */
export interface Usage {
  /** Processor time, user and system. */
  readonly computed: number
  /** How long its living threads were ready to run, and had to wait for a processor. */
  readonly queued: number
}

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
  return treeOf(pid)?.reduce((sum, { own, ended }) => sum + own + ended, 0)
}

/**
 * What a process and all its descendants have used, and what they were denied.
 *
 * @param pid The process.
 * @returns Seconds; undefined where the system does not tell.
 */
export function usageOf(pid: number): Usage | undefined {
  const tree = treeOf(pid)
  if (tree === undefined) return undefined
  return {
    computed: tree.reduce((sum, { own, ended }) => sum + own + ended, 0),
    queued: tree.reduce((sum, { id }) => sum + queuedSecondsOf(id), 0),
  }
}

function treeOf(pid: number): (ProcessTimes & { id: number })[] | undefined {
  const all = idsIn('/proc').flatMap((id) => {
    const times = timesOf(id)
    return times === undefined ? [] : [{ id, ...times }]
  })
  const tree = all.filter(({ id }) => id === pid)
  for (const { id } of tree) tree.push(...all.filter(({ parent }) => parent === id))
  return tree.length === 0 ? undefined : tree
}

function idsIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** The second field of schedstat. 0 where the kernel does not count it. */
function queuedSecondsOf(pid: number): number {
  const nanoseconds = idsIn(`/proc/${pid}/task`).map((thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1])
    } catch {
      return 0
    }
  })
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e9
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
