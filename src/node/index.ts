/** The adapter for `node:http`. @module */
export { serve, type Server } from './serve.ts'
export type { ServeOptions } from './serve-options.ts'
export type { ForwardingHeader, TrustedProxiesOptions } from './trusted-proxies.ts'
