/** The adapter for `node:http`. @module */
export { type NodeListenerOptions, type NodeListener, toNodeListener } from './node-listener.ts'
export { type NodeWho, type NodeWhoOptions, toNodeWho } from './node-who.ts'
export type { ServeOptions } from './serve-options.ts'
export { serve, type Server } from './serve.ts'
export { assertTrustedProxies } from './trusted-proxies.ts'
export type { Upgrade, UpgradeHandler, UpgradeOptions } from './upgrades.ts'
