import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MemorySessionStore } from '../../src/session/index.ts'
import { PostgresSessionStore } from '../../src/session/postgres.ts'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { SqliteSessionStore } from '../../src/session/sqlite.ts'

type Options = Readonly<Record<string, unknown>>

// Whatever TypeScript would refuse; tests of plain JavaScript.
const wrong = <T>(value: unknown): T => value as T

// Nobody listens there: what is refused is refused before a server is asked.
const NOWHERE = '127.0.0.1:1'
const redisClient = { get: () => undefined, set: () => undefined, eval: () => undefined }
const pool = { query: () => undefined }

const stores: Readonly<Record<string, (options: Options) => unknown>> = {
  'new MemorySessionStore()': (options) => new MemorySessionStore(wrong(options)),
  'new SqliteSessionStore()': (options) => new SqliteSessionStore(wrong({ path: ':memory:', ...options })),
  'new RedisSessionStore()': (options) => new RedisSessionStore(wrong(redisClient), wrong(options)),
  'RedisSessionStore.connect()': (options) =>
    RedisSessionStore.connect(wrong({ url: `redis://${NOWHERE}`, ...options })),
  'new PostgresSessionStore()': (options) => new PostgresSessionStore(wrong(pool), wrong(options)),
  'PostgresSessionStore.connect()': (options) =>
    PostgresSessionStore.connect(wrong({ url: `postgres://${NOWHERE}/x`, ...options })),
}

const noClock = [5, null, 'now', {}, () => 0, Date]
const noFlag = ['no', 'false', null, 0, 1, {}]
const noTime = [0, -1, null, NaN, Infinity, '700', {}]
const noName = ['', null, 5, {}, []]
const noCount = [0, -1, 1.5, null, NaN, '10', {}]

const wrongOptions: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  'new MemorySessionStore()': { clock: noClock, maxRecords: noCount },
  'new SqliteSessionStore()': {
    clock: noClock,
    durable: noFlag,
    path: noName,
    timeoutMilliseconds: noTime,
  },
  'new RedisSessionStore()': { clock: noClock, prefix: [...noName, 'a{b'], timeoutMilliseconds: noTime },
  'RedisSessionStore.connect()': {
    clock: noClock,
    prefix: [...noName, 'a}b'],
    timeoutMilliseconds: noTime,
    url: noName,
    cluster: [...noName, [''], [5], 'redis://127.0.0.1:1', ['redis://127.0.0.1:1']],
  },
  'new PostgresSessionStore()': {
    clock: noClock,
    prepared: noFlag,
    table: [...noName, 'a"b'],
    timeoutMilliseconds: noTime,
  },
  'PostgresSessionStore.connect()': {
    clock: noClock,
    connections: noCount,
    prepared: noFlag,
    table: [...noName, 'a"b'],
    timeoutMilliseconds: noTime,
    url: noName,
  },
}

describe('options of session stores', () => {
  for (const [store, options] of Object.entries(wrongOptions)) {
    for (const [option, values] of Object.entries({ ...options, unheardOf: [true] })) {
      it(`${store} refuses a wrong ${option} by what was given [HOLD-35]`, async () => {
        for (const value of values) {
          const make = async (): Promise<unknown> => stores[store]?.({ [option]: value })

          await assert.rejects(make, (error: unknown) => {
            assert.ok(error instanceof TypeError || error instanceof RangeError, String(error))
            assert.match(error.message, /^Cannot (?:use|keep|connect|name) /)
            return true
          })
        }
      })
    }
  }

  it('treats undefined as an option that is left out [HOLD-35]', () => {
    for (const [store, options] of Object.entries(wrongOptions)) {
      const left = Object.keys(options).filter((name) => name !== 'path')
      if (store.startsWith('new ')) stores[store]?.(Object.fromEntries(left.map((name) => [name, undefined])))
    }
  })
})
