import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ADMINISTRATOR } from '../permission.ts'
import { act, missing } from '../../../test/facts-of-parts.ts'
import { type Browser, type Person, World } from '../../../test/support.ts'

const REASON = { reason: ' ticket 4711 ' }

interface Office {
  readonly world: World
  readonly root: Person
  readonly bob: Person
  readonly browser: Browser
}

/** Two administrators, one of them signed in, and somebody else. */
async function office(test: TestContext, permissions: readonly string[] = ADMINISTRATOR): Promise<Office> {
  const world = await World.create(test)
  const root = await world.person('root', { permissions, factor: 'enabled' })
  await world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
  const bob = await world.person('bob', { factor: 'enabled' })
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const browser = world.browser({ userAgent, clientAddress: '192.0.2.7' })
  await browser.signIn(root)
  return { world, root, bob, browser }
}

/** The acts on an account. */
function actsOn({ id }: Person): readonly string[] {
  const acts = ['disable', 'enable', 'end-sessions', 'grant/admin.access', 'withdraw/admin.access']
  return [...acts, 'reset-factors'].map((act) => `/admin/accounts/${id}/${act}`)
}

describe('the pages of the administration', () => {
  it('show accounts, what is under way with them and who has no factor, without markup of theirs and without any secret [RA-2202 RA-2203]', async (test) => {
    const { world, bob, browser } = await office(test)
    await world.person('<b>"&')
    const due = { leaves_at: world.clock.timestamp() + 86_400 }
    await world.database.updateTable('account').set(due).where('id', '=', bob.id).execute()

    const found = await browser.open('/admin?q=bo')
    const without = await browser.open('/admin?factor=none')
    const page = await browser.open(`/admin/accounts/${bob.id}`)

    assert.match(found.html, /bob@example\.test[^]*>Deletion requested</)
    assert.match(without.html, /&lt;b&gt;/)
    assert.doesNotMatch(without.html, /<b>"|root@|bob@/)
    assert.match(page.html, /datetime="2026-01-02T00:00:00[^]*Authenticator app/)
    for (const { html } of [found, without, page]) assert.doesNotMatch(html, /\$argon2id|v1\.[0-9a-f]{8}\./)
    assert.equal((await browser.open('/admin/accounts/nobody')).status, 404)
  })

  it('disable, enable, sign out, grant, withdraw and reset, each with a reason, and recorded with the device [RA-2201 RA-2202 RA-0008]', async (test) => {
    const { world, root, bob, browser } = await office(test)
    const home = `/admin/accounts/${bob.id}`
    for (const path of [
      '/grant/admin.access',
      '/grant/admin.access',
      '/withdraw/admin.access',
      '/end-sessions',
      '/disable',
      '/enable',
      '/reset-factors',
    ]) {
      const { status, location } = await browser.send(home + path, REASON)
      assert.deepEqual([status, location], [303, home], path)
    }
    assert.match(
      (await browser.open(home)).html,
      /The second step is reset\.[^]*has no second step[^]*ticket 4711/,
    )

    assert.deepEqual((await world.events(bob)).slice(-6), [
      'permission-granted',
      'permission-withdrawn',
      'account-sessions-ended',
      'account-disabled',
      'account-enabled',
      'factors-reset',
    ])
    assert.match((await browser.open('/admin/trail')).html, /bob:[\s\S]*by root/)
    const { device, ...granted } = await world.database
      .selectFrom('event')
      .select(['actor', 'detail', 'reason', 'client_address', 'device'])
      .where('kind', '=', 'permission-granted')
      .executeTakeFirstOrThrow()
    const from = { actor: root.id, reason: 'ticket 4711', client_address: '192.0.2.7' }
    assert.deepEqual(granted, { ...from, detail: 'admin.access' })
    assert.match(device, /Firefox/)
  })

  it(
    'show the recovery of a lost factor until a change of the credentials ends it [RA-2202 RA-2101]',
    { skip: missing('lost-factor') },
    async (test) => {
      const { world, bob, browser } = await office(test)
      await act('loseFactors')(world, bob)

      assert.match((await browser.open('/admin?q=bob')).html, />Recovery</)
      await world.identity.users.endSessions(bob.id)
      assert.doesNotMatch((await browser.open('/admin?q=bob')).html, />Recovery</)
    },
  )
})

describe('who may administer', () => {
  it('admin.access sees, and each act needs a permission of its own; who is no administrator reaches no page [SCOPE-21 AUTH-25 RA-2201]', async (test) => {
    const { bob, browser, world } = await office(test, ['admin.access'])
    const plain = await world.inside(bob)
    const before = await world.events(bob)
    const page = await browser.open(`/admin/accounts/${bob.id}`)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.html, /\/(disable|end-sessions|reset-factors|grant)/)

    for (const path of ['/admin', '/admin/trail', ...actsOn(bob)])
      assert.equal((await plain.open(path)).status, 403, path)
    for (const path of actsOn(bob)) {
      assert.equal((await browser.open(path)).status, 403, path)
      assert.equal((await browser.submit(path, REASON)).status, 403, path)
    }
    assert.deepEqual(await world.events(bob), before)
  })
})
