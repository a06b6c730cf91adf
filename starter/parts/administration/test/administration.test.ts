import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ADMINISTRATOR } from '../permission.ts'
import { missing } from '../../../test/facts-of-parts.ts'
import { type Browser, type Person, World } from '../../../test/support.ts'

const REASON = { reason: 'ticket 4711' }

interface Office {
  readonly world: World
  readonly root: Person
  readonly other: Person
  readonly bob: Person
  readonly browser: Browser
}

/** Two administrators, one of them signed in, and somebody else. */
async function office(test: TestContext, permissions: readonly string[] = ADMINISTRATOR): Promise<Office> {
  const world = await World.create(test)
  const root = await world.person('root', { permissions, factor: 'enabled' })
  const other = await world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
  const bob = await world.person('bob', { factor: 'enabled' })
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const browser = world.browser({ userAgent })
  await browser.signIn(root)
  return { world, root, other, bob, browser }
}

/** The acts on an account, each with the permission that it needs. */
function actsOn({ id }: Person): Readonly<Record<string, string>> {
  return {
    [`/admin/accounts/${id}/disable`]: 'accounts.manage',
    [`/admin/accounts/${id}/enable`]: 'accounts.manage',
    [`/admin/accounts/${id}/end-sessions`]: 'accounts.manage',
    [`/admin/accounts/${id}/grant/admin.access`]: 'accounts.permissions',
    [`/admin/accounts/${id}/withdraw/admin.access`]: 'accounts.permissions',
    [`/admin/accounts/${id}/reset-factors`]: 'factors.reset',
  }
}

