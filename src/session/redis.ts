/** Sessions in Redis or Valkey, with the package `redis`. @module */
export {
  type RedisCommands,
  RedisConnection,
  type RedisConnectionOptions,
  type RedisOperation,
} from './redis-connection.ts'
export {
  RedisSessionStore,
  type RedisSessionStoreAddress,
  type RedisSessionStoreOptions,
} from './redis-session-store.ts'
export { SessionStoreException, type SessionStoreErrorCode } from './session-store-exception.ts'
