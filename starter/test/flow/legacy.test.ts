import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'

describe('old paths', () => {
  it('lead to what took their place, for good, in every spelling and with their query [LEGACY-02]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const paths = ['/signin', '/signin/', '/%73ignin', '/signin?return_url=%2Fadmin', '/user/login']
    const pages = await Promise.all(paths.map((path) => browser.open(path)))

    assert.deepEqual(
      pages.map(({ status, location }) => [status, location]),
      [
        [301, '/login'],
        [301, '/login'],
        [301, '/login'],
        [301, '/login?return_url=%2Fadmin'],
        [301, '/login'],
      ],
    )
    assert.equal((await browser.open('/signin', { follow: true })).status, 200)
  })

  it('lead there for the time being while that is not proven [LEGACY-05]', async (test) => {
    const world = await World.create(test)

    const page = await world.browser().open('/profile')

    assert.deepEqual([page.status, page.location], [302, '/account'])
  })

  it('are these only: every other path passes untouched [LEGACY-03]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const answers = []
    for (const path of ['/signins', '/signin/x', '/SIGNIN', '/user%2Flogin', '/user', '/login'])
      answers.push([path, (await browser.open(path)).status])

    assert.deepEqual(answers, [
      ['/signins', 404],
      ['/signin/x', 404],
      ['/SIGNIN', 404],
      ['/user%2Flogin', 404],
      ['/user', 404],
      ['/login', 200],
    ])
  })

  it('never lead to another site, whatever the query says [LEGACY-02]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

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
