import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { View } from '../../src/view/index.ts'

describe('View', () => {
  it('is a template with data, status 200 by default', () => {
    assert.deepEqual(
      { ...new View('cart/index', { a: 1 }) },
      { ...new View('cart/index', { a: 1 }, { status: 200 }) },
    )
    assert.equal(new View('x').status, 200)
    assert.deepEqual(new View('x').data, {})
    assert.equal(new View('x', {}, { status: 422 }).status, 422)
  })

  it('refuses a promise among its values, by the names of the template and of the value', async () => {
    const news = {
      async list(): Promise<readonly string[]> {
        throw new Error('nobody waits for it')
      },
    }
    const query = { then(): void {} }

    assert.throws(() => new View('news', { title: 'News', items: news.list(), more: news.list() }), {
      name: 'TypeError',
      message: 'Cannot render "news" with "items", which is a promise: await it',
    })
    assert.throws(() => new View('news', { query }), /with "query", which is a promise: await it$/)
    assert.throws(() => {
      Reflect.construct(View, ['news', news.list()])
    }, /^TypeError: Cannot render "news" with a promise: await it$/)
    // A rejection that nobody handles would end the process here.
    await new Promise((resolve) => setImmediate(resolve))
  })
})
