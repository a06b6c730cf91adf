import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RECOVERY_WAIT_SECONDS } from '../../identity/recovery/factor-recovery.ts'
import { ADMINISTRATOR } from '../../parts/administration/permission.ts'
import type { Act } from '../../parts/administration/acts.ts'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { DAYS, DOOR, enter, leave, rows, trust, type Trusting, trusting } from './device-steps.ts'
import { enroll, newestLink, personOf } from './newcomer.ts'
import { addPasskey } from './passkey-steps.ts'
import { addFactor, pathOf, SECURITY } from './security-steps.ts'
import { confirm } from './step-up-steps.ts'

const NEW = 'four ladders lean on the wall'

/** Signs in beside the trusted browser, with everything proven. */
async function inside({ world, ada }: Trusting): Promise<Browser> {
  world.clock.advance(30)
  const browser = world.browser()
  await browser.signIn(ada)
  world.clock.advance(30)
  return browser
}

/** Somebody who may do everything at the command line. */
const ACT: Act = { by: { kind: 'operator', name: 'root' }, reason: 'a telephone was lost' }

/** A row that stayed although its account has other credentials: nothing in it counts. */
async function assertDead(
  { world, ada, browser }: Trusting,
  left: readonly unknown[],
  password?: string,
): Promise<void> {
  assert.deepEqual(await rows(world), [], 'deleted with the change')
  assert.equal(await enter(browser.twin(), ada, password), DOOR)
  // Bound to the version of the credentials: dead by comparison as well.
  for (const row of left)
    await world.database
      .insertInto('trusted_device')
      .values(row as never)
      .execute()
  assert.equal(await enter(browser, ada, password), DOOR)
  assert.deepEqual(world.faults, [])
}

