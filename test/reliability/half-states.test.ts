import { after, before, describe } from 'node:test'

import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { testHalfStates } from '../services/half-states.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { openStore, type OpenStore } from './processes/open-store.ts'

interface Server extends AsyncDisposable {
  readonly url: string
}

function testOver(start: () => Promise<Server>): void {
  let server: Server
  let store: OpenStore
  before(async () => {
    server = await start()
    store = await openStore(server.url)
  })
  after(async () => {
    await store.close()
    await server[Symbol.asyncDispose]()
  })
  testHalfStates(() => store)
}

describe('an error over sessions in SQLite', () => {
  testOver(() => Promise.resolve({ url: ':memory:', [Symbol.asyncDispose]: () => Promise.resolve() }))
})

describe('an error over sessions in Redis', { skip: withoutRedis }, () => {
  testOver(() => RedisServer.start())
})

describe('an error over sessions in PostgreSQL', { skip: withoutPostgres }, () => {
  testOver(() => PostgresServer.start())
})
