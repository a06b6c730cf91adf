/** Servers, proxies and programs of their own for the tests of an application, visitors of them, and what such tests need beside. @module */
export { Authenticator } from './authenticator.ts'
export {
  clientBehind,
  type Lead,
  leadsOf,
  openProxy,
  type Proxy,
  type ProxyRoutes,
} from './base-path-proxy.ts'
export { Chance } from './chance.ts'
export { type Flaw, FlawedProxy } from './flawed-proxy.ts'
export { foreignTargets, type OwnPage } from './foreign-targets.ts'
export { freePort } from './free-port.ts'
export { hear, listen } from './listening.ts'
export { onThisMachine } from './on-this-machine.ts'
export { type Page, PageClient, type PageClientOptions } from './page-client.ts'
export { PostgresServer, withoutPostgres } from './postgres-server.ts'
export { type Ended, Program, type ProgramOptions } from './program.ts'
export { ASKED, randomProxy } from './random-proxy.ts'
export { HeldRequest, statusOf } from './raw-request.ts'
export { RedisServer, withoutRedis } from './redis-server.ts'
export { Closing, type Scope } from './scope.ts'
export { untilReady } from './until-ready.ts'
export { type Answer, Visitor, type VisitorOptions } from './visitor.ts'
