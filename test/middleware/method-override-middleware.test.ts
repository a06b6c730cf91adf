import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { MethodOverrideMiddleware } from 'sallyport/middleware'
import { TestClient, type TestRequestOptions } from 'sallyport/testing'

import { type Answer, site } from '../app/fixture.ts'

const tell: Answer = (context) => ({
  effective: context.method(),
  real: context.request().method,
  path: context.path(),
})
const ANSWERS = { 'GET /': tell, 'POST /': tell, 'PUT|PATCH|DELETE /': tell }

const client = new TestClient(
  site(ANSWERS, { configure: (app) => app.middleware().incoming(MethodOverrideMiddleware) }),
)
const without = new TestClient(site(ANSWERS))

async function effective(response: Promise<Response>): Promise<string> {
  const answered = await response
  return answered.status === 200
    ? ((await answered.json()) as { effective: string }).effective
    : String(answered.status)
}

describe('MethodOverrideMiddleware', () => {
  it('without it, field and header change nothing [OVR-01]', async () => {
    assert.equal(await effective(without.post('/', { form: { _method: 'DELETE' } })), 'POST')
    assert.equal(
      await effective(without.post('/', { json: {}, headers: { 'x-http-method-override': 'PUT' } })),
      'POST',
    )
  })

  it('the field of a form sets the effective method, and routing sees it [OVR-02 OVR-03]', async () => {
    const response = await client.post('/', { form: { _method: 'DELETE', a: '1' } })

    assert.deepEqual(await response.json(), { effective: 'DELETE', real: 'POST', path: '/' })
    assert.equal(await effective(client.post('/', { multipart: { _method: 'PUT' } })), 'PUT')
  })

  it('a member of a JSON body is never read [OVR-04]', async () => {
    assert.equal(await effective(client.post('/', { json: { _method: 'DELETE' } })), 'POST')
    assert.equal(
      await effective(
        client.post('/', { body: '_method=DELETE', headers: { 'content-type': 'text/plain' } }),
      ),
      'POST',
    )
    assert.equal(await effective(client.post('/?_method=DELETE')), 'POST')
  })

  it('the header sets the effective method [OVR-05]', async () => {
    assert.equal(
      await effective(client.post('/', { json: { a: 1 }, headers: { 'X-HTTP-Method-Override': 'PATCH' } })),
      'PATCH',
    )
    assert.equal(
      await effective(client.post('/', { headers: { 'x-http-method-override': 'PATCH' } })),
      'PATCH',
    )
  })

  for (const target of ['PUT', 'PATCH', 'DELETE', 'put', ' Delete ', '\tpatch']) {
    it(`accepts ${JSON.stringify(target)} [OVR-06]`, async () => {
      assert.equal(
        await effective(client.post('/', { form: { _method: target } })),
        target.trim().toUpperCase(),
      )
    })
  }

  for (const target of [
    'POST',
    'GET',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'CONNECT',
    'PURGE',
    'PUT, DELETE',
    'DELETE\u0000',
    '__proto__',
    'DELETEDELETE',
  ]) {
    it(`answers ${JSON.stringify(target)} with 400 [OVR-07]`, async () => {
      assert.equal(await effective(client.post('/', { form: { _method: target } })), '400')
    })
  }

  it('answers a header outside the three with 400, and a file for a field [OVR-07]', async () => {
    assert.equal(
      await effective(client.post('/', { json: {}, headers: { 'x-http-method-override': 'GET' } })),
      '400',
    )
    assert.equal(
      await effective(client.post('/', { multipart: { _method: new File(['DELETE'], 'x') } })),
      '400',
    )
  })

  for (const [what, options] of [
    ['field and header', { form: { _method: 'PUT' }, headers: { 'x-http-method-override': 'DELETE' } }],
    ['two fields', { form: { _method: ['PUT', 'DELETE'] } }],
    ['two header lines', { json: {}, headers: { 'x-http-method-override': 'PUT, DELETE' } }],
  ] satisfies [string, TestRequestOptions][]) {
    it(`answers 400 when ${what} disagree [OVR-08]`, async () => {
      assert.equal(await effective(client.post('/', options)), '400')
    })
  }

  for (const [what, options] of [
    ['field and header', { form: { _method: 'put' }, headers: { 'x-http-method-override': 'PUT' } }],
    ['two fields', { form: { _method: ['PUT', 'PUT'] } }],
  ] satisfies [string, TestRequestOptions][]) {
    it(`accepts the same target twice in ${what} [OPEN-25]`, async () => {
      assert.equal(await effective(client.post('/', options)), 'PUT')
    })
  }

  for (const empty of ['', ' ', '\t']) {
    it(`treats ${JSON.stringify(empty)} as none [OPEN-25]`, async () => {
      assert.equal(
        await effective(
          client.post('/', { form: { _method: empty }, headers: { 'x-http-method-override': '' } }),
        ),
        'POST',
      )
    })
  }

  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    it(`leaves a real ${method} alone, whatever it carries [OVR-09]`, async () => {
      const headers = { 'x-http-method-override': method === 'DELETE' ? 'PUT' : 'DELETE' }
      const body = method === 'GET' ? {} : { form: { _method: 'PATCH' } }

      assert.equal(await effective(client.request(method, '/', { headers, ...body })), method)
      assert.equal(
        await effective(client.request(method, '/', { headers: { 'x-http-method-override': 'GARBAGE' } })),
        method,
      )
    })
  }

  it('leaves the form to the application [OVR-03]', async () => {
    const app = site(
      { 'DELETE /': async (context) => (await context.form())?.text('a') },
      { configure: (configured) => configured.middleware().incoming(MethodOverrideMiddleware) },
    )

    assert.equal(
      await (await new TestClient(app).post('/', { form: { _method: 'DELETE', a: '1' } })).text(),
      '1',
    )
  })
})
