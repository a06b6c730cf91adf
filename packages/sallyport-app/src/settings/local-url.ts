/** Where a server listens. */
export interface Listening {
  /** An address, or a name of this machine. */
  readonly host: string
  /** A number from 0 to 65535. */
  readonly port: number
}

/**
 * Says where a server can be opened on this machine: one that listens on all addresses is reachable by its name.
 *
 * @param place Where it listens.
 * @returns Its URL, without a slash at its end.
 */
export function localUrl(place: Listening): string {
  const { host, port } = place
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const address = host.includes(':') ? `[${host}]` : host
  return `http://${isEverywhere ? 'localhost' : address}:${port}`
}
