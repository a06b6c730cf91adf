import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SecurityHeaders, type SecurityHeadersOptions } from 'sallyport'
import type { TestClient } from 'sallyport/testing'

import { type Answers, browser } from './fixture.ts'

const ANSWERS: Answers = {
  'GET /': () => '<p>hi</p>',
  'GET /json': () => ({ a: 1 }),
  'GET /own': () =>
    new Response('', {
      headers: {
        'content-type': 'text/html',
        'content-security-policy': "default-src 'none'",
        'referrer-policy': 'no-referrer',
      },
    }),
  'GET /nonce': (context) => context.cspNonce(),
}

function withHeaders(options?: SecurityHeadersOptions): TestClient {
  if (options === undefined) return browser(ANSWERS)
  return browser(ANSWERS, {
    configure: (app) =>
      app.configure((definitions) => definitions.set(SecurityHeaders, new SecurityHeaders(options))),
  })
}

describe('SecurityHeaders', () => {
  it('stands on every page unless told otherwise', async () => {
    const { headers } = await withHeaders().get('/')

    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    const policy = headers.get('content-security-policy') ?? ''
    for (const directive of [
      "default-src 'self'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ]) {
      assert.ok(policy.split('; ').includes(directive), directive)
    }
    assert.doesNotMatch(policy, /unsafe/)
  })

  it('keeps browsers from guessing the type of every response', async () => {
    const client = withHeaders()

    for (const path of ['/json', '/nowhere', '/own']) {
      assert.equal((await client.get(path)).headers.get('x-content-type-options'), 'nosniff')
    }
    assert.equal((await client.get('/json')).headers.get('content-security-policy'), null)
  })

  it('leaves alone what a response says itself', async () => {
    const { headers } = await withHeaders().get('/own')

    assert.equal(headers.get('content-security-policy'), "default-src 'none'")
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  })

  it('adds the nonce to the pages that asked for one, another one each time', async () => {
    const client = withHeaders()
    const [one, two] = [await client.get('/nonce'), await client.get('/nonce')]
    const [nonce, other] = [await one.text(), await two.text()]

    assert.match(nonce, /^[A-Za-z0-9_-]{22}$/)
    assert.notEqual(nonce, other)
    assert.ok(one.headers.get('content-security-policy')?.includes(`script-src 'self' 'nonce-${nonce}'`))
    assert.doesNotMatch((await client.get('/')).headers.get('content-security-policy') ?? '', /nonce/)
  })

  it('merges what an application says over the defaults, and can be switched off', async () => {
    const merged = await withHeaders({
      contentSecurityPolicy: { 'img-src': '*', 'object-src': null },
      frameOptions: 'SAMEORIGIN',
    }).get('/')
    const off = await withHeaders({
      contentSecurityPolicy: false,
      referrerPolicy: false,
      frameOptions: false,
    }).get('/')

    assert.match(merged.headers.get('content-security-policy') ?? '', /img-src \*/)
    assert.doesNotMatch(merged.headers.get('content-security-policy') ?? '', /object-src/)
    assert.equal(merged.headers.get('x-frame-options'), 'SAMEORIGIN')
    for (const name of ['content-security-policy', 'referrer-policy', 'x-frame-options'])
      assert.equal(off.headers.get(name), null)
    assert.equal(off.headers.get('x-content-type-options'), 'nosniff')
  })

  for (const options of [
    { contentSecurityPolicy: { 'img-src': 'a\r\nset-cookie: b=c' } },
    { contentSecurityPolicy: { 'a\nb': 'x' } },
    { referrerPolicy: 'x\ny' },
    { referrerPolicy: '€' },
  ]) {
    it(`refuses ${JSON.stringify(options)} at once`, () => {
      assert.throws(() => new SecurityHeaders(options), TypeError)
    })
  }
})
