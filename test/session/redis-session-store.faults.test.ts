import { describe } from 'node:test'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { testFaults } from '../services/store-faults.ts'

describe('RedisSessionStore in a fault', { skip: withoutRedis }, () => {
  testFaults({
    // With the default, once a second, a killed server can lose what it confirmed in the last two.
    startServer: () => RedisServer.start('--appendfsync', 'always'),
    connect: (_, port) => RedisSessionStore.connect({ url: `redis://127.0.0.1:${port}` }),
  })
})
