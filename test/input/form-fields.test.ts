import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import { type Actions, input } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { z } from 'zod'

const Anything = z.record(z.string(), z.unknown())

class EchoController extends Controller {
  static readonly actions = {
    index: [input(Anything)],
    indexPost: [input(Anything)],
  } satisfies Actions<EchoController>

  index(value: z.infer<typeof Anything>): object {
    return value
  }

  indexPost(value: z.infer<typeof Anything>): object {
    return Object.fromEntries(
      Object.entries(value).map(([name, given]) => [name, JSON.parse(JSON.stringify(given, nameFile))]),
    )
  }
}

function nameFile(_key: string, value: unknown): unknown {
  return value instanceof File ? `file ${value.name}` : value
}

const client = new TestClient(
  App.create().modules(defineModule('Site', (module) => module.mount('/').controllers(EchoController))),
)
const headers = { 'content-type': 'application/x-www-form-urlencoded' }

const CASES: readonly (readonly [what: string, sent: string, fields: object])[] = [
  ['one value', 'likes[]=Cake', { likes: ['Cake'] }],
  ['several values', 'likes[]=Cake&likes[]=Nuts', { likes: ['Cake', 'Nuts'] }],
  ['none: the hidden empty field alone', 'likes[]=', { likes: [] }],
  ['the hidden empty field and one value', 'likes[]=&likes[]=Cake', { likes: ['Cake'] }],
  ['empty values that are not the first', 'n[]=&n[]=a&n[]=&n[]=b', { n: ['a', '', 'b'] }],
  ['escaped brackets', 'likes%5B%5D=Cake', { likes: ['Cake'] }],
  ['both spellings of a name', 'a=1&a[]=2&a[]=3', { a: ['1', '2', '3'] }],
  ['both spellings, the list first and empty', 'a[]=&a=1', { a: ['1'] }],
  ['a name of brackets alone', '[]=x', { '[]': 'x' }],
  ['a plain name that is repeated', 'a=1&a=2', { a: ['1', '2'] }],
  ['a plain name that is not', 'a=1', { a: '1' }],
  ['a plain empty name', 'a=', { a: '' }],
]

describe('a field named name[]', () => {
  for (const [what, sent, fields] of CASES) {
    it(`is a list in form and query: ${what} [PAGE-04]`, async () => {
      const posted = await client.post('/echo', { body: sent, headers })
      const asked = await client.get(`/echo?${sent}`)

      assert.deepEqual(await posted.json(), fields)
      assert.deepEqual(await asked.json(), fields)
    })
  }

  it('is a list of files, empty when none was chosen [PAGE-04]', async () => {
    const boundary = 'b'
    const part = (filename: string, content: string): string =>
      `--b\r\ncontent-disposition: form-data; name="photos[]"; filename="${filename}"\r\n\r\n${content}\r\n`
    const send = async (body: string): Promise<unknown> => {
      const type = `multipart/form-data; boundary=${boundary}`
      const response = await client.post('/echo', { body: `${body}--b--`, headers: { 'content-type': type } })
      return response.json()
    }

    assert.deepEqual(await send(part('', '')), { photos: [] })
    assert.deepEqual(await send(part('a.png', '')), { photos: ['file a.png'] })
    assert.deepEqual(await send(part('a.png', 'x') + part('b.png', 'y')), {
      photos: ['file a.png', 'file b.png'],
    })
  })

  it('agrees with a list of the same name in a JSON body [PAGE-04]', async () => {
    const post = (query: string, likes: unknown) => client.post(`/echo?${query}`, { json: { likes } })

    assert.deepEqual(await (await post('likes[]=a', ['a'])).json(), { likes: ['a'] })
    assert.equal((await post('likes[]=a', 'a')).status, 400)
  })

  it('never reaches the prototype of what it is copied to', async () => {
    const posted = await client.post('/echo', {
      body: '__proto__[]=x&__proto__=y&constructor[]=1&_csrf[]=t&_method[]=PUT',
      headers,
    })

    assert.deepEqual(await posted.json(), { constructor: ['1'] })
  })
})
