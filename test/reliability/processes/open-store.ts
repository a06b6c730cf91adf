import type { Clock } from 'sallyport'
import type { SessionStore } from 'sallyport/session'

/** A store that can be closed. */
export type OpenStore = SessionStore & { close(): unknown }

/**
 * Opens a store by its address.
 *
 * @param address `redis://…`, several of them with commas for the nodes of a cluster, `postgres://…`, or a file for SQLite.
 * @param clock Its clock. Default: the machine's.
 * @returns The store; with PostgreSQL its table is made.
 */
export async function openStore(address: string, clock?: Clock): Promise<OpenStore> {
  // Patient: what is tested is never how long an operation takes, and the machine may be busy with other tests.
  const options = { timeoutMilliseconds: 20_000, ...(clock === undefined ? {} : { clock }) }
  // Only the driver that is needed: loading one takes a while.
  if (address.startsWith('redis:')) {
    const { RedisSessionStore } = await import('sallyport/session/redis')
    const cluster = address.split(',')
    return RedisSessionStore.connect({ ...(cluster.length > 1 ? { cluster } : { url: address }), ...options })
  }
  if (address.startsWith('postgres:')) {
    const { PostgresSessionStore } = await import('sallyport/session/postgres')
    const store = await PostgresSessionStore.connect({ url: address, connections: 4, ...options })
    await store.migrate()
    return store
  }
  const { SqliteSessionStore } = await import('sallyport/session/sqlite')
  return new SqliteSessionStore({ path: address, durable: false, ...options })
}
