import { constants } from 'node:os'
import { createSecureContext, type TlsOptions } from 'node:tls'
import type { App } from '../app/index.ts'
import { assertOptions, declarationError, MAX_TIMER_MILLISECONDS, shown } from '../core/internal.ts'
import type { TrustedProxiesOptions } from './trusted-proxies.ts'
import { isSocketPath } from './unix-socket.ts'

/** Options of {@link serve}. */
export interface ServeOptions {
  /** Port to listen on; 0 picks a free one. Default: 3000. */
  readonly port?: number
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string
  /** Path of a Unix socket to listen on, in place of port and address. Default: none. */
  readonly socketPath?: string
  /** Mode of the file of the Unix socket: who may write may connect. Default: 0o660, the user and the group. */
  readonly socketMode?: number
  /** Certificate, key and other options of `node:tls`, to serve HTTPS. Default: HTTP. */
  readonly tls?: TlsOptions
  /**
   * Scheme and host that clients use, such as `https://app.test`; a request for another host is a 421. Default: taken from
   * the connection and the `Host` header, which the client controls.
   */
  readonly origin?: string
  /**
   * Further hosts that are served, such as `www.app.test`, `10.0.0.7` (every port) or `localhost:3000`. Health checks by
   * address need theirs. Default: only the host of the origin; without an origin, every host.
   */
  readonly hosts?: readonly string[]
  /** Proxies that are trusted to report the client's address, scheme and host. Default: none. */
  readonly trustedProxies?: TrustedProxiesOptions
  /**
   * Milliseconds that a client has to send a body; only waiting for the client counts. A form with files gets its time by
   * progress instead: it is refused if nothing comes for as long. Default: 30000.
   */
  readonly bodyMilliseconds?: number
  /**
   * Bytes of a form with files that prolong its time by a second: the slowest rate at which a long upload arrives. Default:
   * 10240.
   */
  readonly uploadBytesPerSecond?: number
  /** Signals that close the server and then the application. Default: SIGTERM and SIGINT. */
  readonly signals?: readonly NodeJS.Signals[]
  /** Milliseconds that pending requests have to finish when the server closes. Default: 10000. */
  readonly drainMilliseconds?: number
}

const NAMES: readonly string[] = [
  'port',
  'host',
  'socketPath',
  'socketMode',
  'tls',
  'origin',
  'hosts',
  'trustedProxies',
  'bodyMilliseconds',
  'uploadBytesPerSecond',
  'signals',
  'drainMilliseconds',
]
const MAX_PORT = 65_535
const MAX_MODE = 0o777
// A process cannot handle these.
const FINAL_SIGNALS: ReadonlySet<unknown> = new Set(['SIGKILL', 'SIGSTOP'])

/**
 * Checks the arguments of `serve()` before anything boots. Origin, hosts and proxies are checked where they are parsed.
 *
 * @param app The application.
 * @param options Where to listen and how to close.
 * @throws {TypeError} If it is not an application, or an option is invalid.
 */
export function assertServe(app: App, options: ServeOptions): void {
  const given: unknown = app
  if (typeof given !== 'object' || given === null || typeof Reflect.get(given, 'boot') !== 'function')
    throw declarationError(`Cannot serve ${shown(given)}: pass an application`)
  assertOptions(options, NAMES, 'serve()')
  const { port, host, signals, drainMilliseconds, bodyMilliseconds, uploadBytesPerSecond } = options
  if (port !== undefined && !isWhole(port, MAX_PORT))
    throw declarationError(
      `Cannot listen on the port ${shown(port)}: it must be a whole number from 0 to ${MAX_PORT}`,
    )
  if (host !== undefined && (typeof host !== 'string' || host === ''))
    throw declarationError(
      `Cannot listen on the address ${shown(host)}: use one such as "127.0.0.1" or "0.0.0.0"`,
    )
  assertSocket(options)
  if (options.tls !== undefined) assertTls(options.tls)
  if (signals !== undefined) assertSignals(signals)
  if (drainMilliseconds !== undefined && !isTime(drainMilliseconds))
    throw declarationError(
      `Cannot use ${shown(drainMilliseconds)} as drainMilliseconds: it must be a number from 0 to ${MAX_TIMER_MILLISECONDS}`,
    )
  assertPace(bodyMilliseconds, uploadBytesPerSecond)
}

/**
 * @param milliseconds `bodyMilliseconds` as passed.
 * @param rate `uploadBytesPerSecond` as passed.
 * @throws {TypeError} If one is not a number above 0.
 */
export function assertPace(milliseconds: unknown, rate: unknown): void {
  for (const [name, given] of Object.entries({ bodyMilliseconds: milliseconds, uploadBytesPerSecond: rate }))
    if (given !== undefined && !(typeof given === 'number' && given > 0))
      throw declarationError(`Cannot use ${shown(given)} as ${name}: it must be a number above 0`)
}

function assertSocket({ socketPath, socketMode, port, host }: ServeOptions): void {
  if (socketMode !== undefined && !isWhole(socketMode, MAX_MODE))
    throw declarationError(
      `Cannot use ${shown(socketMode)} as socketMode: it must be a file mode, such as 0o660`,
    )
  if (socketPath === undefined) {
    if (socketMode === undefined) return
    throw declarationError('Cannot use socketMode without socketPath: pass the path of a Unix socket')
  }
  if (port !== undefined || host !== undefined)
    throw declarationError(
      'Cannot listen on both a Unix socket and a port: pass either socketPath, or port and host',
    )
  if (typeof socketPath !== 'string' || socketPath === '' || !isSocketPath(socketPath))
    throw declarationError(
      `Cannot listen on the socket ${shown(socketPath)}: use a path of at most 90 bytes, such as "/run/app/app.sock"`,
    )
}

function assertTls(tls: TlsOptions): void {
  const given: unknown = tls
  if (typeof given !== 'object' || given === null)
    throw declarationError(`Cannot serve HTTPS with ${shown(given)}: pass an object with key and cert`)
  const { key, cert, pfx, SNICallback } = tls
  if (SNICallback === undefined && pfx === undefined && (key === undefined || cert === undefined))
    throw declarationError('Cannot serve HTTPS: tls must have a key and a cert, or a pfx')
  try {
    createSecureContext(tls)
  } catch (cause) {
    // The message of OpenSSL names the kind of fault and nothing of the key.
    const reason = cause instanceof Error ? cause.message : shown(cause)
    throw declarationError(`Cannot serve HTTPS with this key and certificate: ${reason}`, TypeError, {
      cause,
    })
  }
}

function assertSignals(signals: unknown): void {
  if (!Array.isArray(signals))
    throw declarationError(`Cannot close on the signals ${shown(signals)}: pass a list such as ["SIGTERM"]`)
  const bad: unknown = signals.find((signal: unknown) => !isSignal(signal))
  if (bad === undefined && !signals.includes(undefined)) return
  throw declarationError(`Cannot close on the signal ${shown(bad)}: use one that a process can handle`)
}

function isSignal(signal: unknown): boolean {
  return typeof signal === 'string' && Object.hasOwn(constants.signals, signal) && !FINAL_SIGNALS.has(signal)
}

function isWhole(value: unknown, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MILLISECONDS
}
