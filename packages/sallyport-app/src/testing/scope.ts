/** What ends later, such as a test, and closes then what was opened in it. */
export interface Scope {
  /**
   * Registers what closes it.
   *
   * @param hook Closes it.
   */
  after(hook: () => void | Promise<void>): void
}
