import { whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { HttpException, prefersJson } from '../http/index.ts'
import { type LightResponse, textResponse } from '../http/internal.ts'
import { ValidationException, Violation } from '../input/index.ts'
import { View } from '../view/index.ts'
import { ERROR_PAGE_POLICY, type ErrorDetails, errorPage } from './error-page.ts'
import { ErrorRenderers, type RenderServices } from './error-renderers.ts'
import { withExceptionHeaders } from './exception-headers.ts'
import { failureOf } from './failure.ts'
import type { Messages } from './messages.ts'
import { problemResponse } from './problem-response.ts'
import { csrfReason } from './refusal-events.ts'
import { inspected } from './report-fault.ts'
import { explainedThrow } from './thrown-value.ts'
import { toldBy } from './time-over-exception.ts'
import { violationText } from './violation-text.ts'

export { ErrorRenderers }

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Authentication required',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'No longer available',
  412: 'Precondition failed',
  413: 'Request too large',
  415: 'Unsupported format',
  416: 'Range not available',
  422: 'Invalid input',
  428: 'Precondition required',
  429: 'Too many attempts',
  451: 'Unavailable for legal reasons',
  500: 'Something went wrong',
  501: 'Not implemented',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
  507: 'Storage full',
}

/** What the responder needs from its application. */
export interface ErrorServices {
  /** Whether pages may show stacks. */
  readonly debug: boolean
  /** Receives each unexpected error, once. */
  readonly report: (error: unknown, context: HttpContext) => void
  /** Renderers of the application and its modules; null when there are none. */
  readonly renderers: ErrorRenderers | null
  /** Takes a response over for the request; throws if it cannot be sent. */
  readonly take: RenderServices['take']
  /** Template for error pages; null: the built-in page. */
  readonly template: string | null
  /** In development, explains how the URL of a request was resolved; null otherwise. */
  readonly explain: ((context: HttpContext) => string | Promise<string>) | null
  /** URL of the start page. */
  readonly home: string
  /** Translations of violation messages. */
  readonly messages: Messages
  /** Renders a view. */
  readonly render: (view: View, context: HttpContext) => Promise<string>
}

/**
 * Creates the response for an exception: an `HttpException` as it says, anything else as a 500 without details. It is what
 * a renderer of the module or the application makes; else RFC 9457 problem details or a page, by `Accept`.
 *
 * @param error What was thrown.
 * @param context Context of the request.
 * @param services What the responder needs.
 * @returns The response; a promise only for a page of the application.
 */
export function respondToError(
  error: unknown,
  context: HttpContext,
  services: ErrorServices,
): Response | Promise<Response> {
  const status = error instanceof HttpException ? error.status : 500
  const details = describe(error, status, { context, services })
  // Only for refusals of routing: a 404 from an action means that routing succeeded.
  if (services.explain !== null && (status === 404 || status === 405) && !context.hasRoute())
    return explained(error, details, { context, services: { ...services, explain: services.explain } })
  return respond(error, details, { context, services })
}

interface Answered {
  readonly context: HttpContext
  readonly services: ErrorServices
}

async function explained(
  error: unknown,
  details: ErrorDetails,
  { context, services }: Answered & { services: { explain: NonNullable<ErrorServices['explain']> } },
): Promise<Response> {
  let trace: string
  try {
    trace = await services.explain(context)
  } catch (failure) {
    trace = inspected(failure)
  }
  return respond(error, { ...details, trace }, { context, services })
}

function respond(
  error: unknown,
  details: ErrorDetails,
  { context, services }: Answered,
): Response | Promise<Response> {
  const negotiate = (): Response | Promise<Response> => respondByAccept(error, details, { context, services })
  if (services.renderers === null) return negotiate()
  const made = services.renderers.render(failureOf(error, details, context), context, services)
  return whenReady(made, (response) => response ?? negotiate())
}

function respondByAccept(
  error: unknown,
  details: ErrorDetails,
  { context, services }: Answered,
): Response | Promise<Response> {
  const own = error instanceof HttpException ? error.headers : {}
  const negotiated =
    details.violations.length > 0 && !context.hasLocale() ? 'Accept, Accept-Language' : 'Accept'
  const vary = own['vary'] === undefined ? negotiated : `${own['vary']}, ${negotiated}`
  const headers = { ...own, vary }
  if (prefersJson(context.header('accept')))
    return withExceptionHeaders(problemResponse(details, error), headers)
  const { template } = services
  if (template === null) return withExceptionHeaders(builtIn(details, services), headers)
  return services.render(new View(template, { error: details }), context).then(
    (page) => withExceptionHeaders(textResponse(details.status, page, 'text/html; charset=utf-8'), headers),
    (failure: unknown) => {
      services.report(failure, context)
      return withExceptionHeaders(builtIn(details, services), headers)
    },
  )
}

function traceOf(error: HttpException): string | null {
  return csrfReason(error) ?? (error.cause === undefined ? null : inspected(error.cause))
}

function describe(error: unknown, status: number, { context, services }: Answered): ErrorDetails {
  const { debug } = services
  const title = TITLES[status] ?? 'Error'
  if (!(error instanceof HttpException)) {
    const trace = debug ? inspected(explainedThrow(error)) : null
    return {
      status,
      code: 'ERR_INTERNAL',
      title,
      message: 'Something went wrong on our end',
      lines: [],
      violations: [],
      requestId: context.id(),
      trace,
    }
  }
  const violations =
    error instanceof ValidationException ? translated(error.violations, { context, services }) : []
  return {
    status,
    code: error.code,
    title,
    message: toldBy(error),
    lines: violations.map(sentence),
    violations,
    requestId: status >= 500 ? context.id() : null,
    trace: debug ? traceOf(error) : null,
  }
}

// The translation replaces the fallback, so that clients find the message in one place.
function translated(violations: readonly Violation[], { context, services }: Answered): readonly Violation[] {
  return violations.map((violation) => {
    const { field, code, messageId, domain, parameters } = violation
    const fallback = violationText(violation, context, services)
    return new Violation({ field, code, messageId, domain, fallback, ...(parameters && { parameters }) })
  })
}

function sentence(violation: Violation): string {
  return violation.field === null ? violation.fallback : `${violation.field}: ${violation.fallback}`
}

function builtIn(details: ErrorDetails, { home }: Pick<ErrorServices, 'home'>): LightResponse {
  const response = textResponse(details.status, errorPage(details, home), 'text/html; charset=utf-8')
  response.append('content-security-policy', ERROR_PAGE_POLICY)
  return response
}
