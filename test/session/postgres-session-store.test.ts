import { after, before, describe } from 'node:test'
import { PostgresSessionStore } from '../../src/session/postgres.ts'
import { proveSessionStore } from '../../src/testing/index.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'

describe('PostgresSessionStore', { skip: withoutPostgres }, () => {
  let server: PostgresServer
  before(async () => {
    server = await PostgresServer.start()
    const store = await PostgresSessionStore.connect({ url: server.url })
    await store.migrate()
    await store.close()
  })
  after(() => server[Symbol.asyncDispose]())

  describe('as a session store', () => {
    proveSessionStore(
      (clock) => PostgresSessionStore.connect({ url: server.url, clock }),
      (store) => store.close(),
    )
  })
})
