import { inject } from 'sallyport'
import { Settings } from '../../core/settings.ts'
import { isForwardedPlain } from '../../core/clients/forwarded-plain.ts'
import { isLoopback } from '../../core/clients/loopback.ts'
import { OpsCredentials } from './ops-credentials.ts'

/** A connection, as far as it matters here. */
interface Connection {
  isSecure(): boolean
  clientAddress(): string
  header(name: string): string | null
}

/** Who may see the pages for operators, and over which connections. */
export class OpsAccess {
  readonly #operations = inject(Settings).operations
  /** Name and password. */
  readonly credentials: OpsCredentials = new OpsCredentials(this.#operations?.hash ?? '')

  /** @returns Whether nobody else can read it. */
  isPrivate(connection: Connection): boolean {
    if (connection.isSecure()) return !isForwardedPlain(connection)
    return this.#operations?.allowsLoopback === true && isLoopback(connection.clientAddress())
  }
}
