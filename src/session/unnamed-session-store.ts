import { SessionStore } from './session-store.ts'

/**
 * Stands where an application in production has named no store. Sessions that silently live in the memory of one process
 * are lost with it, and are not those of the process beside it.
 */
export class UnnamedSessionStore extends SessionStore {
  override read(): Promise<never> {
    return Promise.reject(noStore('Cannot use sessions in production'))
  }

  override create(): Promise<never> {
    return this.read()
  }

  override update(): Promise<never> {
    return this.read()
  }

  override rotate(): Promise<never> {
    return this.read()
  }

  override destroy(): Promise<never> {
    return this.read()
  }
}

/**
 * Says that a store has to be named.
 *
 * @param refusal What cannot be done.
 * @returns The error, which says what to do.
 */
export function noStore(refusal: string): Error {
  return new Error(
    `${refusal} without a named session store: register one, definitions.set(SessionStore, …). ` +
      'new MemorySessionStore() may be named too: it keeps sessions in this process alone, as long as it runs',
  )
}
