import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'
import { ownerOf } from './steps.ts'

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
    const files = [...page.html.matchAll(/(?:href|src)="(\/(?:assets|brand)\/[^"]+)"/g)]

    assert.ok(files.length >= 5)
    for (const [, file = ''] of files) {
      const { status, headers } = await world.browser().open(file)
      assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
    }
  })

  it('escape the name of an account', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    await world.database
      .updateTable('account')
      .set({ name: '<img src=x onerror=alert(1)>{{ 7*7 }}' })
      .execute()
    const browser = await world.inside(ada)

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
    const browser = await world.inside(await world.person('bob'))
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
