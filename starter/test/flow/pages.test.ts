import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'

describe('pages', () => {
  it('an anonymous visit to the home page opens no session and sets no cookie [AUTH-23 SESS-08]', async (test) => {
    const world = await World.create(test)
    const read = test.mock.method(world.store, 'read')
    const create = test.mock.method(world.store, 'create')

    const page = await world.browser().open('/')

    assert.equal(page.status, 200)
    assert.equal(page.headers.get('set-cookie'), null)
    assert.deepEqual([read.mock.callCount(), create.mock.callCount()], [0, 0])
  })

  it('refer to a style sheet, an icon and a script that may be cached forever [PAGE-09]', async (test) => {
    const world = await World.create(test)
    const page = await world.browser().open('/')
    const files = [...page.html.matchAll(/(?:href|src)="(\/(?:assets|brand)\/[^"]+)"/g)].map(
      (match) => match[1] ?? '',
    )

    assert.deepEqual(
      files.map((file) => file.replace(/(?:\.|\?v=)[0-9a-f]{12}/, '')),
      [
        '/brand/icon.svg',
        '/assets/style.css',
        '/brand/styles.css',
        '/assets/once.js',
        '/assets/local-time.js',
      ],
    )
    for (const file of files) {
      const { status, headers } = await world.browser().open(file)
      assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
    assert.equal((await world.browser().open('/assets/style.000000000000.css')).status, 404)
    assert.equal((await world.browser().open('/assets/..%2Fapplication.ts')).status, 404)
  })

  it('show the signed-in user and a way to sign out [AUTH-14]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))

    for (const path of ['/', '/account'])
      assert.match((await browser.open(path)).html, /action="\/logout"[^]*bob|bob[^]*action="\/logout"/)
  })

  it('escape the name of an account', async (test) => {
    const world = await World.create(test)
    const bob = await world.person('bob')
    await world.database
      .updateTable('account')
      .set({ name: '<img src=x onerror=alert(1)>{{ 7*7 }}' })
      .execute()
    const browser = world.browser()
    await browser.signIn(bob)

    for (const path of ['/account', '/account/security']) {
      const { html } = await browser.open(path)
      assert.equal(html.includes('<img'), false)
      assert.ok(html.includes('{{ 7*7 }}'))
    }
  })
})

describe('error pages', () => {
  it('give a reference for an internal error, and a way to sign out', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))
    await world.database.schema.alterTable('event').renameTo('gone').execute()

    const page = await browser.open('/account')

    assert.equal(page.status, 500)
    assert.match(page.html, /give this reference: <code>[\w-]+<\/code>/)
    assert.match(page.html, /action="\/logout"/)
    assert.equal(world.faults.length, 1)
  })

  it('without sessions contain no form, whose token would be kept in one', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.open('/login')
    test.mock.method(world.store, 'read', () => Promise.reject(new Error('no store')))

    const page = await browser.open('/account')

    assert.equal(page.status, 503)
    assert.match(page.html, /<h1>Temporarily unavailable<\/h1>/)
    assert.equal(page.html.includes('<form'), false)
  })
})
