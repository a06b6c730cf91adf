import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'
import { newestLink } from './steps.ts'

describe('the field of a new password', () => {
  it('can be shown wherever one is chosen, by the button of the login page [RA-2902]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const [guest, browser] = [world.browser(), world.browser()]
    await guest.open('/sign-up')
    await guest.submit('/sign-up', { email: 'grace@example.test' })
    const confirm = newestLink(world)
    await guest.open('/forgot')
    await guest.submit('/forgot', { email: ada.email })
    const forgot = newestLink(world)
    await browser.signIn(ada)

    for (const [of, path] of [
      [guest, confirm],
      [guest, forgot],
      [browser, '/account/password'],
      [guest, '/login'],
    ] as const) {
      const { html, status } = await of.open(path)
      assert.equal(status, 200, path)
      // Without the script it shows no button that does nothing.
      assert.match(
        html,
        /<input type="password"[^>]*>\s*<button type="button" data-show="password"[^>]* hidden>/,
      )
      assert.match(html, /<script defer src="\/assets\/show-password[^"]*"/)
    }
  })
})
