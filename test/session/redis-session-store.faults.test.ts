import { describe } from 'node:test'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { testFaults } from '../services/store-faults.ts'

describe('RedisSessionStore in a fault', { skip: withoutRedis }, () => {
  testFaults({
    // What a killed server has written survives it, so nothing waits for the disk. With the default, once a second, the server
    // itself waits to write, and can lose what it confirmed in the last two seconds.
    startServer: () => RedisServer.start('--appendfsync', 'no'),
    connect: (_, port) => RedisSessionStore.connect({ url: `redis://127.0.0.1:${port}` }),
  })
})
