import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { App } from 'sallyport'
import { HttpException, TooManyRequestsException, UnauthorizedException } from 'sallyport/http'
import { serve } from 'sallyport/node'
import { View, ViewEngine } from 'sallyport/view'

import { connectionOptions, withoutConnection } from '../../src/http/connection-fields.ts'
import { textResponse } from '../../src/http/internal.ts'
import { type Answer, Faults, site } from '../app/fixture.ts'
import { exchange } from '../node/raw.ts'

const FIELDS: Readonly<Record<string, string>> = {
  connection: 'keep-alive, X-Hop',
  'keep-alive': 'timeout=600',
  'proxy-connection': 'keep-alive',
  te: 'trailers',
  trailer: 'x-after',
  'http2-settings': 'AAMAAABkAAQAAP__',
  'x-hop': 'for the next hop alone',
  'transfer-encoding': 'chunked',
  upgrade: 'websocket',
}

class Plain extends ViewEngine {
  render(): Promise<string> {
    return Promise.resolve('page')
  }
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

const GIVEN: Readonly<Record<string, (headers: Readonly<Record<string, string>>) => Answer>> = {
  'a Response': (headers) => () => new Response('page', { headers }),
  'a Response with changed headers': (headers) => () => withHeaders(new Response('page'), headers),
  'a response of the framework': (headers) => () =>
    withHeaders(textResponse(200, 'page', 'text/plain'), headers),
  'a Response of another server': (headers) => () => ({
    [Symbol.toStringTag]: 'Response',
    status: 200,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    body: null,
  }),
  'a view': (headers) => () => new View('page', {}, { headers }),
  'an exception': (headers) => () => {
    const { 'transfer-encoding': _, ...others } = headers
    throw new HttpException(426, 'ERR_TEST_UPGRADE', 'Not here', { headers: others })
  },
}

function application(answer: Answer, faults = new Faults()): App {
  return site(
    { 'GET /': answer },
    {
      configure: (app) => {
        faults.listen(app)
        app.configure((definitions) => definitions.set(ViewEngine, new Plain()))
      },
    },
  )
}

async function asked(app: App, last: string): Promise<string> {
  const server = await serve(app, { port: 0, signals: [] })
  try {
    const get = (more: string): string => `GET / HTTP/1.1\r\nHost: app.test\r\n${more}\r\n`
    return await exchange(server.port, get('') + get(last))
  } finally {
    await server.close()
  }
}

describe('headers of the connection', () => {
  for (const [what, make] of Object.entries(GIVEN)) {
    it(`are dropped from ${what}, and the connection goes on`, async () => {
      const faults = new Faults()
      const app = application(make(FIELDS), faults)

      const text = await asked(app, 'Connection: close\r\n')
      const answer = await app.fetch(new Request('http://app.test/'))

      assert.equal(text.match(/HTTP\/1\.1 (?:200|426) /g)?.length, 2)
      assert.doesNotMatch(
        text,
        /x-hop|timeout=600|^(?:te|trailer|upgrade|proxy-connection|http2-settings): /im,
      )
      for (const name of Object.keys(FIELDS)) assert.equal(answer.headers.get(name), null, name)
      assert.deepEqual(faults.messages, [])
    })

    for (const wish of ['close', 'Close', 'x-hop , CLOSE']) {
      it(`close the connection where ${what} says "${wish}"`, async () => {
        const app = application(make({ connection: wish }))

        const text = await asked(app, '')
        const answer = await app.fetch(new Request('http://app.test/'))

        assert.equal(text.match(/HTTP\/1\.1 (?:200|426) /g)?.length, 1)
        assert.match(text, /^connection: close\r$/im)
        assert.equal(answer.headers.get('connection'), 'close')
      })
    }
  }

  it('are not those meant for every recipient, even if Connection names them', async () => {
    const names =
      'accept-ranges age authentication-info cdn-cache-control clear-site-data document-policy integrity-policy integrity-policy-report-only nel no-vary-search pragma ratelimit ratelimit-policy refresh report-to reporting-endpoints server-timing service-worker-allowed signature signature-input sourcemap surrogate-control x-csrf-token x-download-options x-permitted-cross-domain-policies x-request-id x-robots-tag x-xss-protection'.split(
        ' ',
      )
    const headers = Object.fromEntries(names.map((name) => [name, '1']))

    const answer = await application(
      () => new Response('page', { headers: { ...headers, connection: names.join(', ') } }),
    ).fetch(new Request('http://app.test/'))

    assert.deepEqual(
      names.filter((name) => answer.headers.get(name) !== '1'),
      [],
    )
  })

  it('are dropped from what an outgoing middleware set', async () => {
    const app = site(
      { 'GET /': () => 'page' },
      {
        configure: (configured) =>
          configured.middleware().outgoing({ process: (response) => withHeaders(response, FIELDS) }),
      },
    )

    const answer = await app.fetch(new Request('http://app.test/'))

    assert.equal(answer.status, 200)
    for (const name of Object.keys(FIELDS)) assert.equal(answer.headers.get(name), null, name)
  })
})

describe('a Connection header that names headers meant for every recipient', () => {
  const answers: Readonly<Record<string, Answer>> = {
    'GET /page': async (context) => {
      await context.session().set('seen', 1)
      context.cookies().set('theme', 'dark')
      return 'page'
    },
    'GET /json': (context) => ({ method: context.method() }),
    'GET /view': () => new View('page', {}, { headers: { link: '</next>; rel=next', vary: 'x-own' } }),
    'GET /moved': () => Response.redirect('http://app.test/page', 303),
    'GET /unknown': () => {
      throw new UnauthorizedException('Bearer')
    },
    'GET /often': () => {
      throw new TooManyRequestsException(5)
    },
    'GET /fault': () => {
      throw new Error('out of order')
    },
    'POST /page': () => 'posted',
  }
  const PATHS = ['/page', '/json', '/view', '/moved', '/unknown', '/often', '/fault', '/page/', '/none']

  function named(isNamed: boolean): App {
    const outgoing = {
      process(response: Response): Response {
        const names = [...response.headers.keys(), 'x-own', 'Set-Cookie', 'SET-COOKIE']
        response.headers.set('x-own', 'for the next hop alone')
        if (isNamed) response.headers.set('connection', names.join(', '))
        return response
      },
    }
    return site(answers, {
      configure: (app) => {
        // Listened to, the fault is not printed.
        new Faults().listen(app)
        app.configure((definitions) => definitions.set(ViewEngine, new Plain()))
        app.middleware().outgoing(outgoing)
      },
    })
  }

  async function answered(
    ask: (path: string, method: string) => Promise<{ readonly status: number; readonly headers: Headers }>,
  ): Promise<readonly unknown[]> {
    const all: unknown[] = []
    for (const [path, method] of [
      ...PATHS.map((each) => [each, 'GET'] as const),
      ['/json', 'POST'] as const,
    ]) {
      const { status, headers } = await ask(path, method)
      const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-own')
      all.push([
        method,
        path,
        status,
        kept.map(([name, value]) => [name, value.replace(/(?:-\d+)?=[\w-]{43}/, '=…')]),
      ])
    }
    return all
  }

  it('removes none of them in fetch(), nor the cookie', async () => {
    const [given, plain] = [named(true), named(false)]
    const ask = (app: App) => (path: string, method: string) =>
      app.fetch(new Request(`http://app.test${path}`, { method }))

    const said = await answered(ask(given))
    assert.deepEqual(said, await answered(ask(plain)))

    const page = await ask(given)('/page', 'GET')
    assert.equal(page.headers.getSetCookie().length, 2)
    assert.deepEqual([page.headers.get('x-own'), page.headers.get('connection')], [null, null])
  })

  it('removes none of them under serve(), nor the cookie', async () => {
    const servers = await Promise.all(
      [named(true), named(false)].map((app) => serve(app, { port: 0, signals: [] })),
    )
    try {
      const [given, plain] = servers.map(({ url }) =>
        answered((path, method) => fetch(url + path, { method, redirect: 'manual' })),
      )
      assert.deepEqual(await given, await plain)
      const page = await fetch(`${servers[0]?.url}/page`)
      assert.equal(page.headers.getSetCookie().length, 2)
      assert.equal(page.headers.get('x-own'), null)
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  })

  it('keeps the cache rule of an action’s response', async () => {
    const headers = { connection: 'cache-control, x-hop', 'cache-control': 'no-store', 'x-hop': 'a' }
    const answer = await site({ 'GET /': () => new Response('page', { headers }) }).fetch(
      new Request('http://app.test/'),
    )

    assert.deepEqual([answer.headers.get('cache-control'), answer.headers.get('x-hop')], ['no-store', null])
  })
})

describe('withoutConnection()', () => {
  for (const [name, value, sent] of [
    ...Object.entries(FIELDS).map(([name, value]) => [name, value, null] as const),
    ['content-type', 'text/html', 'text/html'],
    ['x-connection', 'keep-alive', 'keep-alive'],
    ['connection', 'close', 'close'],
    ['connection', 'CLOSE', 'close'],
    ['connection', 'close, x-hop', 'close'],
    ['connection', 'x-hop,\tclose ', 'close'],
    ['connection', 'x-hop \t,  Close\t , y', 'close'],
    ['connection', '', null],
    ['connection', 'closed', null],
    ['connection', 'x-close', null],
    ['connection', 'not close', null],
    ['connection', 'close x', null],
    ['connection', 'keep-alive', null],
  ] as const) {
    it(`returns ${JSON.stringify(sent)} for ${name}: ${JSON.stringify(value)}`, () => {
      assert.equal(withoutConnection(name, value, connectionOptions(['connection', 'x-hop'])), sent)
    })
  }

  it('keeps what no Connection header names', () => {
    const lines = ['x-hop', '1', 'connection', 'Close , X-Other', 'connection', 'x-third']

    assert.deepEqual([...connectionOptions(lines)], ['close', 'x-other', 'x-third'])
    assert.equal(withoutConnection('x-hop', '1'), '1')
    assert.equal(withoutConnection('x-hop', '1', connectionOptions(lines)), '1')
  })
})
