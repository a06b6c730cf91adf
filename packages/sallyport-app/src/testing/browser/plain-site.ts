/** Another site than that of the application. @module */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../scope.ts'

/**
 * Begins a site that has an empty page at every path, which a browser may keep.
 *
 * @param scope What it ends with.
 * @returns Its address, without a slash at the end.
 */
export async function plainSite(scope: Scope): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A hook that fails before this one must not keep the process alive.
  server.unref()
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
