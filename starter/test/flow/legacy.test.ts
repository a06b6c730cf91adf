import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'

describe('old paths', () => {
  for (const [path, status, to] of [
    ['/signin', 301, '/login'],
    ['/signin?return_url=%2Fadmin', 301, '/login?return_url=%2Fadmin'],
    ['/user/login', 301, '/login'],
    ['/profile', 302, '/account'],
    ['/.well-known/change-password', 302, '/account/password'],
  ] as const)
    it(`${path} leads to ${to} with ${status} [LEGACY-02 LEGACY-05]`, async (test) => {
      const page = await (await World.create(test)).browser().open(path)

      assert.deepEqual([page.status, page.location], [status, to])
    })

  it('that password managers ask for beside the one that is there are not there: they would not believe it otherwise', async (test) => {
    const missing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'

    assert.equal((await (await World.create(test)).browser().open(missing)).status, 404)
  })
})
