import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { App, Controller, defineModule, inject } from 'sallyport'
import { PasswordHasher, SessionAuthentication } from 'sallyport/auth'
import { ForbiddenException } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { instrument, type TelemetryApi } from 'sallyport/telemetry'

// What OTLP says in JSON.
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}
interface CollectedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number }
}
interface Point {
  readonly attributes: readonly Attribute[]
  readonly count?: number
  readonly asInt?: number
  readonly asDouble?: number
}
interface CollectedMetric {
  readonly name: string
  readonly histogram?: { readonly dataPoints: readonly Point[] }
  readonly sum?: { readonly dataPoints: readonly Point[] }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
}
interface Export {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly CollectedMetric[] }[]
  }[]
}

class ArticleController extends Controller {
  static readonly actions = {
    show: [param.string('slug')],
    fail: [],
    refuse: [],
    enterPost: [],
  } satisfies Actions<ArticleController>

  readonly #hasher = inject(PasswordHasher)
  readonly #sessions = inject(SessionAuthentication)

  async show(slug: string) {
    await setImmediate()
    api.trace.getTracer('test').startSpan('query').end()
    return { slug }
  }

  fail(): never {
    throw new Error('No paper')
  }

  refuse(): never {
    throw new ForbiddenException()
  }

  async enterPost() {
    await this.#hasher.hash('correct horse')
    await this.#sessions.login(this.context.session(), this.context.auth(), 'ada', { name: 'Ada' })
    return this.#hasher.load()
  }
}

function newApp(): App {
  const articles = defineModule('Articles', (module) =>
    module.routes((routes) => {
      routes.get('/fail', [ArticleController, 'fail'])
      routes.get('/refuse', [ArticleController, 'refuse'])
      routes.post('/enter', [ArticleController, 'enterPost'])
      routes.get('/{slug}', [ArticleController, 'show'])
    }),
  )
  return App.default()
    .modules(articles)
    .onError(() => {})
}

function textOf(attributes: readonly Attribute[]): string {
  return attributes
    .map(({ key, value }) => `${key}=${value.stringValue ?? value.intValue}`)
    .toSorted()
    .join(' ')
}

describe('an instrumented application, and a collector', () => {
  const bodies: string[] = []
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const app = newApp()
  const client = new TestClient(app)
  let spans: readonly CollectedSpan[] = []
  let metrics: ReadonlyMap<string, readonly Point[]> = new Map()

  before(async () => {
    collector.listen(0, '127.0.0.1')
    await once(collector, 'listening')
    const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const tracing = new TracerProvider({
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
    })
    const exporter = new OTLPMetricExporter({ url })
    const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
    api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    api.propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    api.trace.setGlobalTracerProvider(tracing)
    api.metrics.setGlobalMeterProvider(meters)
    instrument(app, api)

    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await client.get('/articles/green-tea?search=secret', { headers: { traceparent } })
    await client.get('/articles/black-tea')
    await client.get('/articles/fail')
    await client.get('/articles/refuse')
    await client.get('/nowhere/at-all')
    await client.post('/articles/enter')
    const headers = { 'content-length': String(1e9), 'content-type': 'text/plain' }
    await client.post('/articles/enter', { headers, body: 'x' })
    await setImmediate()
    await Promise.all([tracing.forceFlush(), meters.forceFlush()])
    const exported = bodies.map((body) => JSON.parse(body) as Export)
    spans = exported
      .flatMap(({ resourceSpans = [] }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    const found = exported
      .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    metrics = new Map(
      found.map(({ name, histogram, sum, gauge }) => [name, (histogram ?? sum ?? gauge)?.dataPoints ?? []]),
    )
    await meters.shutdown()
  })

  after(async () => {
    await app.close()
    collector.close()
    api.trace.disable()
    api.metrics.disable()
    api.context.disable()
    api.propagation.disable()
  })

  it('has a span of each request, named after its route, in the trace that the request names [RA-3204]', () => {
    const names = spans.map(({ name }) => name).toSorted()
    assert.deepEqual(names, [
      'GET',
      'GET /articles/fail',
      'GET /articles/refuse',
      'GET /articles/{slug}',
      'GET /articles/{slug}',
      'POST /articles/enter',
      'query',
      'query',
    ])
    const [first] = spans.filter(({ name }) => name === 'GET /articles/{slug}')
    assert.equal(first?.traceId, 'a'.repeat(32))
    assert.equal(first?.parentSpanId, 'b'.repeat(16))
    assert.equal(first?.kind, 2)
  })

  it('has what an action does inside of the span of its request [RA-3204]', () => {
    const requests = new Map(spans.map(({ spanId, name }) => [spanId, name]))
    const parents = spans
      .filter(({ name }) => name === 'query')
      .map(({ parentSpanId = '' }) => requests.get(parentSpanId))
    assert.deepEqual(parents, ['GET /articles/{slug}', 'GET /articles/{slug}'])
  })

  it('marks a span as failed by a 5xx only [RA-3204]', () => {
    const failed = spans.filter(({ status }) => status.code === 2).map(({ name }) => name)
    assert.deepEqual(failed, ['GET /articles/fail'])
  })

  it('measures every response, by labels of which there is a bounded number [RA-3204]', () => {
    const points = metrics.get('http.server.request.duration') ?? []
    const counts = points.map(({ attributes, count }) => `${textOf(attributes)}: ${count}`)
    assert.deepEqual(counts.toSorted(), [
      'error.type=500 http.request.method=GET http.response.status_code=500 http.route=/articles/fail: 1',
      'http.request.method=GET http.response.status_code=200 http.route=/articles/{slug}: 2',
      'http.request.method=GET http.response.status_code=403 http.route=/articles/refuse: 1',
      'http.request.method=GET http.response.status_code=404: 1',
      'http.request.method=POST http.response.status_code=200 http.route=/articles/enter: 1',
      'http.request.method=POST http.response.status_code=413 http.route=/articles/enter: 1',
    ])
  })

  it('counts security events, and observes the queue of password hashes [RA-3204]', () => {
    const events = metrics.get('sallyport.security.events') ?? []
    const counts = events.map(
      ({ attributes, asInt, asDouble }) => `${textOf(attributes)}: ${asInt ?? asDouble}`,
    )
    assert.ok(counts.includes('sallyport.event=login: 1'), counts.join('\n'))
    assert.ok(
      counts.includes('sallyport.code=ERR_AUTH_FORBIDDEN sallyport.event=refused: 1'),
      counts.join('\n'),
    )
    const hashes = (metrics.get('sallyport.password_hashes') ?? []).map(({ attributes }) =>
      textOf(attributes),
    )
    assert.deepEqual(hashes.toSorted(), ['sallyport.state=running', 'sallyport.state=waiting'])
  })

  it('tells nothing that a client sent: no path, no query [RA-3204]', () => {
    assert.doesNotMatch(bodies.join('\n'), /green-tea|search|secret|at-all|No paper|"ada"/)
  })
})

describe('instrument()', () => {
  it('refuses what is not the package, and names what is missing [RA-3204]', async () => {
    const app = newApp()
    const { metrics: _, ...rest } = api
    assert.throws(() => instrument(app, rest as unknown as TelemetryApi), {
      name: 'TypeError',
      message: /pass "@opentelemetry\/api" as a whole \(it has no metrics\)/,
    })
    await app.close()
  })

  it('changes nothing where no SDK is set up [RA-3204]', async () => {
    const app = newApp()
    instrument(app, api)
    const response = await new TestClient(app).get('/articles/tea')
    assert.deepEqual(await response.json(), { slug: 'tea' })
    await app.close()
  })
})
