import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'

describe('old paths', () => {
  for (const [path, status, to] of [
    ['/signin', 301, '/login'],
    ['/signin/', 301, '/login'],
    ['/%73ignin', 301, '/login'],
    ['/signin?return_url=%2Fadmin', 301, '/login?return_url=%2Fadmin'],
    ['/user/login', 301, '/login'],
    ['/profile', 302, '/account'],
    ['/.well-known/change-password', 302, '/account/password'],
  ] as const)
    it(`${path} leads to ${to} with ${status} [LEGACY-02 LEGACY-05]`, async (test) => {
      const page = await (await World.create(test)).browser().open(path)

      assert.deepEqual([page.status, page.location], [status, to])
    })

  it('are these only: every other path passes untouched [LEGACY-03]', async (test) => {
    const browser = (await World.create(test)).browser()

    for (const path of ['/signins', '/signin/x', '/SIGNIN', '/user%2Flogin', '/user'])
      assert.equal((await browser.open(path)).status, 404, path)
    assert.equal((await browser.open('/login')).status, 200)
  })

  it('never lead to another site, whatever the query says [LEGACY-02]', async (test) => {
    const browser = (await World.create(test)).browser()

    for (const query of [
      '//evil.test',
      '@evil.test',
      '\\evil.test',
      'a\tb',
      '%0d%0alocation:%20//evil.test',
    ]) {
      const { status, location } = await browser.open(`/signin?${query}`)
      assert.equal(status, 301)
      assert.equal(new URL(location ?? '', 'https://app.test').host, 'app.test')
      assert.ok(location?.startsWith('/login?'))
    }
  })
})
