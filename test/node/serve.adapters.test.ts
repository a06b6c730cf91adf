import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { HttpContext } from 'sallyport'
import { ForbiddenException, RedirectException } from 'sallyport/http'
import { jsonResponse, textResponse } from '../../src/http/internal.ts'
import { CsrfMiddleware, MethodOverrideMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'

import { type Answers, Faults, site } from '../app/fixture.ts'
import { request } from './raw.ts'

const ANSWERS: Answers = {
  'GET /': () => 'hi',
  'GET /json': () => ({ a: 1 }),
  'GET /none': () => null,
  'GET /foreign/light': (context: HttpContext) => {
    context.cookies().set('a', 'é')
    const response = textResponse(200, 'hé', 'text/plain; charset=utf-8')
    response.append('x-name', 'caf\u00e9')
    return response
  },
  'GET /foreign/later': () => {
    const response = jsonResponse(200, ['hé'])
    response.headers.set('x-name', 'caf\u00e9')
    return response
  },
  'GET /foreign/stream': () =>
    new Response(Buffer.from('hé'), { headers: { 'x-name': 'caf\u00e9', 'content-length': '3' } }),
  'GET /away': () => {
    throw new RedirectException('/there?x=é', 303)
  },
  'GET /no': () => {
    throw new ForbiddenException('not <you>')
  },
  'GET /about': (context: HttpContext) => [
    context.method(),
    context.path(),
    context.query(),
    context.origin(),
    context.header('x-thing'),
    context.request().url,
    context.request().method,
  ],
  'POST|PUT|DELETE /body': async (context: HttpContext) => [
    context.method(),
    (await context.form())?.all('a') ?? null,
    await context.request().text(),
  ],
}

interface Sent {
  readonly line: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const REQUESTS: readonly Sent[] = [
  { line: 'GET /' },
  { line: 'HEAD /' },
  { line: 'GET /?' },
  { line: 'GET /json' },
  { line: 'GET /none' },
  { line: 'GET /foreign/light' },
  { line: 'GET /foreign/later' },
  { line: 'GET /foreign/stream' },
  { line: 'HEAD /foreign/light' },
  { line: 'GET /about', headers: { 'x-thing': 'caf\u00e9' } },
  { line: 'GET /away' },
  { line: 'GET /no' },
  { line: 'GET /no', headers: { accept: 'application/json' } },
  { line: 'GET /about?a=%2F&b=c+d&&e', headers: { 'x-thing': 'a, b' } },
  { line: 'GET /about?%C3%A9=1' },
  { line: 'GET /nowhere' },
  { line: 'GET /%' },
  { line: 'GET /%zz' },
  { line: 'GET /%ff' },
  { line: 'GET /%00' },
  { line: 'GET /json//' },
  { line: 'POST /json' },
  { line: 'OPTIONS /json' },
  { line: 'PURGE /json' },
  { line: 'POST /body', headers: FORM, body: 'a=1&a=2' },
  { line: 'POST /body', headers: FORM, body: 'a=1&_method=DELETE' },
  { line: 'POST /body', headers: FORM, body: '_method=GET' },
  { line: 'POST /body', headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
  { line: 'POST /body', headers: { 'content-type': 'multipart/form-data' }, body: 'x' },
  // HOLD-07: what is no text, and what is encoded.
  { line: 'POST /body', headers: FORM, body: 'a=%ff' },
  { line: 'POST /body', headers: FORM, body: 'a=\xff' },
  { line: 'POST /body', headers: { 'content-type': `${FORM['content-type']}; charset=latin1` }, body: 'a=1' },
  { line: 'POST /body', headers: { ...FORM, 'content-encoding': 'gzip' }, body: 'a=1' },
  {
    line: 'POST /body',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--\r\n',
  },
  { line: 'PUT /body', body: 'x'.repeat(3000) },
]

// What belongs to the connection and not to the answer.
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

function comparable(status: number, headers: Iterable<readonly [string, string]>, body: string): unknown {
  const kept = [...headers].filter(([name]) => !OF_THE_CONNECTION.has(name)).sort()
  return { status, headers: kept, body: body.replace(/Request [\w-]{16}/, 'Request …') }
}

describe('the adapters', () => {
  for (const csrf of [false, true]) {
    it(`app.fetch() and serve() answer alike${csrf ? ', with CSRF in front' : ''} [R-56 HOLD-07]`, async () => {
      const app = site(ANSWERS, {
        middlewares: csrf ? [CsrfMiddleware] : [],
        configure: (configured) => {
          new Faults().listen(configured)
          configured.limits({ bodyBytes: 2000 }).middleware().incoming(MethodOverrideMiddleware)
        },
      })
      await using stack = new AsyncDisposableStack()
      const server = await serve(app, { port: 0, signals: [] })
      stack.defer(() => server.close())

      for (const { line, headers = {}, body } of REQUESTS) {
        const [method = '', target = ''] = line.split(' ')
        const init = { method, headers, ...(body === undefined ? {} : { body: Buffer.from(body, 'latin1') }) }
        const direct = await app.fetch(new Request(`http://app.test${target}`, init))
        const length = body === undefined ? [] : [`content-length: ${body.length}`]
        const lines = [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ...length]
        const wired = await request(
          server.port,
          [`${line} HTTP/1.1`, 'host: app.test', 'connection: close', ...lines],
          body,
        )

        const chunked = wired.headers.some(([name]) => name === 'transfer-encoding')
        assert.equal(chunked, false, line)
        assert.deepEqual(
          comparable(wired.status, wired.headers, wired.body),
          comparable(direct.status, direct.headers, Buffer.from(await direct.bytes()).toString('latin1')),
          line,
        )
      }
    })
  }
})
