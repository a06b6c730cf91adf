/**
 * What the starter keeps its data in while it is measured: made for a run, and gone with it.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { processorSecondsOf } from '../../scripts/test/processes.ts'
import { PostgresServer, RedisServer } from 'sallyport-app/testing'
import { cpuNanoseconds } from '../lib/server.ts'

/** A place for the data. */
export interface Backend {
  readonly name: string
  /** Variables of the starter that name it. */
  readonly variables: Readonly<Record<string, string>>
  /** The servers that it consists of; none for files. */
  readonly versions: Readonly<Record<string, string>>
  /** @returns What its servers have done since they started. */
  done(): Promise<StoreWork>
  stop(): Promise<void>
}

/** What servers have done. */
export interface StoreWork {
  /** Processor time of PostgreSQL, in seconds. */
  readonly databaseSeconds: number
  /** Processor time of Redis, in seconds. */
  readonly redisSeconds: number
  /** Transactions of PostgreSQL that have written. */
  readonly writes: number
}

// As a server has it in production: a confirmed write is on the disk.
const DURABLE = ['fsync=on']

/** How to start each, in the order of the page. */
export const BACKENDS: readonly (() => Promise<Backend>)[] = [
  startSqlite,
  startPostgres,
  startPostgresWithRedis,
]

function startSqlite(): Promise<Backend> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-scale-'))
  return Promise.resolve({
    name: 'SQLite',
    variables: { DATA_DIR: folder },
    versions: {},
    done: () => Promise.resolve({ databaseSeconds: 0, redisSeconds: 0, writes: 0 }),
    stop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  })
}

async function startPostgres(): Promise<Backend> {
  const server = await PostgresServer.start(DURABLE)
  const ask = async (query: string): Promise<string> => {
    const [row] = await server.run<{ value: string }>(query)
    return row?.value ?? ''
  }
  const version = await ask("SELECT current_setting('server_version') AS value")
  return {
    name: 'PostgreSQL',
    variables: { DATABASE_URL: server.url() },
    versions: { PostgreSQL: version.split(' ')[0] ?? '' },
    done: async () => ({
      databaseSeconds: processorSecondsOf(server.pid ?? 0) ?? Number.NaN,
      redisSeconds: 0,
      // A transaction gets a number when it writes for the first time.
      writes: Number(await ask('SELECT pg_snapshot_xmax(pg_current_snapshot()) AS value')),
    }),
    stop: () => server.stop(),
  }
}

async function startPostgresWithRedis(): Promise<Backend> {
  const [postgres, redis] = [await startPostgres(), await RedisServer.start()]
  return {
    name: 'PostgreSQL and Redis',
    variables: { ...postgres.variables, REDIS_URL: redis.url },
    versions: { ...postgres.versions, Redis: await redis.version() },
    done: async () => ({
      ...(await postgres.done()),
      redisSeconds: cpuNanoseconds(redis.pid ?? 0) / 1e9,
    }),
    stop: async () => {
      await redis.kill()
      await postgres.stop()
    },
  }
}
