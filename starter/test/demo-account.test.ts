import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEMO_EMAIL, prepareDemoAccount } from '../core/boot/demo-account.ts'
import { codeAt, World } from './support.ts'

const DEVELOPMENT = { isProduction: false }
const PRODUCTION = { isProduction: true }

describe('prepareDemoAccount()', () => {
  it('makes an account that goes through both doors and to the page behind the permission', async (test) => {
    const world = await World.create(test)

    const demo = await prepareDemoAccount(world.app, world.clock, DEVELOPMENT)

    assert.ok(demo !== undefined)
    const browser = world.browser()
    await browser.password(demo, demo.password.reveal())
    const page = await browser.code(await codeAt({ id: '', ...demo }, world.clock.timestamp()))
    assert.equal(page.location, '/account')
    assert.equal((await browser.open('/admin')).status, 200)
  })

  it('gives the same account and secret at the next start', async (test) => {
    const world = await World.create(test)

    const [first, second] = [
      await prepareDemoAccount(world.app, world.clock, DEVELOPMENT),
      await prepareDemoAccount(world.app, world.clock, DEVELOPMENT),
    ]

    assert.equal(second?.secret.reveal(), first?.secret.reveal())
    assert.equal(second?.password.reveal(), first?.password.reveal())
    assert.equal((await world.database.selectFrom('account').select('id').execute()).length, 1)
  })

  it('makes one account with one factor, however many processes start at once', async (test) => {
    const world = await World.create(test)

    const made = await Promise.all(
      Array.from({ length: 5 }, () => prepareDemoAccount(world.app, world.clock, DEVELOPMENT)),
    )

    assert.equal(new Set(made.map((demo) => demo?.secret.reveal())).size, 1)
    assert.equal((await world.database.selectFrom('factor').select('id').execute()).length, 1)
    assert.equal((await world.database.selectFrom('account').select('id').execute()).length, 1)
  })

  it('adds the factor to an account whose first start was cut off', async (test) => {
    const world = await World.create(test)
    await prepareDemoAccount(world.app, world.clock, DEVELOPMENT)
    await world.database.deleteFrom('factor').execute()

    const demo = await prepareDemoAccount(world.app, world.clock, DEVELOPMENT)

    const account = await world.identity.users.findByEmail(DEMO_EMAIL)
    assert.ok(demo !== undefined)
    assert.equal(await world.identity.secondFactors.isRequired(account?.id ?? ''), true)
  })

  it('has a random password in production, shown once', async (test) => {
    const [one, two] = [await World.create(test), await World.create(test)]

    const first = await prepareDemoAccount(one.app, one.clock, PRODUCTION)
    const again = await prepareDemoAccount(one.app, one.clock, PRODUCTION)
    const other = await prepareDemoAccount(two.app, two.clock, PRODUCTION)

    assert.ok(first !== undefined && other !== undefined)
    assert.ok(first.password.reveal().length >= 16)
    assert.notEqual(first.password.reveal(), other.password.reveal())
    assert.equal(again, undefined)
    assert.equal((await one.browser().password(first, first.password.reveal())).location, '/login/2fa')
  })
})
