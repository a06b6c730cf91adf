import { BlockList, isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { App, Secret } from 'sallyport'
import { ServedHosts } from 'sallyport/http'
import { assertTrustedProxies } from 'sallyport/node'
import type { PartSettings, ReadsEnvironment, Variables } from '../part-settings.ts'
import { type Language, LANGUAGES } from '../messages/language.ts'
import { dnsAddress, emailField } from '../text/email-address.ts'
import type { MailServer } from '../mail/smtp-mailer.ts'
import { FactorVault } from '../factors/factor-vault.ts'
import { localUrl } from './local-address.ts'

// RFC 1918, RFC 4193 and link-local addresses.
const OWN_NETWORKS = new BlockList()
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  OWN_NETWORKS.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  OWN_NETWORKS.addSubnet(address, prefix, 'ipv6')

/** The application cannot start. The message is the line that the operator sees. */
export class StartupError extends Error {
  /** @param options `cause`. Default: none. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupError'
  }
}

/** Settings from the environment. */
export interface Environment {
  /** `HOST`: address to listen on. Default: 127.0.0.1, this machine only. */
  readonly host: string
  /** `PORT`: 0 picks a free one. Default: 3000. */
  readonly port: number
  /** `DATA_DIR`: folder of the databases. Default: `.data` next to this file. */
  readonly dataDirectory: string
  /** `NODE_ENV=production`. */
  readonly isProduction: boolean
  /** `ORIGIN`: scheme and host that browsers use, such as `https://app.example`. Default: where it listens. */
  readonly origin: string | undefined
  /** `BASE_PATH`: path of the host below which the pages are, such as `/accounts`. Default: none. */
  readonly basePath: string
  /** `HOSTS`: further names and addresses that are served when `ORIGIN` is set, separated by commas. Default: none. */
  readonly hosts: readonly string[]
  /** `DEFAULT_LANGUAGE`: language of the mails to accounts that operators add. Default: `en`. */
  readonly language: Language
  /** `TRUSTED_PROXIES`: addresses of trusted proxies, separated by commas. Default: none. */
  readonly trustedProxies: readonly string[]
  /** `FACTOR_KEY`: keys for the factors' secrets, separated by commas; the first one encrypts. Default: none. */
  readonly keys: readonly Secret[]
  /** `SMTP_URL` and `MAIL_FROM`: the server for mails, and their sender. Default: none. */
  readonly mail: MailServer | undefined
  /** What parts read of their variables. */
  readonly ofParts: readonly PartSettings[]
  /** `DEMO`: whether there is a demo account. Default: outside production. */
  readonly hasDemoAccount: boolean
  /** What a start does not refuse, although it is probably not meant. */
  readonly warnings: readonly string[]
}

/**
 * Reads the settings of the application.
 *
 * @param parts Parts that read variables, too. Default: none.
 * @returns The settings, with defaults.
 * @throws {StartupError} If a variable is malformed, or production lacks its key or its origin.
 */
export function readEnvironment(variables: Variables, parts: readonly ReadsEnvironment[] = []): Environment {
  const isProduction = readMode(variables.NODE_ENV)
  const host = readHost(variables.HOST)
  const origin = readOrigin(variables.ORIGIN)
  const keys = readKeys(variables.FACTOR_KEY)
  const trustedProxies = readProxies(variables.TRUSTED_PROXIES)
  const mail = readMail(variables.SMTP_URL, variables.MAIL_FROM)
  if (isProduction) assertFitForProduction({ host, origin, keys, mail })
  return {
    host,
    port: readNumber('PORT', variables.PORT || '3000', [0, 65_535]),
    dataDirectory: variables.DATA_DIR || fileURLToPath(new URL('../../.data', import.meta.url)),
    isProduction,
    origin,
    basePath: readBasePath(variables.BASE_PATH),
    hosts: readHosts(variables.HOSTS),
    language: readLanguage(variables.DEFAULT_LANGUAGE),
    trustedProxies,
    keys,
    mail,
    ofParts: parts.flatMap(({ environment }) => environment?.(variables, isProduction) ?? []),
    hasDemoAccount: readSwitch('DEMO', variables.DEMO, !isProduction),
    warnings: isProduction ? warningsOf({ host, origin, trustedProxies }) : [],
  }
}

function assertFitForProduction({
  host,
  origin,
  keys,
  mail,
}: Pick<Environment, 'host' | 'origin' | 'keys' | 'mail'>): void {
  if (keys.length === 0)
    throw new StartupError(
      'FACTOR_KEY is missing: in production set it to 32 random bytes in hexadecimal, created with "openssl rand -hex 32"',
    )
  if (origin === undefined && !isLoopback(host))
    throw new StartupError(
      `ORIGIN is missing: in production on HOST ${host} set it to what browsers type, such as https://app.example`,
    )
  if (origin === undefined && mail !== undefined)
    throw new StartupError(
      'ORIGIN is missing: mails have links, and in production only you know what they begin with, such as https://app.example',
    )
  if (origin?.startsWith('http:') === true && !isWithinReach(new URL(origin).hostname))
    throw new StartupError(
      `ORIGIN must begin with https: from ${origin} browsers would send the session cookie unencrypted. Put a proxy that speaks HTTPS in front`,
    )
}

function warningsOf({
  host,
  origin,
  trustedProxies,
}: Pick<Environment, 'host' | 'origin' | 'trustedProxies'>): readonly string[] {
  const isBehindProxy = isLoopback(host) || origin?.startsWith('https:') === true
  return [
    ...(origin === undefined
      ? [
          'ORIGIN is not set: if browsers come through a proxy, set it to what they type, such as https://app.example, or the session cookie goes out without Secure',
        ]
      : []),
    ...(isBehindProxy && trustedProxies.length === 0
      ? [
          'TRUSTED_PROXIES is not set: every client has the address of the proxy, so the wrong passwords of one lock out all. Set it to the address of the proxy, such as 127.0.0.1',
        ]
      : []),
  ]
}

// Anything else is refused: who writes "prod" would run what a development machine shows, and who writes "true" means "on".
function readMode(text: string | undefined): boolean {
  if (text === undefined || ['', 'production', 'development', 'test'].includes(text))
    return text === 'production'
  throw new StartupError(`NODE_ENV must be production, development or test, not ${JSON.stringify(text)}`)
}

/**
 * @param unset What an unset one means. Default: off.
 * @returns Whether it is on.
 * @throws {StartupError} If it is neither `1` nor `0`.
 */
export function readSwitch(name: string, text: string | undefined, unset = false): boolean {
  if (text === undefined || text === '') return unset
  if (['0', '1'].includes(text)) return text === '1'
  throw new StartupError(`${name} must be 1 or 0, not ${JSON.stringify(text)}`)
}

// Empty items stay: they are malformed wherever a list is set.
function listOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(',').map((item) => item.trim())
}

/**
 * @returns The number.
 * @throws {StartupError} If it is none, or outside the bounds.
 */
export function readNumber(name: string, text: string, [min, max]: readonly [number, number]): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new StartupError(`${name} must be a number from ${min} to ${max}, not ${JSON.stringify(text)}`)
}

