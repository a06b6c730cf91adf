import { whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { BadRequestException, HttpException, prefersJson } from '../http/index.ts'
import {
  connectionOptions,
  isUnsendable,
  LightResponse,
  textResponse,
  withoutConnection,
} from '../http/internal.ts'
import { ValidationException, Violation } from '../input/index.ts'
import { View } from '../view/index.ts'
import { ERROR_PAGE_POLICY, type ErrorDetails, errorPage } from './error-page.ts'
import type { ErrorRenderers, RenderServices } from './error-renderers.ts'
import { failureOf } from './failure.ts'
import type { Messages } from './messages.ts'
import { problemResponse } from './problem-errors.ts'
import { csrfReason } from './refusal-events.ts'
import { inspected } from './report-fault.ts'
import { explainedThrow } from './thrown-value.ts'
import { TimeOverException } from './time-over-exception.ts'
import { violationText } from './violation-text.ts'

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
 * @param thrown What was thrown.
 * @param context Context of the request.
 * @param services What the responder needs.
 * @returns The response; a promise only for a page of the application.
 */
export function respondToError(
  thrown: unknown,
  context: HttpContext,
  services: ErrorServices,
): Response | Promise<Response> {
  if (isFault(thrown) && !isDeparture(thrown, context) && context.isNewFault(thrown))
    services.report(explainedThrow(thrown), context)
  const error = isUnsendable(thrown) ? unsendable(thrown) : thrown
  const expected = error instanceof HttpException
  const status = expected ? error.status : 500
  if (expected) context.failure = error
  const headers = expected ? error.headers : {}
  if (status >= 300 && status < 400)
    return withHeaders(new LightResponse(status, null, ['content-length', '0']), headers)
  const details = describe(error, status, { context, services })
  // Only for refusals of routing: a 404 from an action means that routing succeeded.
  if (services.explain !== null && (status === 404 || status === 405) && !context.hasRoute())
    return explained(error, details, { context, services: { ...services, explain: services.explain } })
  return respond(error, details, { context, services })
}

// Most likely it is text of the client, so it is no internal error to it.
function unsendable(cause: Error): BadRequestException {
  return new BadRequestException('The request contains a value that cannot be used here', { cause })
}

/**
 * @param error What was thrown.
 * @returns Whether it must be reported. A mistake of the client is an expected outcome. A 5xx with a cause is reported too:
 * a store that refuses connections must not go unnoticed.
 */
export function isFault(error: unknown): boolean {
  return !(error instanceof HttpException) || (error.status >= 500 && error.cause !== undefined)
}

/**
 * @param error What was thrown.
 * @param context Context of the request.
 * @returns Whether the client's departure caused it: an operation that was aborted because the client disconnected is not
 * an error. A time limit has another reason.
 */
export function isDeparture(error: unknown, { signal }: HttpContext): boolean {
  if (!(error instanceof Error) || error.name !== 'AbortError') return false
  // `fetch()` rejects with the reason that the caller passed to abort().
  return signal.aborted && (signal.reason as Error | null)?.name !== 'TimeoutError'
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
  if (prefersJson(context.header('accept'))) return withHeaders(problemResponse(details, error), headers)
  const { template } = services
  if (template === null) return withHeaders(builtIn(details, services), headers)
  return services.render(new View(template, { error: details }), context).then(
    (page) => withHeaders(textResponse(details.status, page, 'text/html; charset=utf-8'), headers),
    (failure: unknown) => {
      services.report(failure, context)
      return withHeaders(builtIn(details, services), headers)
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
    message: error instanceof TimeOverException ? error.told : error.message,
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

function withHeaders(response: LightResponse, headers: Readonly<Record<string, string>>): LightResponse {
  const options = connectionOptions(Object.entries(headers).flat())
  for (const [name, value] of Object.entries(headers)) {
    const sent = withoutConnection(name, value, options)
    if (sent !== null) response.append(name, sent)
  }
  return response
}
