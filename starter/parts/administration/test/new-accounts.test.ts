import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { demanding } from '../../../test/demanding.ts'
import { formAt, testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import { AccountActs } from '../account-acts.ts'
import { NewAccounts } from '../new-accounts.ts'
import type { Act } from '../acts.ts'
import { World } from '../../../test/support.ts'
import { act } from '../../../test/facts-of-parts.ts'
import { isRefusedBy } from './refused.ts'

const OPERATOR: Act = { by: { kind: 'operator', name: 'olga' }, reason: 'new colleague' }
const OWNER = { email: 'grace@example.test', name: 'Grace Hopper', permissions: ['admin.access'] }
const PASSWORD = 'nanoseconds of copper wire'

describe('an account that is added for somebody', () => {
  it('has no password; its owner chooses it behind the link, and enrolls, before anybody is signed in [RA-2202 RA-3201]', async (test) => {
    const world = await World.create(test)
    const { id, token } = await world.app.get(NewAccounts).add(OPERATOR, OWNER)
    const browser = world.browser()
    assert.equal((await world.identity.users.findByEmail(OWNER.email))?.passwordHash, null)

    const page = await browser.open(`/set-up/${token}`)
    const weak = await browser.submit(`/set-up/${token}`, { password: 'GraceHopper' })
    const chosen = await browser.submit(`/set-up/${token}`, { password: PASSWORD })

    assert.match(page.html, /Grace Hopper[\s\S]*grace@example\.test/)
    assert.deepEqual([weak.status, chosen.status, chosen.location], [422, 303, '/enroll'])
    assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual((await world.identity.users.authenticationIdentity(id))?.permissions, ['admin.access'])
    assert.deepEqual(await world.events({ id, email: OWNER.email, secret: undefined }), [
      'account-created',
      'permission-granted',
      'account-set-up',
    ])
  })

  it('the link works for a day, not after another one was made, and only without a password [RA-2202]', async (test) => {
    const world = await World.create(test)
    const [accounts, acts] = [world.app.get(NewAccounts), world.app.get(AccountActs)]
    const { id, token } = await accounts.add(OPERATOR, OWNER)
    const renewed = await accounts.renewLink(OPERATOR, id)
    const status = async (link: string): Promise<number> =>
      (await world.browser().open(`/set-up/${link}`)).status

    assert.deepEqual([await status(token), await status(renewed.token)], [410, 200])
    await acts.disable(OPERATOR, id)
    assert.equal(await status(renewed.token), 410)
    await acts.enable(OPERATOR, id)
    world.clock.advance(24 * 60 * 60 - 1)
    assert.equal(await status(renewed.token), 200)
    world.clock.advance(1)
    assert.equal(await status(renewed.token), 410)

    await world.database.updateTable('account').set({ password_hash: 'x' }).execute()
    await assert.rejects(accounts.renewLink(OPERATOR, id), isRefusedBy('already_set_up'))
  })

  it('is none that its owner is in with a factor, or was before a reset: neither gets a link to choose a password [RA-2202 RA-2903]', async (test) => {
    const world = await World.create(test)
    const own = { email: OWNER.email, name: OWNER.name, passwordHash: null }
    const id = await world.identity.users.add(own, world.clock)
    const { id: factor } = await world.identity.factors.add(id, 'Key', world.clock)
    await world.identity.factors.enableUnproven(factor, world.clock)
    const renew = (): Promise<unknown> => world.app.get(NewAccounts).renewLink(OPERATOR, id)

    await assert.rejects(renew(), isRefusedBy('already_set_up'))
    await world.app.get(AccountActs).resetFactors(OPERATOR, id)
    await assert.rejects(renew(), isRefusedBy('already_set_up'))
  })

  it('is refused for an address that is taken in another spelling, malformed, or without a name', async (test) => {
    const world = await World.create(test)
    const accounts = world.app.get(NewAccounts)
    await accounts.add(OPERATOR, OWNER)

    for (const [owner, code] of [
      [{ ...OWNER, email: ' GRACE@example.TEST ' }, 'address_taken'],
      [{ ...OWNER, email: 'grace' }, 'invalid_address'],
      [{ ...OWNER, email: 'a@b c' }, 'invalid_address'],
      [{ ...OWNER, email: 'other@example.test', name: ' ' }, 'invalid_name'],
    ] as const)
      await assert.rejects(accounts.add(OPERATOR, owner), isRefusedBy(code))
    assert.equal((await world.database.selectFrom('account').select('id').execute()).length, 1)
  })
})

testNewIdentifiers({
  'the first password of an account that was added': {
    gains: ['sets up a factor', 'needs no link'],
    before: async (test) => {
      const world = await World.create(test, demanding())
      const path = await act('addAccount')(world, { email: 'ada@example.test', name: 'Ada' })
      return formAt(world.browser(), path, { password: PASSWORD })
    },
  },
})
