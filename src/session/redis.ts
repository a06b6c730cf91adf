/** Sessions in Redis or Valkey, with the package `redis`. @module */
export { RedisSessionStore } from './redis-session-store.ts'
