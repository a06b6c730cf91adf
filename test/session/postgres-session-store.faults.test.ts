import { describe } from 'node:test'
import { PostgresSessionStore } from '../../src/session/postgres.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { testFaults } from '../services/store-faults.ts'

describe('PostgresSessionStore in a fault', { skip: withoutPostgres }, () => {
  testFaults({
    startServer: () => PostgresServer.start(),
    connect: async (server, port) => {
      const store = await PostgresSessionStore.connect({ url: server.urlAt(port) })
      await store.migrate()
      return store
    },
  })
})