function readHost(text: string | undefined): string {
  const host = text || '127.0.0.1'
  if (/^[\w.:-]+$/.test(host) && URL.canParse(localUrl({ host, port: 80 }))) return host
  throw new StartupError(
    `HOST must be an address or a name of this machine, such as 127.0.0.1, ::1 or localhost, not ${JSON.stringify(host)}`,
  )
}

function readHosts(text: string | undefined): readonly string[] {
  const hosts = listOf(text)
  for (const host of hosts) {
    try {
      // Created only to validate.
      void new ServedHosts({ hosts: [host] })
    } catch (cause) {
      throw new StartupError(
        `HOSTS must be names or addresses, such as www.app.example,10.0.0.7, not ${JSON.stringify(host || text)}`,
        { cause },
      )
    }
  }
  return hosts
}

function readProxies(text: string | undefined): readonly string[] {
  const proxies = listOf(text)
  for (const proxy of proxies) {
    try {
      // The server would also trust its own Unix socket, which this program does not listen on.
      if (isIP(proxy.replace(/\/.*/, '')) === 0) throw new TypeError('It is not an address')
      assertTrustedProxies({ addresses: [proxy] })
    } catch (cause) {
      throw new StartupError(
        `TRUSTED_PROXIES must be addresses, or networks by their first address such as 10.0.0.0/8, not ${JSON.stringify(proxy || text)}`,
        { cause },
      )
    }
  }
  return proxies
}

