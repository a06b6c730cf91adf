import { within } from './deadline.ts'
import { RedisCluster } from './redis-cluster.ts'
import { type RedisCommands, RedisConnection, type RedisOperation } from './redis-connection.ts'

/** How operations on a key reach a server: over a connection of the store, or with a client of the application. */
export interface RedisLink {
  /**
   * @param operation What to send.
   * @param key Its key.
   * @returns The answer.
   */
  run<T>(operation: RedisOperation<T>, key: string): Promise<T>
  /**
   * Runs an idempotent operation; it may be sent again when the answer is lost.
   *
   * @param operation What to send.
   * @param key Its key.
   * @returns The answer.
   */
  runRepeatable<T>(operation: RedisOperation<T>, key: string): Promise<T>
  /** Closes connections of the store. */
  close(): void
}

const NO_TIME_OF_SERVER = ''

/**
 * @param client Connections of the store, or a client of the application.
 * @param milliseconds How long an operation may take.
 * @returns How operations reach the server.
 */
export function linkTo(
  client: RedisConnection | RedisCluster | RedisCommands,
  milliseconds: number,
): RedisLink {
  if (isOwn(client)) return client
  const run = <T>(operation: RedisOperation<T>): Promise<T> =>
    within({ milliseconds, server: 'Redis' }, operation(client, NO_TIME_OF_SERVER))
  return { run, runRepeatable: run, close: () => undefined }
}

/**
 * @param client What was given as a client.
 * @returns Whether it belongs to the store.
 */
export function isOwn(client: unknown): client is RedisConnection | RedisCluster {
  return client instanceof RedisConnection || client instanceof RedisCluster
}
