import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { launchBrowser, missingBrowser } from 'sallyport-app/testing/browser'
import { Closing } from 'sallyport-app/testing'
import { Visit } from '../../../test/browser/visit.ts'
import { World } from '../../../test/support.ts'
import { VirtualKey } from 'sallyport-app/testing/authenticators'

const skip = missingBrowser ?? false

describe('a browser that holds passkeys', { skip }, () => {
  const hosts = {
    'forgets the one that was removed, where the host has nothing but the application': 80,
    'keeps it where others may be on the host, whose it may be': 8080,
  }
  for (const [sentence, shown] of Object.entries(hosts))
    it(`${sentence} [RA-1201 MEND-08]`, async (test) => {
      const url = shown === 80 ? 'http://localhost' : `http://localhost:${shown}`
      const closing = new Closing()
      const world = await World.create(test, { origin: () => url })
      const { port } = new URL(await world.listen(test))
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = await launchBrowser({ hosts: `MAP localhost:${shown} 127.0.0.1:${port}` })
      test.after(() => closing.close().finally(() => browser.close()))
      const visit = await Visit.begin(closing, browser, { url })
      const key = await VirtualKey.plugIn(visit)
      await visit.open('/login')
      await visit.enterPassword(ada)
      await visit.enterCode(await world.code(ada))
      await visit.open('/account/passkeys/new')
      await visit.page.getByLabel('Name').fill('Blue key')
      assert.match((await visit.click('button', 'Add a passkey')).notice, /The passkey was added/)
      const kept = async (): Promise<number> => (await key.credentials()).length
      const before = await kept()

      await visit.after(() =>
        visit.page
          .getByRole('link', { name: /^Remove.*Blue key/ })
          .first()
          .click(),
      )
      await visit.click('button', 'Remove')

      if (shown === 80) while ((await kept()) > 0) await visit.page.waitForTimeout(50)
      else await visit.page.waitForTimeout(1000)
      assert.deepEqual([before, await kept()], [1, shown === 80 ? 0 : 1])
    })
})
