/** A change that was refused, and whether anybody waits for it. */
export class Refusal extends Promise<never> {
  // What listeners make of it is theirs.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  #isHeard = false

  /**
   * @param error Why it was refused.
   * @returns The refusal. It ends no process when nobody waits for it.
   */
  static of(error: unknown): Refusal {
    const refusal = new Refusal((_, reject) => reject(error))
    refusal.#endNoProcess()
    return refusal
  }

  /** Whether anybody waits for it. */
  get isHeard(): boolean {
    return this.#isHeard
  }

  // Past its own then(): this one is nobody who waits.
  #endNoProcess(): void {
    super.then(undefined, ignore)
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<R = never, F = never>(
    onFulfilled?: ((value: never) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    this.#isHeard = true
    return super.then(onFulfilled, onRejected)
  }
}

/** The changes of one request that were refused before its answer was made. */
export class Refusals {
  #refused: { readonly refusal: Refusal; readonly error: unknown }[] = []

  /**
   * @param refusal What the caller got.
   * @param error Why it was refused.
   */
  add(refusal: Refusal, error: unknown): void {
    this.#refused.push({ refusal, error })
  }

  /** @returns The error of the first that nobody waits for; null: there is none. Asking forgets them all. */
  takeUnheard(): { readonly error: unknown } | null {
    const refused = this.#refused
    this.#refused = []
    return refused.find(({ refusal }) => !refusal.isHeard) ?? null
  }
}

/**
 * Warns of a change that came after the response, when nobody hears that it was refused: there is no answer left that
 * could say so.
 *
 * @param refusal The refusal.
 * @param error Why it was refused.
 */
export function warnUnlessHeard(refusal: Refusal, error: unknown): void {
  setImmediate(() => {
    if (!refusal.isHeard) process.emitWarning(error instanceof Error ? error : String(error))
  })
}

function ignore(): void {
  // Reported elsewhere.
}
