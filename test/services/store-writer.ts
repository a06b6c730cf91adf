/**
 * One of several processes that write to one session: opens a store, writes its entries one after another, closes it.
 * Arguments: `redis` or `postgres`, address, identifier, name of the process, number of entries.
 *
 * @module
 */
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'
import type { SessionStore } from '../../src/session/index.ts'

// Its siblings begin at the same time, and a busy machine lets each wait.
const timeoutMilliseconds = onThisMachine(5000)
const [kind, url = '', id = '', name = '', count = '0'] = process.argv.slice(2)
const store = await (kind === 'redis' ? openRedis() : openPostgres())
const record = await store.read(id)
if (record === null) throw new Error('The session is missing')

for (let i = 0; i < Number(count); i++) {
  const changes = { set: new Map([[`${name}-${i}`, String(i)]]), removed: new Set<string>() }
  if (!(await store.update(id, changes, record))) throw new Error('The session has ended')
}
await store.close()

// Only the driver that is needed: loading one takes longer than the writes.
async function openRedis(): Promise<SessionStore & { close(): unknown }> {
  const { RedisSessionStore } = await import('../../src/session/redis.ts')
  return RedisSessionStore.connect({ url, timeoutMilliseconds })
}

async function openPostgres(): Promise<SessionStore & { close(): unknown }> {
  const { PostgresSessionStore } = await import('../../src/session/postgres.ts')
  return PostgresSessionStore.connect({ url, timeoutMilliseconds })
}
