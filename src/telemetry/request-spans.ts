import type { Span, TextMapGetter, Tracer } from '@opentelemetry/api'
import type { ResponseEvent } from '../app/index.ts'
import type { HttpContext } from '../context/index.ts'
import type { Middleware, Next } from '../http/index.ts'
import { attributesOf, methodOf } from './request-attributes.ts'
import { SCOPE } from './scope.ts'
import type { TelemetryApi } from './telemetry-api.ts'

const HEADERS: TextMapGetter<Headers> = {
  get: (headers, key) => headers.get(key) ?? undefined,
  keys: (headers) => Array.from(headers.keys()),
}

/** Makes a span of each request, which is active until its response is made. */
export class RequestSpans implements Middleware {
  readonly #api: TelemetryApi
  readonly #tracer: Tracer
  readonly #spans = new WeakMap<HttpContext, Span>()

  /**
   * @param api The package.
   */
  constructor(api: TelemetryApi) {
    this.#api = api
    this.#tracer = api.trace.getTracer(SCOPE)
  }

  /** Begins the span, as a child of the one that the request names. */
  process(context: HttpContext, next: Next): Promise<Response> {
    const { context: contexts, propagation, trace, SpanKind } = this.#api
    const parent = propagation.extract(contexts.active(), context.request().headers, HEADERS)
    const method = methodOf(context.method())
    const attributes = { 'http.request.method': method, 'sallyport.request': context.id() }
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
    this.#spans.set(context, span)
    return contexts.with(trace.setSpan(parent, span), next)
  }

  /**
   * @param event What became of a request. One that was refused before the incoming band has no span.
   */
  end(event: ResponseEvent): void {
    const span = this.#spans.get(event.context)
    if (span === undefined) return
    const { pattern, status } = event
    const attributes = attributesOf(event)
    span.setAttributes(attributes)
    if (pattern !== null) span.updateName(`${attributes['http.request.method']} ${pattern}`)
    if (status >= 500) span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    span.end()
  }
}
