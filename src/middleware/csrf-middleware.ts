import { declarationError, shown, whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { Csrf, InvalidCsrfTokenException } from '../csrf/index.ts'
import type { Middleware, Next } from '../http/index.ts'
import type { Form } from '../input/index.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Requires a valid CSRF token for state-changing requests, in anonymous sessions too. The effective method counts, after
 * method override.
 *
 * @see Clauses CSRF-01 to CSRF-10; OWASP Cross-Site Request Forgery Prevention.
 */
export class CsrfMiddleware implements Middleware {
  /** Marks that an application with this middleware uses sessions, and must name their store in production. */
  static readonly usesSession = true

  /**
   * @param options None are allowed.
   * @throws {TypeError} If an argument is passed: it would have no effect.
   */
  constructor(...options: readonly never[]) {
    if (options.length > 0)
      throw declarationError(`Cannot make a CsrfMiddleware of ${shown(options[0])}: it takes no options`)
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
    if (isForeign(context)) throw new InvalidCsrfTokenException('This form was sent from another site')
    const isValid = whenReady(context.readForm(), (form) => context.csrf().judge(sentToken(context, form)))
    return whenReady(isValid, (valid) => {
      if (!valid) throw new InvalidCsrfTokenException()
      return next()
    })
  }
}

// Uses Fetch Metadata, otherwise Origin. A client that sends neither is checked by its token alone.
function isForeign(context: HttpContext): boolean {
  const site = context.header('sec-fetch-site')
  if (site !== null) return site === 'cross-site'
  const origin = context.header('origin')
  return origin !== null && origin !== context.origin()
}

function sentToken(context: HttpContext, form: Form | null): unknown {
  const values = form?.all(Csrf.fieldName) ?? []
  if (values.length > 0) return values.length === 1 ? values[0] : undefined
  return context.header(Csrf.headerName)
}
