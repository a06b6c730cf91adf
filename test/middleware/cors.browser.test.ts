import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import type { Browser, Page } from 'playwright-core'

import { App, Controller, defineModule, eventStream, type HttpContext } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Cors } from 'sallyport/middleware'
import { serve, type Server } from 'sallyport/node'

import { site } from '../app/fixture.ts'

const skip = missingBrowser ?? false

const seen: string[] = []

class Log implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    seen.push(`${context.method()} ${context.path()}`)
    return next()
  }
}

class VisitController extends Controller {
  static readonly actions = { index: [], indexPut: [], events: [], fail: [] }

  async index() {
    const session = this.context.session()
    const visits = ((await session.get<number>('visits')) ?? 0) + 1
    await session.set('visits', visits)
    return new Response(JSON.stringify({ visits }), { headers: { 'x-total': '7', 'x-hidden': '8' } })
  }

  async indexPut() {
    return { saved: await this.context.request().json() }
  }

  events() {
    return eventStream(this.context, async function* () {
      yield { data: 'hello' }
    })
  }

  fail(): never {
    throw new Error('no')
  }
}

/** What a page sees of a request. */
interface Seen {
  readonly status?: number
  readonly body?: string
  readonly total?: string | null
  readonly hidden?: string | null
  readonly failed?: string
}

interface Init {
  readonly method?: string
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly credentials?: 'omit' | 'include'
}

function fetchIn(page: Page, url: string, init: Init = {}): Promise<Seen> {
  return page.evaluate(
    async ([target, options]) => {
      try {
        const response = await fetch(target, options)
        const { status, headers } = response
        return {
          status,
          body: await response.text(),
          total: headers.get('x-total'),
          hidden: headers.get('x-hidden'),
        }
      } catch (error) {
        return { failed: (error as Error).name }
      }
    },
    [url, init] as const,
  )
}

describe('Cors in Chromium', { skip }, () => {
  let pages: Server
  let api: Server
  let browser: Browser
  let friend: Page
  let stranger: Page

  before(async () => {
    if (missingBrowser !== undefined) return
    const headers = { 'content-type': 'text/html', 'content-security-policy': 'connect-src *' }
    pages = await serve(site({ 'GET /': () => new Response('<!doctype html>', { headers }) }), {
      port: 0,
      signals: [],
    })
    const cors = Cors.of({
      origins: [pages.url],
      credentials: true,
      exposedHeaders: ['x-total'],
      maxAgeSeconds: 0,
    })
    const module = defineModule('Api', (declared) => declared.controllers(VisitController).middleware(cors))
    const app = App.default({ debug: false })
      .modules(module)
      .onError(() => undefined)
    app.middleware().incoming(Log)
    api = await serve(app, { port: 0, signals: [] })
    browser = await launchBrowser()
    friend = await browser.newPage()
    await friend.goto(pages.url)
    stranger = await browser.newPage()
    // The same server under another name: another origin, and another site.
    await stranger.goto(pages.url.replace('127.0.0.1', 'localhost'))
  })

  after(async () => {
    await browser?.close()
    await pages?.close()
    await api?.close()
  })

  it('a page of the named origin reads responses, with its cookies and the exposed headers only [PAGE-10]', async () => {
    const url = `${api.url}/api/visit`

    const first = await fetchIn(friend, url, { credentials: 'include' })
    const second = await fetchIn(friend, url, { credentials: 'include' })
    const without = await fetchIn(friend, url, { credentials: 'omit' })

    assert.deepEqual(first, { status: 200, body: '{"visits":1}', total: '7', hidden: null })
    assert.equal(second.body, '{"visits":2}')
    assert.equal(without.body, '{"visits":1}')
  })

  it('it may send what needs a preflight, which reaches no middleware, and nothing beyond [PAGE-10]', async () => {
    const url = `${api.url}/api/visit`
    const put = { method: 'PUT', body: '{"tea":1}', credentials: 'include' } as const
    seen.length = 0

    const saved = await fetchIn(friend, url, { ...put, headers: { 'content-type': 'application/json' } })
    const header = await fetchIn(friend, url, { ...put, headers: { 'x-other': '1' } })
    const method = await fetchIn(friend, url, { ...put, method: 'QUERY' })

    assert.deepEqual([saved.status, saved.body], [200, '{"saved":{"tea":1}}'])
    assert.deepEqual([header, method], [{ failed: 'TypeError' }, { failed: 'TypeError' }])
    assert.deepEqual(seen, ['PUT /api/visit'])
  })

  it('it reads the status of errors [PAGE-10]', async () => {
    const rows = [
      ['/api/nothing', 'GET', 404],
      ['/api/%zz', 'GET', 400],
      ['/api/visit', 'DELETE', 405],
      ['/api/visit/fail', 'GET', 500],
    ] as const
    for (const [path, method, status] of rows)
      assert.equal(
        (await fetchIn(friend, api.url + path, { method, credentials: 'include' })).status,
        status,
        path,
      )
    const large = await fetchIn(friend, `${api.url}/api/visit`, {
      method: 'POST',
      body: 'x'.repeat(1_100_000),
    })
    assert.equal(large.status, 413)
  })

  it('a page of any other origin reads nothing and may send nothing that needs a preflight [PAGE-10]', async () => {
    seen.length = 0
    for (const init of [{}, { credentials: 'include' }, { method: 'PUT', body: '{}' }] as const)
      assert.deepEqual(await fetchIn(stranger, `${api.url}/api/visit`, init), { failed: 'TypeError' })

    // The first two are sent: CORS keeps pages from reading, not from asking.
    assert.deepEqual(seen, ['GET /api/visit', 'GET /api/visit'])
  })

  it('PAGE-10 PAGE-12: it hears events of the other origin with credentials', async () => {
    const hear = (page: Page): Promise<string> =>
      page.evaluate(
        (url) =>
          new Promise<string>((resolve) => {
            const source = new EventSource(url, { withCredentials: true })
            source.addEventListener('message', ({ data }) => {
              source.close()
              resolve(String(data))
            })
            source.addEventListener('error', () => {
              source.close()
              resolve('refused')
            })
          }),
        `${api.url}/api/visit/events`,
      )

    assert.equal(await hear(friend), 'hello')
    assert.equal(await hear(stranger), 'refused')
  })
})
