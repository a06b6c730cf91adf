import {
  assertOptions,
  callSite,
  declarationError,
  discardPromise,
  isClass,
  MAX_TIMER_MILLISECONDS,
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

/** The hooks that run when an application is closed: all of them, even if some fail, in reverse order. */
export class CloseHooks {
  readonly #entries: Entry[] = []
  #closing: Promise<void> | null = null
  #hasClosed = false

  /** Whether the application is closing or has closed. */
  get isClosing(): boolean {
    return this.#closing !== null
  }

  /**
   * @param hook Runs when the application is closed; a hook added while others run is run too.
   * @param options Its time limit.
   * @throws {TypeError} If it is not a function, or an option is unknown.
   * @throws {RangeError} If its time limit is not above 0.
   * @throws {Error} If the application has been closed.
   */
  add(hook: CloseHook, options: CloseOptions = {}): void {
    if (typeof hook !== 'function' || isClass(hook))
      throw declarationError(`Cannot use ${shown(hook)} as a close hook: give a function`)
    assertOptions(options, ['milliseconds'], 'a close hook')
    const { milliseconds = DEFAULT_MILLISECONDS } = options
    if (typeof milliseconds !== 'number' || !(milliseconds > 0))
      throw declarationError(
        `Cannot give a close hook ${shown(milliseconds)} milliseconds: it must be a number above 0`,
        RangeError,
      )
    if (this.#hasClosed) throw new Error('Cannot add a close hook: the application has been closed')
    const place = callSite()
    const label = [hook.name, place === undefined ? '' : `(${place})`].filter((part) => part !== '').join(' ')
    this.#entries.push({ hook, milliseconds, label: label === '' ? 'an unnamed hook' : label })
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

  async #close(booting: Promise<unknown> | null): Promise<void> {
    const failures: Error[] = []
    if (booting !== null) await this.#waitForBoot(booting, failures)
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop()) {
      try {
        await withinTime(entry.hook, entry.milliseconds)
      } catch (cause) {
        discardPromise(cause)
        failures.push(new Error(`${entry.label}: ${reasonOf(cause)}`, { cause }))
      }
    }
    this.#hasClosed = true
    if (failures.length === 0) return
    const reasons = failures.map(({ message }) => message).join('; ')
    throw new AggregateError(failures, `Cannot close everything that was opened: ${reasons}`)
  }

  // The caller of boot() receives its failure.
  async #waitForBoot(booting: Promise<unknown>, failures: Error[]): Promise<void> {
    const settled = booting.then(
      () => undefined,
      () => undefined,
    )
    try {
      await withinTime(() => settled, DEFAULT_MILLISECONDS)
    } catch (cause) {
      failures.push(new Error(`boot(): ${reasonOf(cause)}`, { cause }))
    }
  }
}

// The timer keeps the process alive: if the process ended here, no further hook would run.
async function withinTime(work: () => unknown, milliseconds: number): Promise<void> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`it did not end within ${milliseconds} ms`)),
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
