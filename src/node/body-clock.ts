import { MAX_TIMER_MILLISECONDS } from '../core/internal.ts'

/** How long a client may take to send a body. */
export interface BodyPace {
  /** Milliseconds for the body; for one that grows its time also the longest silence. */
  readonly milliseconds: number
  /** Bytes that prolong the time by a second, for a body with files; null: the time is not prolonged. */
  readonly bytesPerSecond: number | null
}

const SECOND = 1000

/**
 * Counts the time for which a body waits for its client, and nothing else: what the application does between two reads is
 * not the client's. A body with files gets its time by progress, so that a large one may take as long as its connection
 * needs, while a client that sends a byte now and then has as little time as with any other body.
 */
export class BodyClock {
  /** Called once, when the time is over. */
  onOver: () => void = () => undefined
  readonly #pace: () => BodyPace
  #spent = 0
  #received = 0
  // When the current wait began; null while nothing waits.
  #since: number | null = null
  #timer: NodeJS.Timeout | null = null
  #isOver = false

  /**
   * @param pace How long the client may take, which may change until it is known which route answers.
   */
  constructor(pace: () => BodyPace) {
    this.#pace = pace
  }

  /** Whether the time is over. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Begins to wait for the client. */
  wait(): void {
    this.#since = performance.now()
    // A timer of an earlier wait is looked at when it fires: one for each chunk would cost more than the chunk.
    if (this.#timer === null) this.#arm(this.#left(this.#since))
  }

  /**
   * Counts what has come.
   *
   * @param bytes The length of it.
   */
  take(bytes: number): void {
    this.#received += bytes
    if (this.#since === null) return
    const now = performance.now()
    this.#spent += now - this.#since
    this.#since = now
  }

  /** Stops waiting until `wait()` is called again. */
  pause(): void {
    this.take(0)
    this.#since = null
  }

  /** Ends it: nothing waits any more. */
  stop(): void {
    this.#since = null
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  // The time that is left of a wait.
  #left(now: number): number {
    const { milliseconds, bytesPerSecond } = this.#pace()
    const waited = now - (this.#since ?? now)
    if (bytesPerSecond === null) return milliseconds - this.#spent - waited
    const earned = (this.#received / bytesPerSecond) * SECOND
    return Math.min(milliseconds, milliseconds + earned - this.#spent) - waited
  }

  #arm(milliseconds: number): void {
    // Rounded up, so that it does not fire for a fraction that is left.
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.ceil(milliseconds), MAX_TIMER_MILLISECONDS))
    this.#timer.unref()
  }

  #look(): void {
    this.#timer = null
    if (this.#since === null) return
    const left = this.#left(performance.now())
    if (left > 0) return this.#arm(left)
    this.#isOver = true
    this.onOver()
  }
}
