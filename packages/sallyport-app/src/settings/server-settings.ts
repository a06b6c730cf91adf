import { BlockList, isIP } from 'node:net'
import { App, Secret } from 'sallyport'
import { ServedHosts } from 'sallyport/http'
import { assertTrustedProxies } from 'sallyport/node'
import { isLoopback } from '../clients/index.ts'
import { KeyRing } from '../keys/index.ts'
import type { MailServer } from '../mail/index.ts'
import { dnsAddress, emailField } from '../text/index.ts'
import { localUrl } from './local-url.ts'
import { StartupError } from './startup-error.ts'
import { readNumber, readVariable, type Variable, type Variables } from './variables.ts'

/** Settings from the environment: where an application listens, keeps its data and sends mails. */
export interface ServerSettings {
  /** `HOST`: address to listen on. Default: 127.0.0.1, this machine only. */
  readonly host: string
  /** `PORT`: 0 picks a free one. Default: 3000. */
  readonly port: number
  /** `DATA_DIR`: folder of the databases. Default: what the application says. */
  readonly dataDirectory: string
  /** `NODE_ENV=production`. */
  readonly isProduction: boolean
  /** `ORIGIN`: scheme and host that browsers use, such as `https://app.example`. Default: where it listens. */
  readonly origin: string | undefined
  /** `BASE_PATH`: path of the host below which the pages are, such as `/accounts`. Default: none. */
  readonly basePath: string
  /** `HOSTS`: further hosts that are served when `ORIGIN` is set, separated by commas. Default: none. */
  readonly hosts: readonly string[]
  /** `TRUSTED_PROXIES`: addresses of trusted proxies, separated by commas. Default: none. */
  readonly trustedProxies: readonly string[]
  /** `FACTOR_KEY`: keys that seal secrets, separated by commas; the first one encrypts. Default: none. */
  readonly keys: readonly Secret[]
  /** `DATABASE_URL`: a database of PostgreSQL. Default: a file of SQLite in the data folder. */
  readonly databaseUrl: Secret | undefined
  /** `REDIS_URL`: a Redis or Valkey for the sessions. Default: where the other data is. */
  readonly redisUrl: Secret | undefined
  /** `SMTP_URL` and `MAIL_FROM`: the server for mails, and their sender. Default: none. */
  readonly mail: MailServer | undefined
  /** `DRAIN_SECONDS`: how long a process that was asked to stop goes on, for load balancers to notice. Default: 2 in production, else 0. */
  readonly drainSeconds: number
  /** What a start does not refuse, although it is probably not meant. */
  readonly warnings: readonly string[]
}

type Checked = Pick<ServerSettings, 'host' | 'origin' | 'keys' | 'mail' | 'trustedProxies'>

