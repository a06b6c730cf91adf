/** What was wrong. */
export interface BearerFault {
  /** The code of RFC 6750 section 3.1. */
  readonly error: 'invalid_request' | 'invalid_token' | 'insufficient_scope'
  /** The scope that is needed. Default: none is named. */
  readonly scope?: string
}

/**
 * @param fault What was wrong. Default: no credentials were sent, which is no error.
 * @returns The value of `WWW-Authenticate`.
 * @see RFC 6750 section 3.
 */
export function bearerChallenge(fault?: BearerFault): string {
  const parameters = { realm: 'api', ...fault }
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return `Bearer ${list.join(', ')}`
}
