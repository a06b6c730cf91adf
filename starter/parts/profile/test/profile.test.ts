import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { newestLink, signedIn } from '../../../test/flow/steps.ts'

const PROFILE = '/account/profile'
describe('the name of an account', () => {
  it('is changed by its owner, recorded without the name, and ends no session', async (test) => {
    const { world, person: ada, browser } = await signedIn(test, {})
    const other = world.browser()
    await other.signIn(ada)

    const form = await browser.open(PROFILE)
    const saved = await browser.submit(PROFILE, { name: ' Ada Lovelace ' })
    const again = await browser.submit(PROFILE, { name: 'Ada Lovelace' })

    assert.match(form.html, /name="name"[^>]*value="ada"/)
    assert.equal(again.status, 303)
    assert.deepEqual([saved.status, saved.location], [303, PROFILE])
    assert.match((await other.open('/account')).html, /Hello, Ada Lovelace/)
    assert.equal(world.mailbox.list().length, 0)
    const changes = (await world.events(ada)).filter((kind) => kind === 'name-changed')
    assert.equal(changes.length, 1, 'not where it is the same')
    const trail = JSON.stringify(await world.database.selectFrom('event').selectAll().execute())
    assert.equal(trail.includes('Lovelace'), false)
  })

  it('keeps controls, directions and line breaks out, here, at sign-up and for those whom others add', async (test) => {
    const { world, browser } = await signedIn(test, {})
    await browser.open(PROFILE)
    const newcomer = world.browser()
    await newcomer.send('/sign-up', { email: 'eve@example.test' })
    const link = newestLink(world)
    await newcomer.open(link)
    const { addAccount } = ofParts('acts')

    for (const name of ['Ada\nBcc: eve', 'Ada \u202Eecalevol', '\u00A0', 'a'.repeat(101), '']) {
      const refused = await browser.submit(PROFILE, { name })
      assert.deepEqual([refused.status, /aria-invalid="true"/.test(refused.html)], [422, true], name)
      const password = 'nanoseconds of copper wire'
      assert.equal((await newcomer.submit(link, { name, password })).status, 422, name)
      if (addAccount !== undefined)
        await assert.rejects(addAccount(world, { email: 'bob@example.test', name }), name)
    }

    assert.match((await browser.open('/account')).html, /Hello, ada/)
  })
})
