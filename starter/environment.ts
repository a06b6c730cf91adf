import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Secret } from 'sallyport'

/** The application cannot start. The message is the one line that its operator reads. */
export class StartupError extends Error {
  /**
   * @param message What is wrong and what to do, without a full stop.
   * @param options `cause`. Default: none.
   */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupError'
  }
}

/** How the application runs. */
export interface Environment {
  /** `HOST`: address to listen on. Default: 127.0.0.1, this machine only. */
  readonly host: string
  /** `PORT`: 0 takes a free one. Default: 3000. */
  readonly port: number
  /** `DATA_DIR`: folder of the databases. Default: `.data` beside this file. */
  readonly dataDirectory: string
  /** `NODE_ENV=production`. */
  readonly isProduction: boolean
  /** `ORIGIN`: scheme and host as browsers see them, such as `https://app.example`. Default: where it listens. */
  readonly origin: string | undefined
  /** `FACTOR_KEY`: keys of the factors' secrets, separated by commas; the first seals. Default: none. */
  readonly keys: readonly Secret[]
  /** Whether there is a demo account: outside production, or with `DEMO=1`. */
  readonly hasDemoAccount: boolean
}

/**
 * Reads how the application is to run.
 *
 * @param variables Environment variables.
 * @returns What they say, with defaults.
 * @throws {StartupError} If one is malformed, or production lacks its key or its origin.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const isProduction = variables.NODE_ENV === 'production'
  const host = variables.HOST || '127.0.0.1'
  const origin = readOrigin(variables.ORIGIN)
  const keys = (variables.FACTOR_KEY ?? '').split(',').flatMap((key) => (key.trim() === '' ? [] : [new Secret(key.trim())]))
  if (isProduction && keys.length === 0) {
    throw new StartupError(
      'FACTOR_KEY is missing: in production set it to 32 random bytes in hexadecimal, made by "openssl rand -hex 32"',
    )
  }
  if (isProduction && origin === undefined && !isLoopback(host)) {
    throw new StartupError(
      `ORIGIN is missing: in production on HOST ${host} set it to what browsers type, such as https://app.example`,
    )
  }
  return {
    host,
    port: readPort(variables.PORT),
    dataDirectory: variables.DATA_DIR || fileURLToPath(new URL('.data', import.meta.url)),
    isProduction,
    origin,
    keys,
    hasDemoAccount: !isProduction || variables.DEMO === '1',
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 3000
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new StartupError(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}`)
  }
  return Number(text)
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, '')) {
    throw new StartupError(`ORIGIN must be a scheme and a host, such as https://app.example, not ${JSON.stringify(text)}`)
  }
  return url.origin
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
