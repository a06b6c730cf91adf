/**
 * What the framework builds from the text of a client: redirects, URLs, cookies, names of files, and the headers that answer
 * headers. An action hands on what it was sent without a check, as an application does by mistake.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { type App, Controller, defineModule, eventStream, type HttpContext } from 'sallyport'
import { sendFile } from 'sallyport/files'
import { LocalTarget, type Middleware, type Next, RedirectException } from 'sallyport/http'
import { Cors, MethodOverrideMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { type Actions, input, param } from 'sallyport/routing'
import { z } from 'zod'

import { Faults, site } from '../app/fixture.ts'
import { exchange, parse } from '../node/raw.ts'

const ODD = [
  Array.from({ length: 256 }, (_, code) => `a${String.fromCharCode(code)}b`),
  [
    '',
    '.',
    '..',
    '../..',
    '/',
    '//',
    '\\',
    '\\\\',
    '/evil.test',
    '//evil.test',
    '\\evil.test',
    '/\\evil.test',
  ],
  [
    'a/../b',
    '%',
    '%2',
    '%zz',
    '%2f',
    '%5c',
    '%00',
    '%0d%0aX-Evil: 1',
    '%E2',
    '\r\nX-Evil: 1',
    '\tx',
    ' x ',
    '\0',
  ],
  [
    '\u2028',
    '\u202e',
    '\ufeff',
    '\uffff',
    '😀',
    '\ud800',
    '\udc00x',
    'a"b\\c',
    "a'b",
    'a;b',
    'a,b',
    '__proto__',
  ],
  [
    'javascript:alert(1)',
    'mailto:a@b',
    'https:evil.test',
    'http://',
    'http://a b/',
    'http://[',
    'ftp://x/',
    '?',
  ],
  [
    'con.txt',
    '.htaccess',
    'x'.repeat(5000),
    '😀'.repeat(2000),
    '/'.repeat(500),
    '\\'.repeat(500),
    '"'.repeat(500),
  ],
].flat()
const FILE = {
  type: 'application/pdf',
  size: 3,
  tag: 'v1',
  modified: new Date('2026-01-31T12:00:00Z'),
  stream: () => ReadableStream.from([new TextEncoder().encode('abc')]),
}

const Text = z.object({ text: z.string() })

class EchoController extends Controller {
  static readonly actions = {
    path: [param.string('text')],
    query: [input(Text)],
    file: [input(Text)],
    cookie: [input(Text)],
    urls: [input(Text)],
    constrained: [input(Text)],
    rest: [input(Text)],
    local: [input(Text)],
    whole: [input(Text)],
    remembered: [input(Text)],
    page: [param.string('text')],
    events: [],
  } satisfies Actions<EchoController>

  path(text: string): Response {
    return this.redirect(`/${text}`)
  }
  query({ text }: { text: string }): Response {
    return this.redirect(`/target?q=${text}`)
  }
  whole({ text }: { text: string }): Response {
    return this.redirect(text)
  }
  local({ text }: { text: string }): Response {
    return this.redirect(LocalTarget.parse(text) ?? '/')
  }
  urls({ text }: { text: string }): Response {
    return this.redirectToRoute('echo:page', { text, more: text, list: [text, 'x'] } as never)
  }
  constrained({ text }: { text: string }): Response {
    return this.redirectToRoute('echo:number', { text } as never)
  }
  rest({ text }: { text: string }): Response {
    const link = this.context.url('echo:plain', { q: text, [`k${text}`]: 'x' } as never)
    return this.text(link)
  }
  cookie({ text }: { text: string }): Response {
    this.context.cookies().set('last', text)
    return this.text('set')
  }
  async remembered({ text }: { text: string }): Promise<Response> {
    await this.context.session().set('last', text.slice(0, 100))
    await this.context.flash().add('notice', text)
    return this.json({ text })
  }
  file({ text }: { text: string }): Promise<Response> {
    return sendFile(this.context, FILE, text.length % 2 === 0 ? { download: text } : { name: text })
  }
  page(text: string): string {
    return text
  }
  events(): Response {
    return eventStream(this.context, async function* (lastEventId) {
      yield { id: lastEventId ?? 'none', data: lastEventId }
    })
  }
}

/** An old part of a site that moved, query and all. */
class Moved implements Middleware<HttpContext> {
  process(context: HttpContext, next: Next): Promise<Response> {
    const path = context.path()
    if (path.startsWith('/old')) throw new RedirectException(`/new${path.slice(4)}?${context.query()}`, 301)
    // Decoded, an encoded slash is one.
    if (path.startsWith('/moved')) throw new RedirectException(`/${context.segments().slice(1).join('/')}`)
    return next()
  }
}

function application(faults: Faults): App {
  const echo = defineModule('Echo', (module) =>
    module
      .middleware(Cors.of({ origins: '*' }))
      .controllers(EchoController)
      .withoutConventionRouting()
      .routes((routes) => {
        routes.get('/path/{text}', [EchoController, 'path'])
        routes.get('/events', [EchoController, 'events']).name('plain')
        for (const action of WAYS) routes.map(['GET', 'POST'], `/${action}`, [EchoController, action])
        routes.get('/page/{text}', [EchoController, 'page']).name('page')
        routes.get('/number/{text}', [EchoController, 'page']).name('number').where('text', '[0-9]+')
      }),
  )
  return site(
    { 'GET /': () => 'home' },
    {
      configure: (app) => {
        faults.listen(app)
        app.modules(echo).middleware().incoming(Moved).incoming(MethodOverrideMiddleware)
      },
    },
  )
}

