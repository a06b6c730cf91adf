import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import type { StandardSchema } from 'sallyport/input'
import { type Actions, input } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

const ANY: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }

class NoteController extends Controller {
  static readonly actions = {
    indexPost: [input(ANY, { types: ['application/json'] })],
    indexPatch: [input(ANY, { types: ['application/json', 'application/merge-patch+json'] })],
    index: [input(ANY, { types: ['application/json'] })],
    anyPost: [input(ANY)],
  } satisfies Actions<NoteController>

  readonly #said = (value: unknown): Response => this.json({ got: value === undefined ? null : value })
  indexPost(value: unknown) {
    return this.#said(value)
  }
  indexPatch(value: unknown) {
    return this.#said(value)
  }
  index(value: unknown) {
    return this.#said(value)
  }
  anyPost(value: unknown) {
    return this.#said(value)
  }
}

function client(): TestClient {
  const notes = defineModule('Api', (module) => module.controllers(NoteController))
  return new TestClient(App.create({ debug: false }).modules(notes))
}

describe('input(schema, { types })', () => {
  it('takes the types of its list, with parameters and in any letter case', async () => {
    const api = client()

    for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
      const headers = { 'content-type': type }
      const response = await api.post('/api/note', { body: '{"a":1}', headers })
      assert.deepEqual([response.status, await response.json()], [200, { got: { a: 1 } }], type)
    }
    const headers = { 'content-type': 'application/merge-patch+json' }
    assert.equal((await api.request('PATCH', '/api/note', { body: '{}', headers })).status, 200)
  })

  it('answers 415 to what a form of another site can send, and names what is taken', async () => {
    const api = client()

    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'a=1'],
      ['application/x-www-form-urlencoded', ''],
      ['multipart/form-data; boundary=b', '--b--'],
      ['text/plain', '{"a":1}'],
      ['application/merge-patch+json', '{}'],
    ] as const) {
      const headers = { 'content-type': type, accept: 'application/json' }
      const response = await api.post('/api/note', { body, headers })
      const problem = (await response.json()) as { code: string; detail: string }

      assert.deepEqual([response.status, problem.code], [415, 'ERR_HTTP_UNSUPPORTED_MEDIA_TYPE'], type)
      assert.match(problem.detail, /send application\/json$/)
      assert.equal(response.headers.get('accept'), 'application/json')
      assert.equal(response.headers.get('accept-post'), 'application/json')
    }
  })

  it('answers 415 to a body without a type, and takes a request without a body', async () => {
    const api = client()

    const untyped = await api.post('/api/note', { body: Buffer.from('{}') })
    const empty = await api.post('/api/note?a=1')
    const read = await api.get('/api/note?a=1', { headers: { 'content-type': 'text/plain' } })

    assert.deepEqual([untyped.status, untyped.headers.get('accept')], [415, 'application/json'])
    assert.deepEqual(await empty.json(), { got: { a: '1' } })
    assert.deepEqual(await read.json(), { got: { a: '1' } })
  })

  it('takes JSON and forms without a list', async () => {
    const api = client()

    for (const type of ['application/json', 'application/vnd.api+json'])
      assert.equal(
        (await api.post('/api/note/any', { body: '{}', headers: { 'content-type': type } })).status,
        200,
      )
    assert.equal((await api.post('/api/note/any', { form: { a: '1' } })).status, 200)
    assert.equal((await api.post('/api/note/any', { multipart: { a: '1' } })).status, 200)
    const refused = await api.post('/api/note/any', { body: '{}', headers: { 'content-type': 'text/plain' } })
    assert.equal(refused.status, 415)
    assert.match(refused.headers.get('accept-post') ?? '', /^application\/json, application\/x-www-form-/)
  })

  for (const types of [
    [],
    'application/json',
    ['text/plain'],
    ['application/json; charset=utf-8'],
    [5],
    null,
  ]) {
    it(`refuses the list ${JSON.stringify(types)} where it is declared`, () => {
      assert.throws(() => Reflect.apply(input, undefined, [ANY, { types }]), TypeError)
    })
  }

  it('refuses an unknown option where it is declared', () => {
    assert.throws(() => Reflect.apply(input, undefined, [ANY, { type: ['application/json'] }]), /"type"/)
  })
})
