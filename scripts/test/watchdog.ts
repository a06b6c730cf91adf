/**
 * Finds that a program hangs, by what it does and not by the clock: a slow machine makes everything late, and nothing hang.
 *
 * @module
 */
import { usageOf } from './processes.ts'

const CHECK_MILLISECONDS = 2000
// A test that has waited this long in sum waits for ever. Waiting for a processor does not count.
const WAITING_SECONDS = Number(process.env['TEST_WAITING_SECONDS'] ?? 120)
// The longest test computes for about a third of this.
const BUSY_SECONDS = 240
// Where the system tells nothing of processes.
const SILENT_SECONDS = 600

/** Limits of a program: how many times longer than on the reference machine it may take, and its longest test. */
export interface Patience {
  /** See {@link import('./slowness.ts').measureSlowness}. */
  readonly slowness: number
  /** How many times longer than usual a single test takes, such as in the sizes of the night. Default: 1. */
  readonly size?: number
}

/** Watches one program. */
export class Watchdog {
  readonly #pid: number
  readonly #patience: Required<Patience>
  readonly #timer: NodeJS.Timeout
  #since = performance.now()
  #checked = performance.now()
  #last = { computed: 0, queued: 0 }
  #busy = 0
  #waiting = 0

  /**
   * @param pid The program; its descendants count.
   * @param patience Its limits.
   * @param onHang Called once, with what was seen.
   */
  constructor(pid: number, { slowness, size = 1 }: Patience, onHang: (what: string) => void) {
    this.#pid = pid
    this.#patience = { slowness, size }
    this.#timer = setInterval(() => {
      const what = this.#check()
      if (what === undefined) return
      this.stop()
      onHang(what)
    }, CHECK_MILLISECONDS)
  }

  /** A test has begun or ended. */
  progress(): void {
    this.#since = performance.now()
    this.#busy = 0
    this.#waiting = 0
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): string | undefined {
    const { slowness, size } = this.#patience
    const now = performance.now()
    const silent = (now - this.#since) / 1000
    const usage = usageOf(this.#pid)
    if (usage === undefined)
      return silent > SILENT_SECONDS * slowness * size
        ? `no test has ended for ${seconds(silent)}`
        : undefined
    // What ended processes had queued is not told.
    const computed = Math.max(0, usage.computed - this.#last.computed)
    const queued = Math.max(0, usage.queued - this.#last.queued)
    this.#busy += computed
    this.#waiting += Math.max(0, (now - this.#checked) / 1000 - computed - queued)
    this.#last = usage
    this.#checked = now
    if (this.#waiting > WAITING_SECONDS * slowness * size)
      return `no test has ended for ${seconds(silent)}, ${seconds(this.#waiting)} of it without computing`
    return this.#busy > BUSY_SECONDS * size
      ? `no test has ended in ${seconds(this.#busy)} of processor time`
      : undefined
  }
}

function seconds(value: number): string {
  return `${value.toFixed(0)} s`
}
