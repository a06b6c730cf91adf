import type { App } from '../app/index.ts'
import { ServedHosts } from '../http/index.ts'
import type { NodeRequestOptions } from './node-request.ts'
import type { ServeOptions } from './serve-options.ts'
import { TrustedProxies } from './trusted-proxies.ts'

/**
 * @param app The application.
 * @param options What the server was told about clients.
 * @returns What every request needs, but for the limit of the application.
 * @throws {TypeError} If the origin, a host or the address of a proxy is malformed.
 */
export function requestOptions(app: App, options: ServeOptions): Omit<NodeRequestOptions, 'bodyBytes'> {
  const { trustedProxies, bodyMilliseconds, uploadBytesPerSecond, socketPath } = options
  const hosts = options.origin === undefined && options.hosts === undefined ? null : new ServedHosts(options)
  return {
    origin: hosts?.origin ?? null,
    proxies: trustedProxies === undefined ? null : new TrustedProxies(trustedProxies),
    hosts,
    isLocal: socketPath !== undefined,
    basePath: app.basePath,
    bodyMilliseconds,
    uploadBytesPerSecond,
  }
}
