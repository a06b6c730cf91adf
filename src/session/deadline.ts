import { SessionStoreException } from './session-store-exception.ts'

/** A time limit for one operation. */
export interface Deadline {
  /** How long the operation may take, in milliseconds. */
  readonly milliseconds: number
  /** The server, for messages, for example `Redis`. */
  readonly server: string
  /** Maps the timeout or the error of the operation to the error to reject with. Default: unchanged. */
  readonly failed?: (error: Error) => Error
}

/**
 * Share of the time limit after which a server must no longer start the operation; the rest is for the answer. An operation
 * found later, because the server stood still, is skipped: its request has been answered with a 503.
 */
export const LATEST_START = 0.8

/**
 * Limits the wait for a server. The drivers' own limits do not: that of `redis` ends when the command has been written, so
 * a stalled server keeps it pending forever, and it costs 10 us per command.
 *
 * @param deadline The limit.
 * @param operation The pending operation; its later outcome is ignored.
 * @returns The outcome of the operation.
 * @throws {SessionStoreException} If the time runs out first.
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
      // If this process was busy for that long, the answer is in the socket: it is read before the check.
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