const MODE: Variable<string> = {
  // Who writes "prod" would run what a development machine shows.
  must: 'production, development or test',
  parse: (text) => (['production', 'development', 'test'].includes(text) ? text : undefined),
}
const HOST: Variable<string> = {
  must: 'an address or a name of this machine, such as 127.0.0.1, ::1 or localhost',
  parse: (host) => (/^[\w.:-]+$/.test(host) && URL.canParse(localUrl({ host, port: 80 })) ? host : undefined),
}
const ORIGIN: Variable<string> = {
  must: 'a scheme and a host, such as https://app.example',
  parse: (text) =>
    /^https?:\/\/[^\s/\\?#@%]+\/?$/i.test(text) ? (URL.parse(text)?.origin ?? undefined) : undefined,
}
const BASE_PATH: Variable<string> = {
  must: 'a path of letters, digits and single hyphens in lower case, without a slash at its end, such as /accounts',
  parse: (basePath) => App.create({ basePath }).basePath,
}
const HOSTS: Variable<readonly string[]> = {
  must: 'names or addresses, such as www.app.example,10.0.0.7',
  parse: (text) => {
    const hosts = listOf(text)
    // Created only to validate.
    void new ServedHosts({ hosts })
    return hosts
  },
}
const TRUSTED_PROXIES: Variable<readonly string[]> = {
  must: 'addresses, or networks by their first address such as 10.0.0.0/8',
  parse: (text) => {
    const addresses = listOf(text)
    assertTrustedProxies({ addresses })
    // The framework also takes the word for a Unix socket, on which this program does not listen.
    return addresses.every((address) => isIP(address.replace(/\/.*/, '')) !== 0) ? addresses : undefined
  },
}
const FACTOR_KEY: Variable<readonly Secret[]> = {
  must: '32 random bytes in hexadecimal or base64url, such as the output of "openssl rand -hex 32"',
  isSecret: true,
  parse: (text) => {
    const keys = listOf(text).map((key) => new Secret(key))
    // Created only to validate.
    void new KeyRing(keys)
    return keys.some(isPlaceholder) ? undefined : keys
  },
}
const SMTP_URL: Variable<Secret> = {
  must: 'the URL of a mail server with its host, such as smtps://user:password@mail.example',
  isSecret: true,
  parse: (text) => {
    const { protocol = '', hostname = '' } = URL.parse(text) ?? {}
    // Without a host, mails would go to this machine.
    const isServer = /^smtps?:$/.test(protocol) && URL.canParse(`http://${hostname}`)
    return isServer ? new Secret(text) : undefined
  },
}
const DATABASE_URL: Variable<Secret> = {
  must: 'the URL of a PostgreSQL database with its host and name, such as postgres://user:password@db.example/accounts',
  isSecret: true,
  parse: (text) => (/^postgres(?:ql)?:\/\/[^/]+\/[^/?#]+/.test(text) ? serverUrl(text) : undefined),
}
const REDIS_URL: Variable<Secret> = {
  must: 'the URL of a Redis or Valkey server with its host, such as redis://user:password@cache.example:6379',
  isSecret: true,
  parse: (text) => (/^rediss?:\/\//.test(text) ? serverUrl(text) : undefined),
}
const MAIL_FROM: Variable<MailServer['from']> = {
  must: 'an address, such as accounts@app.example or Example App <accounts@app.example>',
  // The mailer would take what it makes of anything else.
  parse: (text) => {
    const [, name = '', inBrackets] = /^([^<>@"]*)<([^<>]*)>$/.exec(text.trim()) ?? []
    const { data } = emailField.safeParse(inBrackets ?? text)
    return data === undefined ? undefined : { name: name.trim(), address: dnsAddress(data) }
  },
}

/**
 * Reads the settings of a server.
 *
 * @param variables What the process was started with.
 * @param defaults `dataDirectory`: folder of the databases where `DATA_DIR` is unset; `sender`: of emails where `MAIL_FROM` is. Default: none.
 * @returns The settings.
 * @throws {StartupError} If a variable is malformed, or production lacks what it needs: a key, an origin where browsers come from
 *   elsewhere, HTTPS on a public address.
 */
export function readServerSettings(
  variables: Variables,
  defaults: { readonly dataDirectory: string; readonly sender?: string },
): ServerSettings {
  const read = <T>(name: string, variable: Variable<T>): T | undefined =>
    readVariable(name, variables[name], variable)
  const isProduction = read('NODE_ENV', MODE) === 'production'
  const checked: Checked = {
    host: read('HOST', HOST) ?? '127.0.0.1',
    origin: read('ORIGIN', ORIGIN),
    trustedProxies: read('TRUSTED_PROXIES', TRUSTED_PROXIES) ?? [],
    keys: read('FACTOR_KEY', FACTOR_KEY) ?? [],
    mail: mailOf(
      read('SMTP_URL', SMTP_URL),
      readVariable('MAIL_FROM', variables['MAIL_FROM'] || defaults.sender, MAIL_FROM),
    ),
  }
  if (isProduction) assertFitForProduction(checked)
  return {
    ...checked,
    port: readNumber('PORT', variables['PORT'] || '3000', [0, 65_535]),
    dataDirectory: variables['DATA_DIR'] || defaults.dataDirectory,
    databaseUrl: read('DATABASE_URL', DATABASE_URL),
    redisUrl: read('REDIS_URL', REDIS_URL),
    drainSeconds: readNumber(
      'DRAIN_SECONDS',
      variables['DRAIN_SECONDS'] || (isProduction ? '2' : '0'),
      [0, 300],
    ),
    isProduction,
    basePath: read('BASE_PATH', BASE_PATH) ?? '',
    hosts: read('HOSTS', HOSTS) ?? [],
    warnings: isProduction ? warningsOf(checked) : [],
  }
}

function mailOf(url: Secret | undefined, from: MailServer['from'] | undefined): MailServer | undefined {
  if (url === undefined) return undefined
  if (from !== undefined) return { url, from }
  throw new StartupError(
    'MAIL_FROM is missing: set it to the address that mails come from, such as accounts@app.example',
  )
}

function assertFitForProduction({ host, origin, keys, mail }: Checked): void {
  const refuse = (fault: string): never => {
    throw new StartupError(fault)
  }
  if (keys.length === 0)
    refuse(
      'FACTOR_KEY is missing: in production set it to 32 random bytes in hexadecimal, created with "openssl rand -hex 32"',
    )
  if (origin === undefined && !isThisMachine(host))
    refuse(
      `ORIGIN is missing: in production on HOST ${host} set it to what browsers type, such as https://app.example`,
    )
  if (origin === undefined && mail !== undefined)
    refuse(
      'ORIGIN is missing: mails have links, and in production only you know what they begin with, such as https://app.example',
    )
  if (origin?.startsWith('http:') === true && !isWithinReach(new URL(origin).hostname))
    refuse(
      `ORIGIN must begin with https: from ${origin} browsers would send the session cookie unencrypted. Put a proxy that speaks HTTPS in front`,
    )
}

function warningsOf({ host, origin, trustedProxies }: Checked): readonly string[] {
  const warnings: string[] = []
  if (origin === undefined)
    warnings.push(
      'ORIGIN is not set: if browsers come through a proxy, set it to what they type, such as https://app.example, or the session cookie goes out without Secure',
    )
  const isBehindProxy = isThisMachine(host) || origin?.startsWith('https:') === true
  if (isBehindProxy && trustedProxies.length === 0)
    warnings.push(
      'TRUSTED_PROXIES is not set: every client has the address of the proxy, so the wrong passwords of one lock out all. Set it to the address of the proxy, such as 127.0.0.1',
    )
  return warnings
}

// Empty items stay: they are malformed wherever a list is set.
function listOf(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim())
}

// Without a host, the driver would take this machine.
function serverUrl(text: string): Secret | undefined {
  return (URL.parse(text)?.hostname ?? '') === '' ? undefined : new Secret(text)
}

function isPlaceholder(key: Secret): boolean {
  const text = key.reveal()
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64url')
  return new Set(bytes).size === 1
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

// RFC 1918, RFC 4193 and link-local addresses.
const OWN_NETWORKS = new BlockList()
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  OWN_NETWORKS.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4')

// Not public: this machine, or a network of one's own.
function isWithinReach(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isThisMachine(address) || OWN_NETWORKS.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
