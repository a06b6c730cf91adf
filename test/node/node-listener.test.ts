import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'

import express from 'express'
import { App, defineModule, type HttpContext } from 'sallyport'
import { type NodeListenerOptions, toNodeListener } from 'sallyport/node'

import { type Answers, site } from '../app/fixture.ts'

const ANSWERS: Answers = {
  'GET /': async (context: HttpContext) => {
    await context.session().set('x', 1)
    return [context.clientAddress(), context.origin(), context.path()]
  },
  'POST /': async (context: HttpContext) => [await context.request().json()],
}

/** Serves with a listener until the test is over; gives the address. */
async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What is written to standard error. */
function errors(t: TestContext): () => string {
  const write = t.mock.method(process.stderr, 'write', () => true)
  return () => write.mock.calls.map(({ arguments: [text] }) => String(text)).join('')
}

function post(url: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })
}

describe('toNodeListener()', () => {
  it('answers requests of a server, bodies included, and boots by itself [HOST-02]', async (t) => {
    const url = await listen(t, toNodeListener(site(ANSWERS)))

    assert.deepEqual(await (await post(url)).json(), [{ a: 1 }])
    assert.equal((await fetch(`${url}/nowhere`)).status, 404)
  })

  it('has address, scheme and host from a trusted proxy, and so a secure cookie [HOST-03]', async (t) => {
    const trustedProxies = { addresses: ['127.0.0.1'] }
    const url = await listen(t, toNodeListener(site(ANSWERS), { trustedProxies }))
    const headers = {
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.test',
    }

    const response = await fetch(url, { headers })

    assert.deepEqual(await response.json(), ['198.51.100.7', 'https://shop.test', '/'])
    assert.match(response.headers.get('set-cookie') ?? '', /^__Host-sid=.*; Secure$/)
  })

  it('has the origin that it was given, and refuses other hosts [HOST-03]', async (t) => {
    const url = await listen(
      t,
      toNodeListener(site(ANSWERS), { origin: 'https://shop.test', hosts: ['127.0.0.1'] }),
    )
    const strict = await listen(t, toNodeListener(site(ANSWERS), { origin: 'https://shop.test' }))

    assert.deepEqual(await (await fetch(url)).json(), ['127.0.0.1', 'https://shop.test', '/'])
    assert.equal((await fetch(strict)).status, 421)
  })

  it('knows the prefix of a mount in Express [HOST-02]', async (t) => {
    const host = express().use('/shop', toNodeListener(site(ANSWERS, { basePath: '/shop' })))
    const url = await listen(t, host)

    const [, , path] = (await (await fetch(`${url}/shop/`)).json()) as string[]

    assert.equal(path, '/shop/')
  })

  it('says that an application mounted below a path needs it as its base path [HOST-02]', async (t) => {
    const url = await listen(t, express().use('/shop', toNodeListener(site(ANSWERS))))
    const heard = errors(t)

    const response = await fetch(`${url}/shop`)

    assert.equal(response.status, 500)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(heard(), /Cannot answer below "\/shop": pass basePath: "\/shop" to the application/)
  })

  it('does not answer below a mount that Express finds in another case [HOST-02]', async (t) => {
    const url = await listen(t, express().use('/shop', toNodeListener(site(ANSWERS, { basePath: '/shop' }))))
    const heard = errors(t)

    const response = await fetch(`${url}/SHOP/`)

    assert.equal(response.status, 404)
    assert.equal(heard(), '')
  })

  it('says that the body was read, if it was, and answers if it was not [HOST-02]', async (t) => {
    const parsed = await listen(t, express().use(express.json(), toNodeListener(site(ANSWERS))))
    const other = await listen(t, express().use(express.urlencoded(), toNodeListener(site(ANSWERS))))
    const heard = errors(t)

    assert.equal((await post(parsed)).status, 500)
    assert.match(heard(), /it has been read: use the application before the body parsers/)
    assert.equal((await fetch(parsed)).status, 200)
    assert.deepEqual(await (await post(other)).json(), [{ a: 1 }])
  })

  it('answers with 500 if the application cannot boot, and says why', async (t) => {
    const twice = [
      defineModule('A', (module) => module.mount('a')),
      defineModule('B', (module) => module.mount('a')),
    ]
    const url = await listen(t, toNodeListener(App.create().modules(...twice)))
    const heard = errors(t)

    assert.equal((await fetch(url)).status, 500)
    assert.match(heard(), /mount-conflict/)
  })

  for (const [what, app, options, expected] of [
    ['no application', {}, {}, /Cannot make a listener of .*: pass an application/],
    ['an option of serve() that is the server’s', App.create(), { port: 80 }, /port/],
    ['a malformed origin', App.create(), { origin: 'shop.test' }, /shop\.test/],
    ['a pace of nothing', App.create(), { bodyMilliseconds: 0 }, /bodyMilliseconds/],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => toNodeListener(app as App, options as NodeListenerOptions), {
        name: 'TypeError',
        message: expected,
      })
    })
  }
})