function readMail(url: string | undefined, from: string | undefined): Environment['mail'] {
  const sender = from === undefined || from === '' ? undefined : readSender(from)
  if (url === undefined || url === '') return undefined
  const { protocol = '', hostname = '' } = URL.parse(url) ?? {}
  // Without a host, mails would go to this machine.
  if (!/^smtps?:$/.test(protocol) || !URL.canParse(`http://${hostname}`))
    throw new StartupError(
      'SMTP_URL must be the URL of a mail server with its host, such as smtps://user:password@mail.example',
    )
  if (sender === undefined)
    throw new StartupError(
      'MAIL_FROM is missing: set it to the address that mails come from, such as accounts@app.example',
    )
  return { url: new Secret(url), from: sender }
}

// "Example App <accounts@app.example>", or the address alone. The mailer would take what it makes of anything else.
function readSender(text: string): { readonly name: string; readonly address: string } {
  const [, name = '', inBrackets] = /^([^<>@"]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const { success, data } = emailField.safeParse(inBrackets ?? text)
  if (success) return { name: name.trim(), address: dnsAddress(data) }
  throw new StartupError(
    `MAIL_FROM must be an address, such as accounts@app.example or Example App <accounts@app.example>, not ${JSON.stringify(text)}`,
  )
}

function readKeys(text: string | undefined): readonly Secret[] {
  const keys = listOf(text).map((key) => new Secret(key))
  if (keys.some(isOneByte))
    throw new StartupError(
      'FACTOR_KEY must be random: all bytes of a key are the same. Create one with "openssl rand -hex 32"',
    )
  try {
    // Created only to validate.
    if (keys.length > 0) void new FactorVault(keys)
    return keys
  } catch (cause) {
    throw new StartupError(
      'FACTOR_KEY must be 32 bytes in hexadecimal or base64url, such as the output of "openssl rand -hex 32"',
      { cause },
    )
  }
}

// A placeholder, such as zeros.
function isOneByte(key: Secret): boolean {
  const text = key.reveal()
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64url')
  return bytes.length > 0 && new Set(bytes).size === 1
}

function readLanguage(text: string | undefined): Language {
  if (text === undefined || text === '') return LANGUAGES[0]
  const language = LANGUAGES.find((each) => each === text)
  if (language === undefined)
    throw new StartupError(
      `DEFAULT_LANGUAGE must be one of ${LANGUAGES.join(', ')}, not ${JSON.stringify(text)}`,
    )
  return language
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  if (url !== null && /^https?:\/\/[^\s/\\?#@%]+\/?$/i.test(text)) return url.origin
  throw new StartupError(
    `ORIGIN must be a scheme and a host, such as https://app.example, not ${JSON.stringify(text)}`,
  )
}

function readBasePath(text: string | undefined): string {
  if (text === undefined || text === '') return ''
  try {
    // Created only to validate.
    return App.create({ basePath: text }).basePath
  } catch (cause) {
    throw new StartupError(
      `BASE_PATH must be a path of letters, digits and single hyphens in lower case, without a slash at its end, such as /accounts, not ${JSON.stringify(text)}`,
      { cause },
    )
  }
}

// Not public: this machine, or a network of one's own.
function isWithinReach(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isLoopback(address)) return true
  const family = isIP(address)
  return family !== 0 && OWN_NETWORKS.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