describe('a trusted browser is dropped', () => {
  it('by a change of password [RA-1802 RA-1501]', async (test) => {
    const owner = await trusting(test)
    const left = await rows(owner.world)
    const browser = await inside(owner)
    await confirm(owner.world, browser, { person: owner.ada, path: '/account/password' })

    assert.equal((await browser.submit('/account/password', { password: NEW })).status, 303)

    await assertDead(owner, left, NEW)
  })

  it('by a new password behind a link in a mail [RA-1802]', async (test) => {
    const owner = await trusting(test)
    const left = await rows(owner.world)
    const browser = owner.world.browser()
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: owner.ada.email })
    const link = newestLink(owner.world)
    await browser.open(link)

    assert.equal((await browser.submit(link, { password: NEW })).location, '/login')

    await assertDead(owner, left, NEW)
  })

  for (const what of ['adding', 'replacing', 'removing'] as const)
    it(`by ${what} a factor [RA-1802]`, async (test) => {
      const first = await trusting(test)
      const { world, browser: trusted } = first
      let { ada } = first
      if (what === 'removing') {
        const browser = await inside(first)
        // The door asks for the one that was used last.
        ada = (await addFactor({ world, person: ada, browser }, 'Second')).added
        await trust(world, ada, trusted)
        await leave(trusted)
      }
      const owner = { world, ada, browser: trusted }
      const left = await rows(world)
      const browser = await inside(owner)
      const own = { world, person: ada, browser }
      if (what === 'adding') await addFactor(own, 'Second')
      else {
        const path = await pathOf(own, what === 'replacing' ? 'replace' : 'remove')
        const page = await confirm(world, browser, { person: ada, path })
        const added = what === 'replacing' ? await personOf(world, 'ada', page) : undefined
        const fields = added === undefined ? {} : { label: 'New', code: await world.code(added) }
        assert.ok([200, 303].includes((await browser.submit(path, fields)).status))
      }

      await assertDead(owner, left)
    })

  it('by a new passkey, and by new recovery codes [RA-1802]', async (test) => {
    const owner = await trusting(test)
    const left = await rows(owner.world)
    await addPasskey(await inside(owner), 'Blue key')
    await assertDead(owner, left)
    await owner.world.database.deleteFrom('trusted_device').execute()

    const again = owner.world.browser()
    await trust(owner.world, owner.ada, again)
    await leave(again)
    const browser = await inside(owner)
    await confirm(owner.world, browser, { person: owner.ada, path: '/account/recovery-codes' })
    await browser.submit('/account/recovery-codes')
    assert.equal(await enter(again, owner.ada), DOOR)
  })

  it('by the recovery of a lost factor [RA-1802 RA-2102]', async (test) => {
    const owner = await trusting(test)
    const { world, ada } = owner
    const left = await rows(world)
    const find = (pattern: RegExp): string =>
      world.mailbox
        .list()
        .map(({ text }) => pattern.exec(text)?.[1])
        .find(Boolean) ?? ''
    const asking = world.browser()
    await asking.password(ada)
    await asking.open('/lost')
    await asking.submit('/lost')
    const confirmation = find(/https:\/\/app\.test(\/lost\/confirm\/[\w-]{43})/)
    await asking.open(confirmation)
    await asking.submit(confirmation)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/lost')
    await browser.submit('/lost/continue')
    const link = find(/https:\/\/app\.test(\/enroll\/confirm\/[\w-]{43})/)
    await browser.open(link)
    await browser.submit(link)
    const renewed = await personOf(world, 'ada', await browser.open('/enroll'))
    assert.equal((await rows(world)).length, 1)

    await browser.submit('/enroll', { code: await world.code(renewed) })

    await assertDead(owner, left)
  })

  it('by a recovery code, at the second door and at a step-up [RA-1802]', async (test) => {
    const world = await World.create(test, { trustedDeviceDays: DAYS })
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    for (const path of [`${DOOR}/recovery`, '/account/confirm']) {
      const browser = world.browser()
      await trust(world, person, browser)
      const other = world.browser()
      const code = codes[path === DOOR ? 0 : path.length % 10] ?? ''
      if (path === '/account/confirm') {
        world.clock.advance(300)
        const fields = { return_url: '/account/password', password: PASSWORD, recovery_code: code }
        await browser.open(`${path}?return_url=/account/password&recovery=1`)
        assert.equal((await browser.submit(path, fields)).location, '/account/password')
      } else {
        await other.password(person)
        await other.open(path)
        assert.equal((await other.submit(path, { code })).location, '/account')
      }
      assert.deepEqual(await rows(world), [], path)
      await leave(browser)
      assert.equal(await enter(browser, person), DOOR)
    }
  })

  it('by the reset of factors by an administrator [RA-1802 RA-2201]', async (test) => {
    const owner = await trusting(test)
    const left = await rows(owner.world)
    const { world, ada } = owner

    assert.equal(await world.identity.administration.resets.reset(ACT, ada.id), 'reset')

    assert.deepEqual(await rows(world), [])
    for (const row of left)
      await world.database
        .insertInto('trusted_device')
        .values(row as never)
        .execute()
    // There is no second step any more, and a new one must be set up.
    assert.equal(await enter(owner.browser, ada), '/enroll')
  })

  it('by disabling the account, and stays dropped when it is enabled [RA-1802 RA-2202]', async (test) => {
    const owner = await trusting(test)
    const left = await rows(owner.world)
    const { world, ada, browser } = owner

    await world.identity.administration.states.disable(ACT, ada.id)

    assert.deepEqual(await rows(world), [])
    assert.equal((await browser.twin().password(ada)).status, 422)
    await world.identity.administration.states.enable(ACT, ada.id)
    await assertDead(owner, left)
  })

  it('by the end of all sessions: by the owner, an administrator, and for everybody [RA-1802 RA-1901]', async (test) => {
    const owner = await trusting(test)
    const { world, ada } = owner
    const { sessions } = world.identity.administration
    const ends: Readonly<Record<string, () => Promise<unknown>>> = {
      owner: async () => {
        const browser = await inside(owner)
        await browser.open('/account/sessions/all')
        assert.equal((await browser.submit('/account/sessions/all')).location, '/login')
      },
      administrator: () => sessions.endAll(ACT, ada.id),
      everybody: () => sessions.endEverybodys(ACT),
      program: () => world.identity.users.endSessions(ada.id),
      disabled: async () => {
        await world.disable(ada)
        await world.identity.users.enable(ada.id)
      },
    }
    for (const [name, end] of Object.entries(ends)) {
      const browser = world.browser()
      await trust(world, ada, browser)
      await leave(browser)

      await end()

      assert.deepEqual(await rows(world), [], name)
      assert.equal(await enter(browser, ada), DOOR, name)
    }
  })

  it('in the transaction of the change, or not at all [RA-1802]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const failing = test.mock.method(world.identity.audit, 'record', () => Promise.reject(new Error('full')))

    await assert.rejects(world.identity.administration.states.disable(ACT, ada.id))
    failing.mock.restore()

    assert.equal((await rows(world)).length, 1)
    assert.equal(await enter(browser, ada), '/account')
  })

  it('of this account only [RA-1802]', async (test) => {
    const owner = await trusting(test)
    const { world } = owner
    const bob: Person = await world.person('bob', { factor: 'enabled', permissions: ADMINISTRATOR })
    await world.identity.administration.sessions.endAll(ACT, bob.id)

    assert.equal(await enter(owner.browser, owner.ada), '/account')
  })

  it('stays dropped where a version was changed by hand, and where trusted browsers are off [RA-1802]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await world.database.updateTable('account').set({ credential_version: 2 }).execute()

    assert.equal(await enter(browser, ada), DOOR)
    assert.doesNotMatch(
      await browser
        .code((world.clock.advance(30), await world.code(ada)))
        .then(() => browser.open(SECURITY))
        .then(({ html }) => html),
      /This browser/,
    )
  })
})
