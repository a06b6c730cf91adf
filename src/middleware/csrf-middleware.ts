import { declarationError, sentence, shown, whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { Csrf, InvalidCsrfTokenException } from '../csrf/index.ts'
import type { Middleware, Next } from '../http/index.ts'
import { parseOrigin } from '../http/internal.ts'
import type { Form } from '../input/index.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
// Why a request is refused, for developers only. Nothing here comes from a request.
const REASONS = {
  site:
    'The header Sec-Fetch-Site says that the request comes from another site. ' +
    'Send it from a page of this application',
  origin:
    'The header Origin is not the origin of this application. Send the request from a page of this application. ' +
    'Behind a proxy, set the options origin and trustedProxies of serve()',
  missing:
    `The request has no CSRF token. Send it in the form field ${Csrf.fieldName}, ` +
    'in a template <input type="hidden" name="{{ csrf.fieldName }}" value="{{ csrf.token }}">, ' +
    `or in the header ${Csrf.headerName}`,
  late:
    `The form has files and no CSRF token before them. Put the form field ${Csrf.fieldName} before the first file input, ` +
    `or send the header ${Csrf.headerName}: files are refused before they are stored`,
  repeated: `The form has several fields ${Csrf.fieldName}. Send one`,
  wrong:
    'The CSRF token is not one of this session. Tokens end with the session and with login() and logout(). ' +
    'Take a new one from context.csrf().token(), and check that the client sends its session cookie',
}

/**
 * Requires a valid CSRF token for state-changing requests, in anonymous sessions too. The effective method counts, after
 * method override.
 *
 * @see Clauses CSRF-01 to CSRF-10; OWASP Cross-Site Request Forgery Prevention.
 */
export class CsrfMiddleware implements Middleware {
  /** Marks that an application with this middleware uses sessions, and must name their store in production. */
  static readonly usesSession = true
  /** Marks that the referrer policy `no-referrer` would have this middleware refuse forms of the application itself. */
  static readonly comparesOrigin = true

  /**
   * @param options None are allowed.
   * @throws {TypeError} If an argument is passed: it would have no effect.
   */
  constructor(...options: readonly never[]) {
    if (options.length > 0)
      throw declarationError(
        sentence`Cannot create a CsrfMiddleware with ${shown(options[0])}: it takes no options`,
      )
  }

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {InvalidCsrfTokenException} If the request comes from another site or has no valid token.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  process(context: HttpContext, next: Next): Response | Promise<Response> {
    if (SAFE_METHODS.has(context.method())) return next()
    const foreign = reasonOfForeign(context)
    if (foreign !== null)
      throw new InvalidCsrfTokenException('This form was sent from another site', { cause: foreign })
    const reason = whenReady(context.readForm(), (form) => reasonOfToken(context, form))
    return whenReady(reason, (cause) => {
      if (cause !== null) throw new InvalidCsrfTokenException(undefined, { cause })
      return next()
    })
  }
}

// Uses Fetch Metadata, otherwise Origin. A client that sends neither is checked by its token alone.
function reasonOfForeign(context: HttpContext): string | null {
  const site = context.header('sec-fetch-site')
  if (site !== null) return site === 'cross-site' ? REASONS.site : null
  const origin = context.header('origin')
  return origin !== null && parseOrigin(origin) !== context.origin() ? REASONS.origin : null
}

function reasonOfToken(context: HttpContext, form: Form | null): string | null | Promise<string | null> {
  const [field, ...more] = form?.all(Csrf.fieldName) ?? []
  if (more.length > 0) return REASONS.repeated
  const token = field ?? context.header(Csrf.headerName)
  if (token === null || token === '') return context.isFormStreamed ? REASONS.late : REASONS.missing
  return whenReady(context.csrf().judge(token), (isValid) => (isValid ? null : REASONS.wrong))
}
