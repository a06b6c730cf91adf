import { declarationError, sentence, shown } from '../core/internal.ts'
import { parseOrigin } from './origin.ts'

/** Which hosts a server answers for. */
export interface ServedHostsOptions {
  /** Scheme and host that clients use, such as `https://app.test`. Default: taken from the request. */
  readonly origin?: string
  /**
   * Further hosts that are served, such as `www.app.test`, `10.0.0.7` or `localhost:3000`; one without a port stands for
   * every port. A request for another host is a 421. Default: only the host of the origin; without an origin, every host.
   */
  readonly hosts?: readonly string[]
}

interface Host {
  readonly name: string
  readonly port: string | undefined
}

const HOST = /^(\[[0-9a-f:.]+\]|[^[\]:/?#@\\\s*%]+)(?::([0-9]{1,5}))?$/i
const DEFAULT_PORTS: readonly string[] = ['80', '443']

/**
 * Checks the host of each request. A client that can choose the host could otherwise make a page, a cache or a mail point
 * to a host of its own.
 *
 * @see RFC 9110 section 15.5.20.
 */
export class ServedHosts {
  /** The configured origin, normalized; null when there is none. */
  readonly origin: string | null
  readonly #known = new Set<string>()
  // Nearly every request names the same host, so the last accepted one is compared first.
  #good: string | null = null

  /**
   * @param options Origin and further hosts.
   * @throws {TypeError} If the origin is not `http://host` or `https://host`, a host is malformed, or the hosts are not a
   * list, or are empty while no origin is configured.
   */
  constructor(options: ServedHostsOptions) {
    this.origin = options.origin === undefined ? null : readOrigin(options.origin)
    const hosts = readHosts(options.hosts)
    if (hosts.length === 0 && this.origin === null && options.hosts !== undefined)
      throw declarationError(
        sentence`Cannot serve an empty list of hosts: name at least one, or omit "hosts" to serve every host`,
      )
    const url = this.origin === null ? null : new URL(this.origin)
    if (url !== null) this.#known.add(`${url.hostname}:${url.port || defaultPort(url)}`)
    for (const host of hosts) {
      const parsed = parseHost(host)
      if (parsed === undefined)
        throw declarationError(
          sentence`Cannot serve the host ${shown(host)}: use a name or address such as "app.test"`,
        )
      this.#known.add(`${parsed.name}:${parsed.port ?? '*'}`)
    }
  }

  /**
   * @param host Host and port of a request; null when it names none, as HTTP/1.0 allows.
   * @returns Whether the request is for one of the hosts. A request without a host is accepted when an origin is
   * configured, because no URL is then built from the host.
   */
  accepts(host: string | null): boolean {
    if (host === null) return this.origin !== null
    if (host === this.#good) return true
    const parsed = parseHost(host)
    if (parsed === undefined || !this.#isKnown(parsed)) return false
    this.#good = host
    return true
  }

  #isKnown({ name, port }: Host): boolean {
    if (this.#known.has(`${name}:*`)) return true
    if (port !== undefined) return this.#known.has(`${name}:${port}`)
    // An omitted port is that of the scheme, which a proxy may have changed.
    return this.origin?.startsWith('http://') === true
      ? this.#known.has(`${name}:80`)
      : DEFAULT_PORTS.some((standard) => this.#known.has(`${name}:${standard}`))
  }
}

// Without this check the characters of a string would count as hosts.
function readHosts(hosts: unknown): readonly unknown[] {
  if (hosts === undefined) return []
  if (Array.isArray(hosts)) return hosts
  throw declarationError(sentence`Cannot serve the hosts ${shown(hosts)}: pass a list such as ["app.test"]`)
}

// Normalizes a host: letter case, IPv6, numeric IPv4 forms.
function parseHost(text: unknown): Host | undefined {
  const [, given = '', port] = (typeof text === 'string' ? HOST.exec(text) : null) ?? []
  const name = URL.parse(`http://${given}`)?.hostname
  if (name === undefined || Number(port ?? 0) > 65_535) return undefined
  return { name, port: port === undefined ? undefined : String(Number(port)) }
}

function readOrigin(given: unknown): string {
  const origin = parseOrigin(typeof given === 'string' ? given.replace(/\/$/, '') : given)
  if (origin !== undefined) return origin
  throw declarationError(
    sentence`Cannot serve as ${shown(given)}: use only a scheme and a host, such as "https://app.test"`,
  )
}

function defaultPort({ protocol }: URL): string {
  return protocol === 'https:' ? '443' : '80'
}
