import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { App, Controller, defineModule, type HttpContext, type ResponseEvent } from 'sallyport'
import { MethodNotAllowedException, type Middleware, type Next, NotFoundException } from 'sallyport/http'
import { param, type Resolver, type Route, type RouteRequest } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { type Answers, Faults, site } from './fixture.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

const BYTES = Buffer.from('0123456789')

function streamed(count: number, last: () => void = () => undefined): ReadableStream<Uint8Array> {
  let left = count
  return new ReadableStream({
    async pull(controller) {
      await turn()
      if (left-- > 0) return controller.enqueue(BYTES)
      last()
      controller.close()
    },
  })
}

const ANSWERS: Answers = {
  'GET|POST /text': () => 'grün',
  'GET /slow': async () => {
    await pause(30)
    return null
  },
  'GET /same': () => new Response(null, { status: 304 }),
  'GET /missing': () => {
    throw new NotFoundException()
  },
  'GET /fault': () => {
    throw new Error('no paper')
  },
  'GET /stream': () => new Response(streamed(3)),
  'GET /broken': () =>
    new Response(
      streamed(2, () => {
        throw new Error('half')
      }),
    ),
}

class Seen {
  readonly events: ResponseEvent[] = []
  readonly faults = new Faults()
  readonly client: TestClient
  readonly app: App

  constructor(configure: (app: App) => unknown = () => undefined) {
    this.app = site(ANSWERS, {
      configure: (app) => {
        this.faults.listen(app)
        app.limits({ bodyBytes: 100 }).onResponse((event) => this.events.push(event))
        configure(app)
      },
    })
    this.client = new TestClient(this.app)
  }

  /** What was heard, in short. */
  async lines(): Promise<string[]> {
    await turn()
    await turn()
    return this.events.map(
      ({ context, status, bytes, isComplete }) =>
        `${context.sentMethod()} ${context.path()} ${status} ${bytes}${isComplete ? '' : ' broken'}`,
    )
  }
}

