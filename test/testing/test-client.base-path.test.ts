import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { site } from '../app/fixture.ts'
import { TestClient } from 'sallyport/testing'

const FORM = (action: string): string =>
  `<!doctype html><form method="post" action="${action}"><button>Go</button></form>`

function browser(): TestClient {
  const app = site(
    {
      'GET /': (context) => context.path(),
      'GET /in': () => new Response(null, { status: 303, headers: { location: '/accounts/' } }),
      'GET /out': () => new Response(null, { status: 303, headers: { location: '/' } }),
      'GET /form': () => new Response(FORM('/accounts/form'), { headers: { 'content-type': 'text/html' } }),
      'GET /astray': () => new Response(FORM('/form'), { headers: { 'content-type': 'text/html' } }),
      'POST /form': (context) => {
        context.cookies().set('theme', 'dark')
        return context.path()
      },
    },
    { basePath: '/accounts' },
  )
  return new TestClient(app)
}

describe('TestClient of an application with a base path', () => {
  it('takes paths as a browser sees them, and refuses any other [MEND-12]', async () => {
    const client = browser()

    assert.equal(await (await client.get('/accounts/')).text(), '/accounts/')
    for (const path of ['/', '/in', '/accountsx'])
      await assert.rejects(client.get(path), {
        name: 'RangeError',
        message: /below the base path "\/accounts"/,
      })
  })

  it('follows redirects that stay below it, and gives back one that leads out [MEND-12]', async () => {
    const client = browser()

    const inside = await client.get('/accounts/in', { follow: true })
    const outside = await client.get('/accounts/out', { follow: true })

    assert.equal(await inside.text(), '/accounts/')
    assert.deepEqual([outside.status, outside.headers.get('location')], [303, '/'])
  })

  it('submits a form whose action a browser would find, and no other [MEND-12]', async () => {
    const client = browser()

    const submitted = await client.submit('/accounts/form')

    assert.equal(await submitted.text(), '/accounts/form')
    assert.equal(client.cookie('theme'), 'dark')
    assert.equal(client.cookie('theme', '/'), undefined)
    await assert.rejects(client.submit('/accounts/astray'), RangeError)
  })
})
