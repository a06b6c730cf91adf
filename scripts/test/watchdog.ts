/**
 * Finds that a program hangs, by what it does and not by the clock: a slow machine makes everything late, and nothing hang.
 *
 * @module
 */
import { processorSecondsOf } from './processes.ts'

const CHECK_MILLISECONDS = 2000
// A program that waits for something longer than this, and computes nothing meanwhile, waits for ever.
const IDLE_SECONDS = Number(process.env['TEST_IDLE_SECONDS'] ?? 60)
// Less than this in one second is the noise of timers.
const IDLE_SHARE = 0.01
// The longest test computes for about a third of this.
const BUSY_SECONDS = 240
// Where processor time is not known.
const SILENT_SECONDS = 600

/** Limits of a program: how many times longer than on the reference machine it may take, and its longest test. */
export interface Patience {
  /** See {@link import('./slowness.ts').measureSlowness}. */
  readonly slowness: number
  /** How many times longer than usual a single test computes, such as in the sizes of the night. Default: 1. */
  readonly size?: number
}

/** Watches one program. */
export class Watchdog {
  readonly #pid: number
  readonly #patience: Required<Patience>
  readonly #timer: NodeJS.Timeout
  #since = performance.now()
  #computed = 0
  #idleSince = performance.now()
  #lastComputed = 0

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
    this.#idleSince = this.#since
    this.#computed = this.#lastComputed
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): string | undefined {
    const { slowness, size } = this.#patience
    const now = performance.now()
    const silent = (now - this.#since) / 1000
    const computed = processorSecondsOf(this.#pid)
    if (computed === undefined)
      return silent > SILENT_SECONDS * slowness * size
        ? `no test has ended for ${seconds(silent)}`
        : undefined
    const rate = (computed - this.#lastComputed) / (CHECK_MILLISECONDS / 1000)
    if (rate > IDLE_SHARE) this.#idleSince = now
    this.#lastComputed = computed
    const idle = (now - this.#idleSince) / 1000
    if (idle > IDLE_SECONDS * slowness) return `nothing has been computed for ${seconds(idle)}`
    const busy = computed - this.#computed
    return busy > BUSY_SECONDS * size ? `no test has ended in ${seconds(busy)} of processor time` : undefined
  }
}

function seconds(value: number): string {
  return `${value.toFixed(0)} s`
}
