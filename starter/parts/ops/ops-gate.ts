import { type HttpContext, inject } from 'sallyport'
import { HttpException, type Middleware, type Next, UnauthorizedException } from 'sallyport/http'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { type Client, clientOf } from '../../core/clients/client.ts'
import { Attempts } from '../../core/limits/attempts.ts'
import { OPS_CLIENT_LIMIT } from './limit.ts'
import { OpsAccess } from './ops-access.ts'

/** Code of the refusal of a connection that others can read. */
export const OPS_INSECURE = 'ERR_OPS_INSECURE'

const CHALLENGE = 'Basic realm="Operations", charset="UTF-8"'

/**
 * Admits operators by name and password (HTTP Basic), over HTTPS only: a browser sends them with every request. Over HTTP it
 * does not even ask, so that nobody types them. It establishes no identity, so pages behind it need CSRF protection.
 */
export class OpsGate implements Middleware<HttpContext> {
  readonly #access = inject(OpsAccess)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)

  /**
   * @returns The response of the rest of the chain.
   * @throws {HttpException} With 403, if the connection is not HTTPS.
   * @throws {UnauthorizedException} If the credentials are missing or wrong.
   * @throws {TooManyRequestsException} If they are wrong, and so were many others of this client.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!this.#access.isPrivate(context))
      throw new HttpException(403, OPS_INSECURE, 'These pages are served over HTTPS only')
    const { username = '', password = '' } = context.authorization() ?? {}
    if (this.#access.credentials.match({ username, password })) return next()
    if (context.header('authorization') !== null) await this.#countRefusal(clientOf(context))
    throw new UnauthorizedException(CHALLENGE)
  }

  async #countRefusal(from: Client): Promise<void> {
    await this.#attempts.count(OPS_CLIENT_LIMIT.ofClient(from.clientAddress))
    await this.#audit.record({ kind: 'ops-refused', accountId: null, ...from })
  }
}
