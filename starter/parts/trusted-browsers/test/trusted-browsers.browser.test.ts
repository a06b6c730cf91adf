import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from '../../../test/browser/chromium.ts'
import { testScenes } from '../../../test/browser/play-scenes.ts'
import { Stage } from '../../../test/browser/stage.ts'
import { World } from '../../../test/browser/world.ts'
import { SECURITY } from '../../../test/flow/door-steps.ts'
import { OTHERS } from '../../../test/languages.ts'
import { PASSWORD } from '../../../test/support.ts'
import { BOX, SCENES } from './scenes.ts'
import { COOKIE, DAYS, LIFE_SECONDS } from './steps.ts'

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

          await page.getByLabel('Email address').fill(ada.email)
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
})

testScenes(SCENES)
for (const language of OTHERS) testScenes(SCENES, language)
