import { declarationError, shown, whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { Csrf, InvalidCsrfTokenException } from '../csrf/index.ts'
import type { Middleware, Next } from '../http/index.ts'
import type { Form } from '../input/index.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Lets a request that changes state go on only with a valid token of its session, anonymous sessions included. The
 * effective method is judged, after method override.
 *
 * @see Clauses CSRF-01 to CSRF-10; OWASP Cross-Site Request Forgery Prevention.
 */
export class CsrfMiddleware implements Middleware {
  /** Tells that an application with it keeps sessions: in production it has to name their store. */
  static readonly usesSession = true

  /**
   * @param options It takes none.
   * @throws {TypeError} If something is given: it would have no effect.
   */
  constructor(...options: readonly never[]) {
    if (options.length > 0)
      throw declarationError(`Cannot make a CsrfMiddleware of ${shown(options[0])}: it takes no options`)
  }

  /**
   * @param context Context of the request.
   * @param next Goes on.
   * @returns What stands behind.
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

// Fetch Metadata where the browser sends it, else Origin; a client that sends neither is judged by its token alone.
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
