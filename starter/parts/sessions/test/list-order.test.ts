import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../../../test/support.ts'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'] as const

describe('the lists of an account', () => {
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
