import { lookup } from 'node:dns/promises'
import type { App } from 'sallyport'
import { serve, type ServeOptions } from 'sallyport/node'
import { isLoopback } from '../clients/index.ts'
import {
  codeOf,
  type Listening,
  localUrl,
  reasonOf,
  type ServerSettings,
  StartupError,
} from '../settings/index.ts'

// How long pending requests have to finish.
const REQUESTS_MILLISECONDS = 10_000

/** Those settings that a server is told. */
export type Served = Pick<
  ServerSettings,
  'host' | 'port' | 'origin' | 'hosts' | 'trustedProxies' | 'drainSeconds'
>

/**
 * Says how to serve an application.
 *
 * @param served The settings.
 * @returns The options of the server.
 */
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

/** What a server says where it listens. */
export interface Opening {
  /** The address to open on this machine. */
  readonly url: string
  /** The address that it listens on. */
  readonly listensOn: string
}

/**
 * Serves an application.
 *
 * @param app The application, booted.
 * @param served The settings.
 * @returns Where it listens.
 * @throws {StartupError} If it cannot listen there.
 */
export async function listen(app: App, served: Served): Promise<Opening> {
  const server = await serve(app, serveOptionsOf(served)).catch((error: unknown) => {
    throw cannotListen(error, served)
  })
  const url = await byName({ host: served.host, port: server.port })
  return { url, listensOn: server.url }
}

function cannotListen(cause: unknown, { host, port }: Listening): StartupError {
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

/**
 * Names the address of a server on this machine `http://localhost:PORT`: a passkey is bound to a name, and an address has none.
 *
 * @param place Where it listens.
 * @param resolve Finds the addresses of a name. Default: as the system does.
 * @returns The URL to open: as it is, unless the server listens where browsers look for `localhost`.
 */
export async function byName(
  place: Listening,
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
