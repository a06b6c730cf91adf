import { type HttpContext, inject } from 'sallyport'
import { HttpException, type Middleware, type Next, UnauthorizedException } from 'sallyport/http'
import { clientOf, isLoopback } from 'sallyport-app/clients'
import { Attempts, Limit } from 'sallyport-app/limits'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Settings } from '../../core/settings.ts'
import { OpsCredentials } from './ops-credentials.ts'

/** Code of the refusal of a connection that others can read. */
export const OPS_INSECURE = 'ERR_OPS_INSECURE'

/** Wrong passwords for the pages of operators, of one client. */
export const OPS_CLIENT_LIMIT: Limit = new Limit('ops-client', 50)

const CHALLENGE = 'Basic realm="Operations", charset="UTF-8"'

/**
 * Admits operators by name and password (HTTP Basic), over HTTPS only: a browser sends them with every request. Over HTTP it does not
 * even ask, so that nobody types them. It establishes no identity, so pages behind it need CSRF protection.
 */
export class OpsGate implements Middleware<HttpContext> {
  readonly #operations = inject(Settings).operations
  readonly #credentials = new OpsCredentials(this.#operations?.hash ?? '')
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)

  /**
   * @throws {HttpException} With 403, if the connection is not HTTPS.
   * @throws {UnauthorizedException} If the credentials are missing or wrong.
   * @throws {TooManyRequestsException} If they are wrong, and so were many others of this client.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!this.#isPrivate(context))
      throw new HttpException(403, OPS_INSECURE, 'These pages are served over HTTPS only')
    const { username = '', password = '' } = context.authorization() ?? {}
    if (this.#credentials.match({ username, password })) return next()
    if (context.header('authorization') !== null) {
      const from = clientOf(context)
      await this.#attempts.count(OPS_CLIENT_LIMIT.ofClient(from.clientAddress))
      await this.#audit.record({ kind: 'ops-refused', accountId: null, ...from })
    }
    throw new UnauthorizedException(CHALLENGE)
  }

  #isPrivate(context: HttpContext): boolean {
    if (context.isSecure()) return !isForwardedPlain(context)
    return this.#operations?.allowsLoopback === true && isLoopback(context.clientAddress())
  }
}

// An origin with https says how the site is reached, not how this request came: a proxy may forward its plain port, too. Whether the
// header can be trusted does not matter, because it can only refuse. The first proxy names what the browser used.
function isForwardedPlain(context: HttpContext): boolean {
  const protocol = context.header('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase()
  return protocol === 'http' || /^[^,]*\bproto="?http"?(?:[\s;,]|$)/i.test(context.header('forwarded') ?? '')
}
