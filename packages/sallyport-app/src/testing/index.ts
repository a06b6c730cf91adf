/** Servers of their own for the tests of an application, and what such tests need beside them. @module */
export { Chance } from './chance.ts'
export { freePort } from './free-port.ts'
export { onThisMachine } from './on-this-machine.ts'
export { PostgresServer, withoutPostgres } from './postgres-server.ts'
export { RedisServer, withoutRedis } from './redis-server.ts'
export { untilReady } from './until-ready.ts'
