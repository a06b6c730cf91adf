import { type HttpContext, inject } from 'sallyport'
import { HttpException, type Middleware, type Next, UnauthorizedException } from 'sallyport/http'
import { clientOf } from 'sallyport-app/clients'
import { bearerChallenge } from './bearer-challenge.ts'
import { TokenCheck } from './token-check.ts'

/**
 * Establishes the identity of a request from its Bearer token, anew for each request. It opens no session, so no cookie counts
 * and none is sent.
 */
export class ResolveToken implements Middleware<HttpContext> {
  readonly #tokens = inject(TokenCheck)

  /**
   * @returns The response of the rest of the chain.
   * @throws {UnauthorizedException} If there is no token, or it is not valid.
   * @throws {HttpException} With 401 and the code `token_suspended`, if its owner must confirm it first.
   * @throws {HttpException} With 400, if the credentials are malformed, sent twice, or in the URL.
   * @throws {TooManyRequestsException} If the token is not valid, and so were many others of this client.
   * @see RFC 6750, sections 2.1 and 3.1.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    refuseTokenInUrl(context)
    const token = readToken(context)
    if (token === undefined) throw new UnauthorizedException(bearerChallenge())
    const client = await this.#tokens.verify(token, () => clientOf(context))
    context.auth().authenticate(client, client.scopes)
    return next()
  }
}

// Logs, histories and referrers keep URLs. RFC 6750 section 2.3 allows a token there, and RFC 9700 section 4.3.2 does not.
function refuseTokenInUrl(context: HttpContext): void {
  if (!new URLSearchParams(context.query()).has('access_token')) return
  throw invalidRequest('Send the token in the header "Authorization", never in the URL, and revoke this one')
}

// Of another scheme is no token. Two headers, or a malformed token, are a mistake that the client wants to know.
function readToken(context: HttpContext): string | undefined {
  const token = context.authorization()?.token
  if (token !== undefined) return token
  if (!/^\s*bearer\b/i.test(context.header('authorization') ?? '')) return undefined
  throw invalidRequest('The header "Authorization" must be sent once, as "Bearer" and a token')
}

function invalidRequest(message: string): HttpException {
  const headers = {
    'www-authenticate': bearerChallenge({ error: 'invalid_request' }),
    'cache-control': 'no-store',
  }
  return new HttpException(400, 'ERR_API_CREDENTIALS', message, { headers })
}