describe('the pages of the administration', () => {
  it('find accounts by the beginning of address or name, and show no password [RA-2202]', async (test) => {
    const { world, bob, browser } = await office(test)
    await world.person('<b>"&')

    const all = await browser.open('/admin')
    const found = await browser.open('/admin?q=bo')
    const markup = await browser.open(`/admin?q=${encodeURIComponent('<b>"&')}`)
    const nobody = await browser.open('/admin?q=%25')
    const page = await browser.open(`/admin/accounts/${bob.id}`)

    assert.match(all.html, /root@example\.test[\s\S]*Password and second step/)
    assert.match(found.html, /bob@example\.test/)
    assert.doesNotMatch(found.html, /other@example\.test/)
    assert.match(markup.html, /&lt;b&gt;/)
    assert.doesNotMatch(markup.html, /<b>"/)
    assert.match(nobody.html, /No accounts found/)
    assert.match(page.html, /Authenticator app/)
    for (const { html } of [all, found, page]) assert.doesNotMatch(html, /\$argon2id|v1\.[0-9a-f]{8}\./)
    assert.equal((await browser.open('/admin/accounts/nobody')).status, 404)
  })

  it('disable, enable, sign out, grant, withdraw and reset, each with a reason, and recorded with the device [RA-2201 RA-2202 RA-0008]', async (test) => {
    const { world, bob, browser } = await office(test)
    const home = `/admin/accounts/${bob.id}`
    const run = async (path: string): Promise<string> => {
      await browser.open(home + path)
      const answer = await browser.submit(home + path, REASON)
      assert.deepEqual([answer.status, answer.location], [303, home], path)
      return (await browser.open(home)).html
    }

    assert.match(await run('/grant/admin.access'), /The permission is granted\./)
    assert.match(await run('/grant/admin.access'), /The permission is granted\./)
    assert.match(await run('/withdraw/admin.access'), /The permission is withdrawn\./)
    assert.match(await run('/end-sessions'), /The account was signed out everywhere\./)
    assert.match(await run('/disable'), /The account is disabled\.[\s\S]*ticket 4711/)
    assert.match(await run('/enable'), /The account is enabled\./)
    assert.match(await run('/reset-factors'), /The second step is reset\.[\s\S]*has no second step/)
    assert.deepEqual((await world.events(bob)).slice(-6), [
      'permission-granted',
      'permission-withdrawn',
      'account-sessions-ended',
      'account-disabled',
      'account-enabled',
      'factors-reset',
    ])
    assert.match((await browser.open('/admin/trail')).html, /bob:[\s\S]*by root/)
    const { device } = await world.database
      .selectFrom('event')
      .select('device')
      .where('kind', '=', 'account-disabled')
      .executeTakeFirstOrThrow()
    assert.match(device, /Firefox/)
  })

  it('show that an account will be erased, and when [RA-2202]', async (test) => {
    const { world, bob, browser } = await office(test)
    const due = { leaves_at: world.clock.timestamp() + 86_400 }
    await world.database.updateTable('account').set(due).where('id', '=', bob.id).execute()

    assert.match((await browser.open('/admin?q=bob')).html, />Deletion requested</)
    assert.match(
      (await browser.open(`/admin/accounts/${bob.id}`)).html,
      /Deletion requested by its owner<[\s\S]{0,200}datetime="2026-01-02T00:00:00/,
    )
  })

  it(
    'show the recovery of a lost factor until a change of the credentials ends it [RA-2202 RA-2101]',
    { skip: missing('lost-factor') },
    async (test) => {
      const { world, bob, browser } = await office(test)
      const theirs = world.browser()
      await theirs.password(bob)
      await theirs.open('/lost')
      await theirs.submit('/lost')

      assert.match((await browser.open('/admin?q=bob')).html, />Recovery</)
      assert.match(
        (await browser.open(`/admin/accounts/${bob.id}`)).html,
        /Recovery requested, not confirmed<[\s\S]{0,200}datetime="2026-01-01T00:30:00/,
      )
      await world.identity.users.endSessions(bob.id)
      assert.doesNotMatch((await browser.open('/admin?q=bob')).html, />Recovery</)
    },
  )

  it('list only who holds no factor, where that is asked for [RA-2203]', async (test) => {
    const { world, browser } = await office(test)
    await world.person('eve')

    const { html } = await browser.open('/admin?factor=none')

    assert.match(html, /eve@/)
    assert.doesNotMatch(html, /root@|bob@/)
    assert.match((await browser.open('/admin?factor=x')).html, /bob@/)
  })
})

describe('who may administer', () => {
  it('admin.access sees, and each act needs a permission of its own [SCOPE-21 RA-2201]', async (test) => {
    const { bob, browser, world } = await office(test, ['admin.access'])
    const page = await browser.open(`/admin/accounts/${bob.id}`)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.html, /\/(disable|end-sessions|reset-factors|grant)/)

    for (const path of Object.keys(actsOn(bob))) {
      assert.equal((await browser.open(path)).status, 403, path)
      assert.equal((await browser.submit(path, REASON)).status, 403, path)
    }
    assert.deepEqual(
      (await world.events(bob)).filter((kind) => !/logged/.test(kind)),
      [],
    )
  })

  it('each act asks for password and factor again when they are not fresh [RA-2201 RA-1401]', async (test) => {
    const { world, bob, browser } = await office(test)
    await browser.open(`/admin/accounts/${bob.id}/disable`)
    world.clock.advance(301)

    for (const path of Object.keys(actsOn(bob))) {
      const shown = await browser.open(path)
      const sent = await browser.submit(path, REASON)
      const confirm = `/account/confirm?return_url=${encodeURIComponent(path)}`
      assert.deepEqual([shown.status, shown.location], [303, confirm], path)
      assert.deepEqual([sent.status, sent.location], [303, confirm], path)
    }
    assert.equal((await world.identity.users.findByEmail(bob.email))?.isActive, true)
  })

  it('whoever is not signed in, or is no administrator, reaches none of them [AUTH-25]', async (test) => {
    const { world, bob } = await office(test)
    const [stranger, plain] = [world.browser(), world.browser()]
    await plain.signIn(bob)

    for (const path of ['/admin', '/admin/trail', ...Object.keys(actsOn(bob))]) {
      assert.equal((await stranger.open(path)).status, 302, path)
      assert.equal((await plain.open(path)).status, 403, path)
    }
  })
})