const WAYS = [
  'query',
  'whole',
  'local',
  'urls',
  'constrained',
  'rest',
  'cookie',
  'remembered',
  'file',
] as const

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

interface Client {
  readonly faults: Faults
  readonly port: number
  readonly ask: (path: string, sent?: { json?: unknown; headers?: Record<string, string> }) => Promise<Answer>
}

async function open(t: TestContext): Promise<Client> {
  const faults = new Faults()
  const server = await serve(application(faults), { port: 0, signals: [] })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => server.close())
  t.after(() => agent.destroy())
  const { port } = server
  return {
    faults,
    port,
    ask: (path, { json, headers = {} } = {}) =>
      new Promise((resolve, reject) => {
        const body = json === undefined ? '' : JSON.stringify(json)
        const type = json === undefined ? {} : { 'content-type': 'application/json' }
        const sent = httpRequest(
          {
            agent,
            port,
            path,
            host: '127.0.0.1',
            maxHeaderSize: 2 ** 18,
            method: json === undefined ? 'GET' : 'POST',
            headers: { host: 'app.test', 'content-length': Buffer.byteLength(body), ...type, ...headers },
          },
          (response) => {
            response.resume()
            response.once('end', () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers }),
            )
          },
        )
        sent.once('error', reject)
        sent.end(body)
      }),
  }
}

function assertHarmless({ status, headers }: Answer, what: string, mayLeave = false): void {
  assert.ok(status >= 200 && status < 500, `${what}: ${status}`)
  assert.equal(headers['x-evil'], undefined, what)
  const { location } = headers
  if (location === undefined || mayLeave) return
  assert.match(location, /^\/(?![/\\])[!-~]*$/, what)
  assert.equal(new URL(location, 'http://app.test').origin, 'http://app.test', what)
}

describe('text of a client', () => {
  for (const way of WAYS) {
    it(`in a query or in JSON is never a 500: ${way} [A-042 A-115]`, async (t) => {
      const { ask } = await open(t)

      for (const text of ODD) {
        const what = `${way} ${JSON.stringify(text.slice(0, 40))}`
        const query = new URLSearchParams({ text })
        assertHarmless(await ask(`/echo/${way}?${query}`), `GET ${what}`, way === 'whole')
        assertHarmless(await ask(`/echo/${way}`, { json: { text } }), `POST ${what}`, way === 'whole')
      }
    })
  }

  it('in a path is never a 500 [A-042 HOLD-08]', async (t) => {
    const { ask } = await open(t)

    for (const text of ODD) {
      for (const part of [encodeURIComponent(text.toWellFormed()), text.replaceAll(/[^!-~]/g, '')])
        for (const path of ['/echo/path/', '/echo/page/', '/moved/', '/old/', '/old?', '/echo/query?text=']) {
          const answer = await ask(path + part)
          assertHarmless(answer, path + part.slice(0, 40))
        }
    }
  })

  it('in the URL of fetch(), which holds what no client of serve() sends, is never a 500 [HOLD-08]', async () => {
    const faults = new Faults()
    const app = application(faults)

    for (const text of ODD)
      for (const path of ['/old?', '/old/', '/moved/', '/echo/path/', '/echo/query?text=', '/old?a=\\']) {
        const { status, headers } = await app.fetch(
          new Request(`http://app.test${path}${text.toWellFormed()}`),
        )
        assertHarmless({ status, headers: Object.fromEntries(headers) }, `${path}${JSON.stringify(text)}`)
      }
  })

  it('in a header is never a 500 [A-115]', async (t) => {
    const { port } = await open(t)
    const names = [
      'Accept Accept-Language Accept-Encoding Authorization Content-Type Cookie Expect Origin Range Referer',
      'If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Last-Event-ID Sec-Fetch-Site Upgrade',
      'X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host Forwarded X-HTTP-Method-Override Connection',
      'Access-Control-Request-Method Access-Control-Request-Headers',
    ].flatMap((line) => line.split(' '))
    // On a line of its own no line break can stand.
    const texts = ODD.filter((text) => /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text) && text.length < 1000)

    const targets = [
      'GET /echo/events',
      'GET /echo/file?text=abc',
      'POST /echo/remembered?text=a',
      'DELETE /',
    ]

    for (const [index, name] of names.entries())
      for (const target of targets.slice(index % 2).filter((_, i) => i % 2 === 0))
        for (let at = 0; at < texts.length; at += 40) {
          // Several requests on one connection: the test is quicker.
          const some = texts.slice(at, at + 40)
          const lines = some.map((text) => `${target} HTTP/1.1\r\nHost: app.test\r\n${name}: ${text}\r\n\r\n`)
          const last = `GET / HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`
          const said = await exchange(port, Buffer.from(lines.join('') + last, 'latin1'))
          assert.ok(parse(said).status > 0, `${name}: nothing came back`)
          assert.doesNotMatch(said, /^HTTP\/1\.1 5\d\d/m, `${target}, ${name}: ${some.join(' | ')}`)
          assert.doesNotMatch(said, /^x-evil:/im)
        }
  })

  it('no way to redirect hides from onError() that a target was refused [ERR-07]', async (t) => {
    const { ask, faults } = await open(t)

    const answer = await ask('/echo/path/%2Fevil.test')

    assert.deepEqual([answer.status, answer.headers.location], [400, undefined])
    assert.equal(faults.messages.length, 1)
    assert.match(faults.messages[0] ?? '', /^Cannot redirect to "\/\/evil\.test"/)
  })
})
