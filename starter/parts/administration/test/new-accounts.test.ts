import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AccountActs } from '../account-acts.ts'
import { NewAccounts } from '../new-accounts.ts'
import type { Act } from '../acts.ts'
import { World } from '../../../test/support.ts'
import { isRefusedBy } from './refused.ts'

const OPERATOR: Act = { by: { kind: 'operator', name: 'olga' }, reason: 'new colleague' }
const OWNER = { email: 'grace@example.test', name: 'Grace Hopper', permissions: ['admin.access'] }
const PASSWORD = 'nanoseconds of copper wire'

describe('an account that is added for somebody', () => {
  it('has no password; its owner chooses it behind the link, and enrolls, before anybody is signed in [RA-2202 RA-3201 MEND-07]', async (test) => {
    const world = await World.create(test)
    const { id, token } = await world.app.get(NewAccounts).add(OPERATOR, OWNER)
    const browser = world.browser()
    assert.equal((await world.identity.users.findByEmail(OWNER.email))?.passwordHash, null)

    const page = await browser.open(`/set-up/${token}`)
    const before = browser.sessionId
    const weak = await browser.submit(`/set-up/${token}`, { password: 'GraceHopper' })
    const chosen = await browser.submit(`/set-up/${token}`, { password: PASSWORD })

    assert.match(page.html, /Grace Hopper[\s\S]*grace@example\.test/)
    assert.deepEqual([weak.status, chosen.status, chosen.location], [422, 303, '/enroll'])
    assert.equal(await browser.isSignedIn(), false)
    assert.notEqual(browser.sessionId, before)
    assert.deepEqual((await world.identity.users.authenticationIdentity(id))?.permissions, ['admin.access'])
    assert.deepEqual(await world.events({ id, email: OWNER.email, secret: undefined }), [
      'account-created',
      'permission-granted',
      'account-set-up',
    ])
  })

  it('gets another link, which ends the one before and does not work while it is disabled, only as long as it has neither password nor factor, nor had one before a reset [RA-2202 RA-2903]', async (test) => {
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

    const { id: factor } = await world.identity.factors.add(id, 'Key', world.clock)
    await world.identity.factors.enableUnproven(factor, world.clock)
    const refuses = (): Promise<void> =>
      assert.rejects(accounts.renewLink(OPERATOR, id), isRefusedBy('already_set_up'))
    await refuses()
    await acts.resetFactors(OPERATOR, id)
    await refuses()
    await world.database.deleteFrom('new_factor').execute()
    await accounts.renewLink(OPERATOR, id)
    await world.database.updateTable('account').set({ password_hash: 'x' }).execute()
    await refuses()
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
