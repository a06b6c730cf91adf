import { lookup } from 'node:dns/promises'
import type { ServeOptions } from 'sallyport/node'
import { isLoopback } from 'sallyport-app/clients'
import { codeOf, reasonOf, StartupError } from './startup-error.ts'

// How long pending requests have to finish.
const REQUESTS_MILLISECONDS = 10_000

/** Where a server listens. */
interface Place {
  readonly host: string
  readonly port: number
}

/** What a server is told about the hosts and proxies before it. */
interface Served extends Place {
  readonly origin: string | undefined
  readonly hosts: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly drainSeconds: number
}

/** @returns The options of the server. */
export function serveOptionsOf(served: Served): ServeOptions {
  const { host, port, origin, hosts, trustedProxies, drainSeconds } = served
  return {
    host,
    port,
    // Half of it is for what happens before connections are refused.
    drainMilliseconds: REQUESTS_MILLISECONDS + 2000 * drainSeconds,
    trustedProxies: { addresses: trustedProxies },
    ...(origin === undefined ? {} : { origin }),
    ...(hosts.length === 0 ? {} : { hosts }),
  }
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

/** @returns The URL to open on this machine: one that listens on all addresses is reachable by its name. */
export function localUrl({ host, port }: Place): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const address = host.includes(':') ? `[${host}]` : host
  return `http://${isEverywhere ? 'localhost' : address}:${port}`
}

/**
 * Names the address of a server on this machine `http://localhost:PORT`: a passkey is bound to a name, and an address has none.
 *
 * @param resolve Finds the addresses of a name. Default: as the system does.
 * @returns The URL to open: as it is, unless the server listens where browsers look for `localhost`.
 */
export async function byName(
  place: Place,
  resolve: (name: string) => Promise<readonly string[]> = addressesOf,
): Promise<string> {
  if (!isLoopback(place.host)) return localUrl(place)
  const addresses = await resolve('localhost')
  // Where the system does not know the name, browsers do.
  const isNamed = addresses.length === 0 || addresses.includes(place.host)
  return localUrl(isNamed ? { ...place, host: 'localhost' } : place)
}

async function addressesOf(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
