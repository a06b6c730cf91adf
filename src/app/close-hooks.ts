import {
  assertOptions,
  callSite,
  completeMessage,
  declarationError,
  discardPromise,
  Ending,
  isClass,
  MAX_TIMER_MILLISECONDS,
  sentence,
  shown,
} from '../core/internal.ts'

/** Options of a close hook. */
export interface CloseOptions {
  /** How long the hook may take until the next one runs, in milliseconds; `Infinity` for no limit. Default: 5000. */
  readonly milliseconds?: number
}

/** Closes something that the application opened. */
export type CloseHook = () => unknown

interface Entry {
  readonly hook: CloseHook
  readonly milliseconds: number
  /** Name and place of the hook, for messages. */
  readonly label: string
}

const DEFAULT_MILLISECONDS = 5000

/**
 * The hooks that run when an application is closed: all of them, even if some fail. First those that end what would keep
 * connections open, all at the same time; then those that close what was opened, in reverse order.
 */
export class CloseHooks {
  readonly #first: Entry[] = []
  readonly #entries: Entry[] = []
  readonly #failures: Error[] = []
  /** Begins after the first hooks: open streams must end. */
  readonly ending: Ending = new Ending()
  #beginning: Promise<void> | null = null
  #closing: Promise<void> | null = null
  #hasClosed = false

  /** Whether the application is closing or has closed. */
  get isClosing(): boolean {
    return this.#closing !== null
  }

  /**
   * @param hook Runs when closing begins, while requests are still answered.
   * @param options Its time limit.
   * @throws {TypeError} If it is not a function, or an option is unknown.
   * @throws {RangeError} If its time limit is not above 0.
   * @throws {Error} If closing has begun.
   */
  addFirst(hook: CloseHook, options: CloseOptions = {}): void {
    const entry = entryOf(hook, options, 'a closing hook')
    if (this.#beginning !== null)
      throw new Error(sentence`Cannot add a closing hook: the application is closing or has been closed`)
    this.#first.push(entry)
  }

  /**
   * @param hook Runs when the application is closed; a hook added while others run is run too.
   * @param options Its time limit.
   * @throws {TypeError} If it is not a function, or an option is unknown.
   * @throws {RangeError} If its time limit is not above 0.
   * @throws {Error} If the application has been closed.
   */
  add(hook: CloseHook, options: CloseOptions = {}): void {
    const entry = entryOf(hook, options, 'a close hook')
    if (this.#hasClosed) throw new Error(sentence`Cannot add a close hook: the application has been closed`)
    this.#entries.push(entry)
  }

  /**
   * Runs the first hooks, then ends open streams. Failures are reported by `close()`.
   *
   * @param milliseconds How long the hooks may take together. Default: no limit but their own.
   * @returns One promise for all callers, which never rejects; null if there is nothing to wait for.
   */
  begin(milliseconds: number = Infinity): Promise<void> | null {
    this.#beginning ??= this.#begin(milliseconds)
    return this.ending.hasBegun ? null : this.#beginning
  }

  /**
   * Runs the hooks.
   *
   * @param booting The boot in progress, which may open more; null when there is none.
   * @returns One promise for all callers.
   * @throws {AggregateError} Rejects if hooks failed or took too long; the message names them.
   */
  close(booting: Promise<unknown> | null): Promise<void> {
    this.#closing ??= this.#close(booting)
    return this.#closing
  }

  async #begin(milliseconds: number): Promise<void> {
    if (this.#first.length > 0)
      await Promise.all(
        this.#first.map((entry) => this.#run(entry, Math.min(entry.milliseconds, milliseconds))),
      )
    this.ending.begin()
  }

  async #close(booting: Promise<unknown> | null): Promise<void> {
    if (booting !== null) await this.#waitForBoot(booting)
    const begun = this.begin()
    if (begun !== null) await begun
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop())
      await this.#run(entry, entry.milliseconds)
    this.#hasClosed = true
    if (this.#failures.length === 0) return
    const reasons = this.#failures.map(({ message }) => message).join('; ')
    const error = new AggregateError(
      this.#failures,
      sentence`Cannot close everything that was opened: ${reasons}`,
    )
    await completeMessage(error)
    throw error
  }

  async #run({ hook, label }: Entry, milliseconds: number): Promise<void> {
    try {
      await withinTime(hook, milliseconds)
    } catch (cause) {
      discardPromise(cause)
      this.#failures.push(new Error(`${label}: ${reasonOf(cause)}`, { cause }))
    }
  }

  // The caller of boot() receives its failure.
  async #waitForBoot(booting: Promise<unknown>): Promise<void> {
    const settled = booting.then(
      () => undefined,
      () => undefined,
    )
    try {
      await withinTime(() => settled, DEFAULT_MILLISECONDS)
    } catch (cause) {
      this.#failures.push(new Error(`boot(): ${reasonOf(cause)}`, { cause }))
    }
  }
}

function entryOf(hook: CloseHook, options: CloseOptions, what: string): Entry {
  if (typeof hook !== 'function' || isClass(hook))
    throw declarationError(sentence`Cannot use ${shown(hook)} as ${what}: pass a function`)
  assertOptions(options, ['milliseconds'], what)
  const { milliseconds = DEFAULT_MILLISECONDS } = options
  if (typeof milliseconds !== 'number' || !(milliseconds > 0))
    throw declarationError(
      sentence`Cannot use ${shown(milliseconds)} as the milliseconds of ${what}: it must be a number above 0`,
      RangeError,
    )
  const place = callSite()
  const label = [hook.name, place === undefined ? '' : `(${place})`].filter((part) => part !== '').join(' ')
  return { hook, milliseconds, label: label === '' ? 'an unnamed hook' : label }
}

// The timer keeps the process alive: if the process ended here, no further hook would run.
async function withinTime(work: () => unknown, milliseconds: number): Promise<void> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(sentence`it did not end within ${milliseconds} ms`)),
    Math.min(milliseconds, MAX_TIMER_MILLISECONDS),
  )
  try {
    await Promise.race([over, (async () => await work())()])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : `it threw ${typeof cause}`
}
