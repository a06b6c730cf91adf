import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COOKIE, DAYS, LIFE_SECONDS, SECURITY } from '../flow/device-steps.ts'
import { PASSWORD } from '../support.ts'
import { missingBrowser } from './chromium.ts'
import { Stage } from './stage.ts'
import { BOX } from './stages/devices.ts'
import { World } from './world.ts'

const NAME = COOKIE.replace('__Host-', '')
const OPTIONS = { trustedDeviceDays: DAYS }

describe('a browser that is trusted', { skip: missingBrowser ?? false }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false])
    it(`by a box that is ticked by keyboard, and is asked for the password only, ${javaScriptEnabled ? 'with' : 'without'} script [RA-1801 RA-2902]`, () =>
      Stage.use(
        world.browser,
        async (stage) => {
          const ada = await stage.world.person('ada', { factor: 'enabled' })
          const visit = await stage.open({ javaScriptEnabled })
          const { page } = visit
          await stage.enterPassword(visit, ada)
          const box = page.getByLabel(BOX)
          assert.equal(await box.isChecked(), false)
          await box.focus()
          await page.keyboard.press('Space')
          assert.equal(await box.isChecked(), true)
          await page.getByLabel('Six-digit code').fill(await stage.code(ada))
          assert.equal((await visit.press('Enter')).path, '/account')
          const cookies = (await page.context().cookies()).filter(
            ({ name }) => name.replace(/-\d+$/, '') === NAME,
          )
          assert.deepEqual(
            cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path })),
            [{ httpOnly: true, sameSite: 'Lax', path: '/' }],
          )
          // Chromium takes the time of the machine, which goes on in between.
          const left = (cookies[0]?.expires ?? 0) - Date.now() / 1000
          assert.ok(Math.abs(left - LIFE_SECONDS) < 60, String(left))
          await visit.click('button', 'Sign out')

          await page.getByLabel('E-mail address').fill(ada.email)
          await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
          assert.equal((await visit.click('button', 'Continue')).path, '/account')

          await visit.open(SECURITY)
          const removed = await visit.after(() => page.locator('form[action$="/revoke"] button').click())
          assert.match(removed.notice, /The browser is no longer trusted/)
          assert.deepEqual(
            (await page.context().cookies()).filter(({ name }) => name.replace(/-\d+$/, '') === NAME),
            [],
          )
          await visit.click('button', 'Sign out')
          await stage.enterPassword(visit, ada)
          assert.equal((await visit.sight()).path, '/login/2fa')
        },
        OPTIONS,
      ))

  it('in two tabs that sign in one after the other goes on being trusted [RA-1801]', () =>
    Stage.use(
      world.browser,
      async (stage) => {
        const ada = await stage.world.person('ada', { factor: 'enabled' })
        const visit = await stage.open()
        const { page } = visit
        await stage.enterPassword(visit, ada)
        await page.getByLabel(BOX).check()
        await visit.enterCode(await stage.code(ada))
        for (let time = 0; time < 3; time += 1) {
          await visit.click('button', 'Sign out')
          await stage.enterPassword(visit, ada)
          assert.equal((await visit.sight()).path, '/account')
        }
      },
      OPTIONS,
    ))
})
