import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import * as api from '@opentelemetry/api'
import { App, Controller, defineModule, inject } from 'sallyport'
import { PasswordHasher, SessionAuthentication } from 'sallyport/auth'
import { ForbiddenException } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { instrument, type TelemetryApi } from 'sallyport/telemetry'
import { type CollectedSpan, Collector, textOf } from './collector.ts'
import { type Sdk, setUp } from './sdk.ts'

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

describe('an instrumented application, and a collector', () => {
  const app = newApp()
  const client = new TestClient(app)
  let collector: Collector
  let sdk: Sdk
  let spans: readonly CollectedSpan[] = []

  before(async () => {
    collector = await Collector.listen()
    sdk = setUp(collector.url)
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
    await sdk.flush()
    spans = collector.spans
  })

  after(async () => {
    await app.close()
    await sdk.shutDown()
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
    const points = collector.points('http.server.request.duration')
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
    const events = collector.points('sallyport.security.events')
    const counts = events.map(
      ({ attributes, asInt, asDouble }) => `${textOf(attributes)}: ${asInt ?? asDouble}`,
    )
    assert.ok(counts.includes('sallyport.event=login: 1'), counts.join('\n'))
    assert.ok(
      counts.includes('sallyport.code=ERR_AUTH_FORBIDDEN sallyport.event=refused: 1'),
      counts.join('\n'),
    )
    const hashes = collector.points('sallyport.password_hashes').map(({ attributes }) => textOf(attributes))
    assert.deepEqual(hashes.toSorted(), ['sallyport.state=running', 'sallyport.state=waiting'])
  })

  it('tells nothing that a client sent: no path, no query [RA-3204]', () => {
    assert.doesNotMatch(collector.bodies.join('\n'), /green-tea|search|secret|at-all|No paper|"ada"/)
  })

  it('begins a trace of its own where the request names none that it could continue [RA-3204]', async () => {
    const [trace, parent] = ['c'.repeat(32), 'd'.repeat(16)]
    const malformed = [
      '',
      'c',
      `00-${trace}-${parent}`,
      `00-${trace.toUpperCase()}-${parent}-01`,
      `00-${'0'.repeat(32)}-${parent}-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      `ff-${trace}-${parent}-01`,
      `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
      'c'.repeat(8000),
    ]
    const known = new Set(spans.map(({ spanId }) => spanId))

    for (const traceparent of malformed) {
      const { status } = await client.get('/articles/tea', { headers: { traceparent } })
      assert.equal(status, 200, traceparent)
    }
    await setImmediate()
    await sdk.flush()

    const begun = collector.spans.filter(
      ({ name, spanId }) => name === 'GET /articles/{slug}' && !known.has(spanId),
    )
    assert.deepEqual(
      begun.map(({ parentSpanId = '' }) => parentSpanId),
      malformed.map(() => ''),
    )
    assert.equal(new Set([trace, ...begun.map(({ traceId }) => traceId)]).size, malformed.length + 1)
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

  it('refuses an application that is instrumented already, whose requests would count twice [RA-3204]', async () => {
    const [app, other] = [newApp(), newApp()]
    instrument(app, api)

    assert.throws(() => instrument(app, api), {
      name: 'TypeError',
      message: /twice: call instrument\(\) once/,
    })
    instrument(other, api)
    await Promise.all([app.close(), other.close()])
  })

  it('changes nothing where no SDK is set up [RA-3204]', async () => {
    const app = newApp()
    instrument(app, api)
    const response = await new TestClient(app).get('/articles/tea')
    assert.deepEqual(await response.json(), { slug: 'tea' })
    await app.close()
  })
})
