/** How many failures lock a subject. */
export interface AttemptLimit {
  /** Number of failures that lock. */
  readonly failures: number
  /** Failures within this many seconds lock, at most 12 hours. The lock lasts equally long, counted from the last failure. */
  readonly windowSeconds: number
  /**
   * Each further lock within a day lasts twice as long as the one before it, up to this many seconds, at most 12 hours. Default:
   * all locks last equally long.
   */
  readonly maxLockSeconds?: number
}

/** A lock grows with the other locks of this time before it. */
const DAY_SECONDS = 24 * 60 * 60

/**
 * The first lock of a day lasts as long as the window, and each further one twice as long as the one before it, up to
 * `maxLockSeconds`.
 *
 * @param times When the failures happened, in ascending order; the last one locked.
 * @param limit The limit.
 * @returns How long the lock lasts, in seconds, counted from the last failure.
 */
export function lockLength(times: readonly number[], limit: AttemptLimit): number {
  const { windowSeconds, maxLockSeconds = windowSeconds } = limit
  const last = times.at(-1) ?? 0
  const locks = countLocks(
    times.filter((time) => time > last - DAY_SECONDS),
    limit,
  )
  return Math.min(windowSeconds * 2 ** Math.max(locks - 1, 0), maxLockSeconds)
}

// Each lock takes up the failures that led to it.
function countLocks(times: readonly number[], { failures, windowSeconds }: AttemptLimit): number {
  let locks = 0
  let open: readonly number[] = []
  for (const time of times) {
    open = [...open.filter((earlier) => earlier > time - windowSeconds), time]
    if (open.length < failures) continue
    locks += 1
    open = []
  }
  return locks
}
