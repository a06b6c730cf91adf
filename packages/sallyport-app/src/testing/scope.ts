/** What ends later, such as a test, and closes then what was opened in it. */
export interface Scope {
  /**
   * Registers what closes it.
   *
   * @param hook Closes it.
   */
  after(hook: () => void | Promise<void>): void
}

/** Ends when it is told to. */
export class Closing implements Scope {
  readonly #hooks: Parameters<Scope['after']>[0][] = []

  /**
   * Registers what closes something that was opened in it.
   *
   * @param hook Closes it.
   */
  after(hook: () => void | Promise<void>): void {
    this.#hooks.push(hook)
  }

  /** Closes everything, in the order in which it was opened. */
  async close(): Promise<void> {
    for (const hook of this.#hooks.splice(0)) await hook()
  }
}
