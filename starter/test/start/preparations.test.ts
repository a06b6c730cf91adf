import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Permissions } from '../../core/accounts/permissions.ts'
import { banner } from '../../core/boot/banner.ts'
import { DEMO_EMAIL, prepareDemoAccount } from '../../core/boot/demo-account.ts'
import { World } from '../support.ts'

describe('prepareDemoAccount()', () => {
  it('makes one account with one factor, however many processes start at once, and however often', async (test) => {
    const world = await World.create(test)
    const prepare = () => prepareDemoAccount(world.app, world.clock)

    const made = [...(await Promise.all([prepare(), prepare(), prepare()])), await prepare()]

    assert.equal(new Set(made.map((demo) => demo?.secret.reveal())).size, 1)
    assert.equal((await world.database.selectFrom('factor').select('id').execute()).length, 1)
    assert.equal((await world.database.selectFrom('account').select('id').execute()).length, 1)
  })

  it('gives it the permissions that parts have got since it was made', async (test) => {
    const world = await World.create(test)
    await prepareDemoAccount(world.app, world.clock)
    const count = async (): Promise<number> =>
      (await world.database.selectFrom('account_permission').select('permission').execute()).length
    const before = await count()
    await world.database.deleteFrom('account_permission').execute()

    await prepareDemoAccount(world.app, world.clock)

    assert.equal(before, world.app.get(Permissions).all.length)
    assert.equal(await count(), before)
  })

  it('adds the factor to an account whose first start was cut off', async (test) => {
    const world = await World.create(test)
    await prepareDemoAccount(world.app, world.clock)
    await world.database.deleteFrom('factor').execute()

    await prepareDemoAccount(world.app, world.clock)

    const account = await world.identity.users.findByEmail(DEMO_EMAIL)
    assert.equal(await world.identity.secondFactors.isRequired(account?.id ?? ''), true)
  })
})

describe('banner()', () => {
  it('says where the mailbox is, and nothing of one where there is none', () => {
    const [url, data] = ['http://localhost:3000', '/data']
    const facts = { url, listensOn: 'http://0.0.0.0:3000', data, demo: undefined }

    const lines = banner({ ...facts, hasMailbox: true }, process.stdout)

    assert.match(lines, /its mail, for this machine only: http:\/\/localhost:3000\/dev\/mail/)
    assert.match(lines, /Listening on: http:\/\/0\.0\.0\.0:3000/)
    assert.doesNotMatch(banner({ ...facts, hasMailbox: false }, process.stdout), /mail/)
  })
})
