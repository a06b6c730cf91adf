import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { ApiClient } from './realworld-api.ts'
import { DROPPED, installSuite, publishedCollection, runCollection } from './realworld-collection.ts'
import { RealWorld } from './realworld-program.ts'

const COLLECTION = process.env['REALWORLD_COLLECTION']

const example = new RealWorld()
let url = ''

before(async () => {
  await installSuite()
  url = await example.start()
})
after(() => example.stop())

describe('the public RealWorld collection, run by newman', () => {
  it('passes as it is published on npm, but for what the specification has dropped since', async () => {
    const collection = publishedCollection()
    const jack = await new ApiClient(url).registerAs('jack')
    const slug = await jack.write({ title: 'How to train your dragon', tagList: ['dragons', 'training'] })
    await jack.expect(200, 'POST', `/articles/${slug}/favorite`)

    const { responses, assertions, failures } = runCollection(collection, { apiUrl: `${url}/api` })

    assert.deepEqual(
      failures.filter(({ problem }) => !DROPPED.includes(problem)),
      [],
    )
    // The user of five responses has no number, and the articles of five lists no body.
    assert.equal(failures.length, 10)
    assert.deepEqual(
      responses.filter(([, status]) => status === undefined || status < 200 || status > 204),
      [],
    )
    assert.equal(responses.length, 23)
    // All that it holds, but for the five about lists that are empty.
    assert.equal(assertions, 236)
  })

  it('notices a response that is wrong', () => {
    const collection = publishedCollection()

    const { failures } = runCollection(collection, { apiUrl: `${url}/nowhere` })

    assert.ok(failures.length > 20, `${failures.length} failures`)
  })

  if (COLLECTION !== undefined) {
    it('passes in the copy that REALWORLD_COLLECTION names', () => {
      const { failures, assertions } = runCollection(COLLECTION, {
        APIURL: `${url}/api`,
        USERNAME: 'newman',
        EMAIL: 'newman@mail.com',
        PASSWORD: 'password',
      })

      assert.deepEqual(failures, [])
      assert.ok(assertions > 300, `${assertions} assertions`)
    })
  }
})
