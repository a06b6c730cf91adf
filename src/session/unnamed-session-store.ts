import { sentence } from '../core/internal.ts'
import { SessionStore } from './session-store.ts'

/**
 * The store of an application in production that has registered none. Sessions in the memory of one process would be
 * lost with it and unknown to every other process, without any warning.
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
 * Creates the error for a missing store.
 *
 * @param refusal What cannot be done.
 * @returns The error, which says what to do.
 */
export function noStore(refusal: string): Error {
  return new Error(
    sentence`${refusal} without a named session store: register one, definitions.set(SessionStore, …). new MemorySessionStore() is allowed too: it keeps sessions in this process only, until it ends`,
  )
}