describe('App.onResponse()', () => {
  it('hears each response once, whoever made it [PAGE-16]', async () => {
    const seen = new Seen()

    for (const path of ['/text', '/same', '/missing', '/fault', '/nowhere', '/%zz'])
      await seen.client.get(path)
    await seen.client.request('HEAD', '/text')
    await seen.client.request('DELETE', '/text')
    await seen.client.post('/text', { form: { much: 'x'.repeat(200) } })

    assert.deepEqual(
      (await seen.lines()).map((line) => line.replace(/\d{3,}$/, 'n')),
      [
        'GET /text 200 5',
        'GET /same 304 0',
        'GET /missing 404 n',
        'GET /fault 500 n',
        'GET /nowhere 404 n',
        'GET /%zz 400 n',
        'HEAD /text 200 0',
        'DELETE /text 405 n',
        'POST /text 413 n',
      ],
    )
    assert.deepEqual(seen.faults.messages, ['no paper'])
  })

  it('hears what is refused before the application [PAGE-16]', async () => {
    const seen = new Seen()

    await seen.app.fetch(new Request('http://evil.test/text'), { origin: 'https://app.test' })
    await seen.app.fetch(new Request('http://app.test//text'))

    assert.deepEqual(await seen.lines(), ['GET /text 421 28', 'GET //text 400 40'])
  })

  it('hears a stream when it has ended, with its size [PAGE-16]', async () => {
    const seen = new Seen()

    const response = await seen.client.get('/stream')
    assert.deepEqual(await seen.lines(), [])
    await response.text()

    assert.deepEqual(await seen.lines(), ['GET /stream 200 30'])
  })

  it('hears a stream that fails, and one that the client leaves, as not complete [PAGE-16]', async () => {
    const seen = new Seen()

    await assert.rejects((await seen.client.get('/broken')).text())
    const left = (await seen.client.get('/stream')).body?.getReader()
    await left?.read()
    await left?.cancel()

    assert.deepEqual(await seen.lines(), ['GET /broken 200 20 broken', 'GET /stream 200 10 broken'])
    assert.deepEqual(seen.faults.messages, ['half'])
  })

  it('measures the time by a clock that does not jump [PAGE-16]', async (t) => {
    const seen = new Seen()
    t.mock.method(Date, 'now', () => 0)

    await seen.client.get('/slow')
    await seen.lines()

    const [event] = seen.events
    assert.ok((event?.milliseconds ?? 0) >= 25 && (event?.milliseconds ?? 0) < onThisMachine(5000))
  })

  it('hears the response as the outgoing band left it [PAGE-16]', async () => {
    const seen = new Seen((app) =>
      app.middleware().outgoing({ process: () => new Response('teapot', { status: 418 }) }),
    )

    await (await seen.client.get('/text')).text()

    assert.deepEqual(await seen.lines(), ['GET /text 418 6'])
  })

  it('reports a hook that throws or rejects, and the others run all the same [PAGE-16]', async () => {
    const heard: number[] = []
    const faults = new Faults()
    const app = site(ANSWERS)
    faults.listen(app)
    app
      .onResponse(() => {
        throw new Error('full disk')
      })
      .onResponse((async () => {
        await turn()
        throw new Error('no network')
      }) as () => void)
      .onResponse(({ status }) => heard.push(status))

    const response = await new TestClient(app).get('/text')
    await turn()
    await turn()
    await turn()

    assert.equal(response.status, 200)
    assert.deepEqual(heard, [200])
    assert.deepEqual(faults.messages, ['full disk', 'no network'])
  })

  it('gives the pattern of the route, null without one [PAGE-16]', async () => {
    const seen = new Seen()

    await seen.client.get('/text')
    await seen.client.get('/nowhere')
    await seen.lines()

    assert.deepEqual(
      seen.events.map(({ pattern }) => pattern),
      ['/text', null],
    )
  })

  it('gives the pattern of the URL to a redirect and to what is refused before routing [PAGE-16]', async () => {
    const lines: string[] = []
    class Gate implements Middleware {
      process(context: HttpContext, next: Next): Response | Promise<Response> {
        return context.header('x-stop') === null ? next() : new Response(null, { status: 401 })
      }
    }
    class TeaController extends Controller {
      static readonly actions = { show: [param.string('slug')], indexPost: [], index: [] }
      show() {}
      indexPost() {}
      index() {}
    }
    class CmsResolver implements Resolver {
      resolve(request: RouteRequest): Route | null {
        if (request.segments[0] !== 'about') return null
        if (request.method === 'DELETE') throw new MethodNotAllowedException(['GET'])
        return request.route(TeaController, 'index')
      }
    }
    const shop = defineModule('Shop', (module) =>
      module
        .mount({ fr: 'boutique', en: 'shop' })
        .localized()
        .controllers(TeaController)
        .routes((routes) => {
          routes.get({ fr: '/thé/{slug}', en: '/tea/{slug}' }, [TeaController, 'show'])
          routes.post('/tea', [TeaController, 'indexPost'])
        }),
    )
    const pages = defineModule('Pages', (module) =>
      module.withoutConventionRouting().controllers(TeaController).resolver(CmsResolver),
    )
    const app = App.default({ locales: ['fr', 'en'] })
      .modules(shop, pages)
      .limits({ bodyBytes: 10 })
      .onResponse(({ context, status, pattern }) => {
        lines.push(`${context.sentMethod()} ${context.path()} ${status} ${pattern ?? '-'}`)
      })
    app.middleware().incoming(Gate)
    const client = new TestClient(app)

    await client.get('/en/shop/tea/green/')
    await client.get('/fr/BOUTIQUE/th%C3%A9/vert')
    await client.request('DELETE', '/en/shop/tea/green')
    await client.get('/en/shop/tea')
    await client.request('TEA', '/en/shop/tea')
    await client.post('/en/shop/tea', { form: { much: 'x'.repeat(20) } })
    await client.get('/en/shop/tea/green', { headers: { 'x-stop': '1' } })
    await client.get('/en/shop/nothing', { headers: { 'x-stop': '1' } })
    await client.get('/en/shop/nothing')
    await client.get('/pages/about')
    await client.get('/pages/about/')
    await client.request('DELETE', '/pages/about')
    await client.get('/pages/nowhere')
    await app.fetch(new Request('http://evil.test/en/shop/tea/green'), { origin: 'https://app.test' })
    await turn()

    assert.deepEqual(lines, [
      'GET /en/shop/tea/green/ 308 /en/shop/tea/{slug}',
      'GET /fr/BOUTIQUE/th%C3%A9/vert 308 /fr/boutique/thé/{slug}',
      'DELETE /en/shop/tea/green 405 /en/shop/tea/{slug}',
      'GET /en/shop/tea 405 /en/shop/tea',
      'TEA /en/shop/tea 405 /en/shop/tea',
      'POST /en/shop/tea 413 /en/shop/tea',
      'GET /en/shop/tea/green 401 /en/shop/tea/{slug}',
      'GET /en/shop/nothing 401 -',
      'GET /en/shop/nothing 404 -',
      'GET /pages/about 204 /pages/*',
      'GET /pages/about/ 308 /pages/*',
      'DELETE /pages/about 405 /pages/*',
      'GET /pages/nowhere 404 -',
      'GET /en/shop/tea/green 421 -',
    ])
  })

  it('refuses what is not a function, and a hook that comes too late', async () => {
    const app = App.create()

    assert.throws(() => Reflect.apply(app.onResponse, app, [5]), TypeError)
    await app.boot()
    assert.throws(() => app.onResponse(() => undefined), /onResponse\(\)/)
  })
})
