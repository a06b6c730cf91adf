import { isForwardedPlain } from './forwarded-plain.ts'
import { isLoopback } from './loopback.ts'
import type { OpsCredentials } from './ops-credentials.ts'

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
    return this.#allowsLoopback && isLoopback(connection.clientAddress())
  }
}
