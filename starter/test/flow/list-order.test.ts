import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orderedId } from '../../database/ordered-id.ts'
import { createDeviceToken } from '../../identity/devices/device-cookie.ts'
import { World } from '../support.ts'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'] as const

describe('the lists of an account', () => {
  it('have the newest trusted browser first, also within a second [RA-1801 RA-1001]', async (test) => {
    const world = await World.create(test, { trustedDeviceDays: 30 })
    const { id: accountId } = await world.person('ada', { factor: 'enabled' })
    const { devices } = world.identity
    for (const device of NAMES) {
      const to = createDeviceToken(orderedId(world.clock))
      const owner = { accountId, credentialVersion: 1, clientAddress: '', device: `${device}/Linux` }
      await devices.trust(world.database, owner, { from: undefined, to })
    }

    const listed = await devices.list(accountId)

    assert.deepEqual(
      listed.map(({ device }) => device.browser),
      NAMES.toReversed(),
    )
  })

  it('have the newest session first after the own one, whichever was used since [RA-1901]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const browsers = NAMES.map(() => world.browser())
    for (const browser of browsers) {
      world.clock.advance(10)
      await browser.signIn(ada)
    }
    world.clock.advance(120)
    for (const browser of browsers.toReversed()) {
      world.clock.advance(5)
      await browser.open('/account')
    }
    const [own] = browsers

    const { html = '' } = (await own?.open('/account/sessions')) ?? {}

    const began = [...html.matchAll(/signed in\s*<time datetime="([^"]+)"/g)].map(([, time]) => time)
    assert.equal(began.length, NAMES.length)
    assert.deepEqual(began.slice(1), began.slice(1).toSorted().toReversed())
    assert.equal(began[0], began.toSorted()[0])
  })
})
