import { once } from 'node:events'
import { createServer } from 'node:net'
import type { ServeOptions } from 'sallyport/node'
import { codeOf, reasonOf } from './data-directory.ts'
import { type Environment, StartupError } from './environment.ts'

type Place = Pick<Environment, 'host' | 'port'>

/** @returns The options of the server. */
export function serveOptionsOf(
  environment: Place & Pick<Environment, 'origin' | 'hosts' | 'trustedProxies'>,
): ServeOptions {
  const { host, port, origin, hosts, trustedProxies } = environment
  return {
    host,
    port,
    trustedProxies: { addresses: trustedProxies },
    ...(origin === undefined ? {} : { origin }),
    ...(hosts.length === 0 ? {} : { hosts }),
  }
}

/**
 * Listens on a free port of the address for a moment: the port that is set may be that of the running server.
 *
 * @returns Why nothing can listen on that address; undefined when it can.
 */
export async function addressFault(place: Place): Promise<string | undefined> {
  const server = createServer().listen({ host: place.host, port: 0 })
  try {
    await once(server, 'listening')
  } catch (cause) {
    return cannotListen(cause, place).message
  }
  server.close()
  return undefined
}

/** @returns The error for the operator. */
export function cannotListen(cause: unknown, { host, port }: Place): StartupError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `PORT ${port} on ${host} is in use: end the other program or set PORT to another one`,
    EACCES: `PORT ${port} on ${host} needs rights that this program does not have: set PORT to 1024 or higher`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} cannot be resolved`,
  }
  const reason =
    reasons[codeOf(cause) ?? ''] ?? `PORT ${port} on ${host} cannot be opened (${reasonOf(cause)})`
  return new StartupError(reason, { cause })
}
