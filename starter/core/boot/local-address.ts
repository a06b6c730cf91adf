import { lookup } from 'node:dns/promises'

/** Finds the addresses of a name; none if it is not known. */
export type Resolve = (name: string) => Promise<readonly string[]>

/**
 * Names the address of a server on this machine `http://localhost:PORT`: browsers offer less to addresses than to names.
 *
 * @param resolve Finds the addresses of a name. Default: as the system does.
 * @returns The URL to open: as it is, unless the server listens where browsers look for `localhost`.
 */
export async function byName(url: string, resolve: Resolve = addressesOf): Promise<string> {
  const named = new URL(url)
  const address = named.hostname.replace(/^\[|\]$/g, '')
  if (!isLoopbackAddress(address)) return url
  const addresses = await resolve('localhost')
  // Where the system does not know the name, browsers do.
  if (addresses.length > 0 && !addresses.includes(address)) return url
  named.hostname = 'localhost'
  return named.origin
}

/** @returns The URL to open on this machine: one that listens on all addresses is reachable by its name. */
export function localUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const address = host.includes(':') ? `[${host}]` : host
  return `http://${isEverywhere ? 'localhost' : address}:${port}`
}

/** @returns Whether it is an address of this machine in place of its name. */
export function isUnnamed(url: string): boolean {
  return isLoopbackAddress(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

async function addressesOf(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
