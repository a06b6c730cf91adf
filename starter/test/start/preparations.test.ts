import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Permissions } from '../../core/accounts/permissions.ts'
import { bannerOf } from '../../core/boot/banner.ts'
import { DEMO_EMAIL, DEMO_PASSWORD, prepareDemoAccount } from '../../core/boot/demo-account.ts'
import { codeAt, World } from '../support.ts'

describe('prepareDemoAccount()', () => {
  it('makes an account that goes through both doors', async (test) => {
    const world = await World.create(test)

    const demo = await prepareDemoAccount(world.app, world.clock)

    assert.ok(demo !== undefined)
    const person = { id: '', email: DEMO_EMAIL, secret: demo.secret }
    const browser = world.browser()
    await browser.password(person, DEMO_PASSWORD)
    const page = await browser.code(await codeAt(person, world.clock.timestamp()))
    assert.equal(page.location, '/account')
  })

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

describe('bannerOf()', () => {
  it('says where the mailbox is, and nothing of one where there is none', () => {
    const notesOf = (hasMailbox: boolean) =>
      bannerOf('http://localhost:3000', { demo: undefined, hasMailbox }).notes?.flat().join()

    assert.match(notesOf(true) ?? '', /its mail, for this machine only: http:\/\/localhost:3000\/dev\/mail/)
    assert.equal(notesOf(false), '')
  })
})
