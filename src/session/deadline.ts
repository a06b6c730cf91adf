import { SessionStoreException } from './session-store-exception.ts'

/** A time limit for one operation. */
export interface Deadline {
  /** How long the operation may take, in milliseconds. */
  readonly milliseconds: number
  /** What gives the answer, for messages, for example `Redis`. */
  readonly server: string
  /** Given that the time is over, or the error of the operation: what to reject with. Default: the same. */
  readonly failed?: (error: Error) => Error
}

/**
 * How much of its time an operation may have used when its server begins with it; the rest is for the answer. What a
 * server finds later, because it stood still, it leaves undone: its request is answered with a 503.
 */
export const LATEST_START = 0.8

/**
 * Bounds the time that somebody waits for a server. The drivers' own limits do not: that of `redis` ends when the
 * command has been written, so a server that stands still keeps it pending for ever, and it costs 10 us a command.
 *
 * @param deadline The limit.
 * @param operation What is under way; its later outcome is ignored.
 * @returns The outcome of the operation.
 * @throws {SessionStoreException} If the time is over first.
 */
export function within<T>(deadline: Deadline, operation: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let check: NodeJS.Immediate | undefined
    const fail = (error: Error): void => {
      clearTimeout(timer)
      clearImmediate(check)
      reject(deadline.failed === undefined ? error : deadline.failed(error))
    }
    const expire = (): void => fail(new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', deadline.server))
    const timer = setTimeout(() => {
      // When this process itself was busy for that long, the answer lies in the socket: it is read before the check.
      check = setImmediate(expire)
    }, deadline.milliseconds)
    operation.then(
      (value) => {
        clearTimeout(timer)
        clearImmediate(check)
        resolve(value)
      },
      (error: unknown) =>
        fail(error instanceof Error ? error : new Error('The driver rejected', { cause: error })),
    )
  })
}
