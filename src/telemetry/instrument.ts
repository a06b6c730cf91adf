import type { App } from '../app/index.ts'
import { declarationError, shown } from '../core/internal.ts'
import { RequestMetrics } from './request-metrics.ts'
import { RequestSpans } from './request-spans.ts'
import { countSecurityEvents, observeHashQueue } from './security-metrics.ts'
import type { TelemetryApi } from './telemetry-api.ts'

// Everything else of the application happens inside the span.
const OUTERMOST = Number.MIN_SAFE_INTEGER
const USED: readonly (keyof TelemetryApi)[] = [
  'trace',
  'metrics',
  'context',
  'propagation',
  'SpanKind',
  'SpanStatusCode',
]

// Twice, each request would have two spans and be counted twice.
const instrumented = new WeakSet<App>()

/**
 * Makes spans and metrics of an application, for whatever OpenTelemetry SDK the process has set up. Without one, the API
 * does nothing.
 *
 * | signal | what it is |
 * |---|---|
 * | span of kind server, `GET /articles/{slug}` | a request that reached the incoming band, until its response has been sent; it continues the trace that the request names, or begins one where `traceparent` is missing or malformed |
 * | `http.server.request.duration` | histogram in seconds: every response, by method, status and `http.route` |
 * | `sallyport.security.events` | counter: logins, logouts, refusals and the other security events, by `sallyport.event`, and by `sallyport.code` for refusals |
 * | `sallyport.password_hashes` | gauge: password hashes that are computed and that wait, by `sallyport.state` |
 *
 * No attribute comes from a client: neither path nor query, which may carry tokens. Security events are those of the whole
 * process, so instrument one application of it.
 *
 * @param app The application, before `boot()`.
 * @param api The package `@opentelemetry/api`, version 1: `import * as api from '@opentelemetry/api'`.
 * @throws {TypeError} If `api` is not that package, or the application is instrumented already.
 * @throws {Error} If `boot()` of the application has been called.
 * @see Semantic conventions for HTTP spans and metrics of OpenTelemetry, version 1.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as api from '@opentelemetry/api'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { instrument } from 'sallyport/telemetry'
 * import { TestClient } from 'sallyport/testing'
 *
 * class HomeController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {
 *     return { isTraced: api.trace.getActiveSpan() !== undefined }
 *   }
 * }
 * const app = App.default().modules(defineModule('Site', (module) => module.controllers(HomeController)))
 * instrument(app, api)
 *
 * const response = await new TestClient(app).get('/site/home')
 * // No SDK keeps spans in this process.
 * assert.deepEqual(await response.json(), { isTraced: false })
 * ```
 */
export function instrument(app: App, api: TelemetryApi): void {
  const missing = USED.find((name) => typeof Reflect.get(Object(api), name) !== 'object')
  if (missing !== undefined)
    throw declarationError(
      `Cannot instrument with ${shown(api)}: pass "@opentelemetry/api" as a whole (it has no ${missing})`,
    )
  if (instrumented.has(app))
    throw declarationError('Cannot instrument an application twice: call instrument() once')
  const spans = new RequestSpans(api)
  const metrics = new RequestMetrics(api)
  app.middleware().incoming(spans, { priority: OUTERMOST })
  app.onResponse((event) => {
    metrics.record(event)
    spans.end(event)
  })
  instrumented.add(app)
  const stops = [countSecurityEvents(api), observeHashQueue(api, app)]
  app.onClose(() => {
    for (const stop of stops) stop()
  })
}
