import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { RedirectException } from 'sallyport/http'
import { TestClient } from 'sallyport/testing'

import { type Answers, site } from '../app/fixture.ts'

const ANSWERS: Answers = {
  'GET /': (context) => [context.origin(), context.header('cookie')],
  'POST|PUT /echo': async (context) => [
    context.method(),
    context.header('content-type'),
    await context.request().text(),
  ],
  'GET /set': (context) => {
    context.cookies().set('a', '1')
    context.cookies().set('shop', '2', { path: '/shop' })
  },
  'GET /secure': (context) => context.cookies().set('__Host-a', '1', { secure: true }),
  'GET /foreign': () => new Response('', { headers: { 'set-cookie': 'evil=1; Domain=other.test' } }),
  'GET /unset': (context) => context.cookies().delete('a'),
  'GET /shop/': (context) => context.header('cookie'),
  'GET|POST /to': (context) => {
    const [hops = '', status = '302'] = context.query().split('-')
    throw new RedirectException(hops === '0' ? '/end' : `/to?${Number(hops) - 1}-${status}`, Number(status))
  },
  'GET|POST /end': async (context) => [context.method(), await context.request().text()],
  'GET /away': () => {
    throw new RedirectException('https://other.test/')
  },
  'GET /loop': () => {
    throw new RedirectException('/loop')
  },
}

const client = (origin?: string): TestClient =>
  new TestClient(site(ANSWERS), origin === undefined ? {} : { origin })
const json = async (response: Promise<Response>): Promise<unknown> => (await response).json()

describe('TestClient', () => {
  it('keeps cookies as a browser does, and sends them where they belong', async () => {
    const browser = client()

    await browser.get('/set')

    assert.deepEqual(await json(browser.get('/')), ['http://localhost', 'a=1'])
    assert.equal(browser.cookie('a'), '1')
    assert.equal(browser.cookie('shop'), undefined)
    assert.equal(browser.cookie('shop', '/shop/x'), '2')
    assert.match(await (await browser.get('/shop/')).text(), /shop=2/)
    await browser.get('/unset')
    assert.equal(browser.cookie('a'), undefined)
  })

  it('takes no cookie that a browser would refuse', async () => {
    const [plain, secure] = [client(), client('https://app.test')]

    for (const browser of [plain, secure]) {
      await browser.get('/foreign')
      await browser.get('/secure')
    }

    assert.deepEqual(await json(secure.get('/')), ['https://app.test', '__Host-a=1'])
    assert.equal(secure.cookie('evil'), undefined)
  })

  it('two clients are two browsers; a clone has the same cookies and then goes its own way', async () => {
    const app = site(ANSWERS)
    const [one, two] = [new TestClient(app), new TestClient(app)]
    await one.get('/set')
    const twin = one.clone()

    await one.get('/unset')

    assert.equal(two.cookie('a'), undefined)
    assert.equal(twin.cookie('a'), '1')
    assert.deepEqual(await json(twin.get('/')), ['http://localhost', 'a=1'])
    twin.clearCookies()
    assert.equal(twin.cookie('a'), undefined)
  })

  it('sends forms, JSON, multipart and bodies as they are', async () => {
    const browser = client()

    assert.deepEqual(await json(browser.post('/echo', { form: { a: 'x y', b: ['1', '2'] } })), [
      'POST',
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=x+y&b=1&b=2',
    ])
    assert.deepEqual(await json(browser.post('/echo', { json: { a: [null] } })), [
      'POST',
      'application/json',
      '{"a":[null]}',
    ])
    assert.deepEqual(
      await json(
        browser.request('PUT', '/echo', { json: 1, headers: { 'content-type': 'application/vnd.api+json' } }),
      ),
      ['PUT', 'application/vnd.api+json', '1'],
    )
    assert.deepEqual(await json(browser.post('/echo', { body: 'raw', headers: { 'content-type': 'x/y' } })), [
      'POST',
      'x/y',
      'raw',
    ])
    assert.match(
      ((await json(browser.post('/echo', { multipart: { a: '1' } }))) as string[])[1] ?? '',
      /^multipart\/form-data; boundary=/,
    )
  })

  it('follows redirects on its origin when asked, a POST as a GET unless 307 or 308', async () => {
    const browser = client()

    assert.equal((await browser.get('/to?1')).status, 302)
    assert.deepEqual(await json(browser.get('/to?3', { follow: true })), ['GET', ''])
    assert.deepEqual(await json(browser.post('/to?0-303', { form: { a: '1' }, follow: true })), ['GET', ''])
    assert.deepEqual(await json(browser.post('/to?1-308', { form: { a: '1' }, follow: true })), [
      'POST',
      'a=1',
    ])
    assert.equal(
      (await browser.get('/away', { follow: true })).headers.get('location'),
      'https://other.test/',
    )
    await assert.rejects(browser.get('/loop', { follow: true }), /do not end/)
  })
})
