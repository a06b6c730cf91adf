/** The adapter for `node:http`. @module */
export { serve, type ServeOptions, type Server } from './serve.ts'
export type { ForwardingHeader, TrustedProxiesOptions } from './trusted-proxies.ts'
