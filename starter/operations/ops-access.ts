import { isForwardedPlain } from './forwarded-plain.ts'
import type { OpsCredentials } from './ops-credentials.ts'

// 127.0.0.0/8, ::1, and the first one as an IPv6 address.
const LOOPBACK = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/

/** A connection, as far as it matters here. */
interface Connection {
  isSecure(): boolean
  clientAddress(): string
  header(name: string): string | null
}

/** Who may see the pages for operators, and over which connections. */
export class OpsAccess {
  /** Name and password. */
  readonly credentials: OpsCredentials
  readonly #allowsLoopback: boolean

  /**
   * @param credentials Name and password.
   * @param options `allowsLoopback`: whether plain HTTP from this machine will do, for development. Behind a proxy on the same
   *   machine every client seems to come from it.
   */
  constructor(credentials: OpsCredentials, { allowsLoopback }: { readonly allowsLoopback: boolean }) {
    this.credentials = credentials
    this.#allowsLoopback = allowsLoopback
  }

  /**
   * @param connection The connection of a request.
   * @returns Whether nobody else can read it.
   */
  isPrivate(connection: Connection): boolean {
    if (connection.isSecure()) return !isForwardedPlain(connection)
    return this.#allowsLoopback && LOOPBACK.test(connection.clientAddress())
  }
}
