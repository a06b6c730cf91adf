import { after, before, describe } from 'node:test'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { proveSessionStore } from '../../src/testing/index.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'

describe('RedisSessionStore', { skip: withoutRedis }, () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  after(() => server[Symbol.asyncDispose]())

  describe('as a session store', () => {
    proveSessionStore(
      (clock) => RedisSessionStore.connect({ url: server.url, clock }),
      (store) => store.close(),
    )
  })
})
