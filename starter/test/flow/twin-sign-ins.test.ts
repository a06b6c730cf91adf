import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type Page, PASSWORD, World } from '../support.ts'
import { DOOR } from './door-steps.ts'

const DELAYS = [0, 5]

/** The form of the password twice, as a double click sends it: the same form and, unless one was answered, the same cookies. */
async function twice(browser: Browser, email: string, delay: number): Promise<readonly [Page, Page]> {
  const { html } = await browser.open('/login')
  const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const form = { email, password: PASSWORD, _csrf: token }
  const first = browser.submit('/login', form)
  await pause(delay)
  return Promise.all([first, browser.submit('/login', form)])
}

describe('the form of the password, sent twice at once', () => {
  for (const delay of DELAYS)
    it(`leads to the second door once, ${delay} ms apart [FLOW-09]`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()

      const pages = await twice(browser, ada.email, delay)

      assert.ok(pages.some(({ location }) => location === DOOR))
      assert.equal((await browser.open(DOOR)).status, 200)
      assert.equal((await browser.submit(DOOR, { code: await world.code(ada) })).location, '/account')
      assert.equal(await browser.isSignedIn(), true)
    })
})
