import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import { CORE_TEXTS, LANGUAGE_NAMES } from '../../core/messages/language.ts'
import { needsTwo, OTHER, saidInOther } from '../languages.ts'
import { Stage } from './stage.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false

describe('languages and times in a browser', { skip }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false])
    it(
      `the language is chosen in the foot of a page, which returns, ${javaScriptEnabled ? 'with' : 'without'} script [RA-3101]`,
      needsTwo,
      () =>
        Stage.use(world.browser, async (stage) => {
          const visit = await stage.open({ javaScriptEnabled })
          await visit.open('/login')

          await visit.click('link', 'Language: English')
          const chosen = await visit.click('button', LANGUAGE_NAMES[OTHER])

          assert.deepEqual([chosen.path, chosen.heading], ['/login', saidInOther('sign-in.title')])
          const link = saidInOther('layout.language', { name: LANGUAGE_NAMES[OTHER] })
          assert.equal((await visit.click('link', link)).heading, saidInOther('language.title'))
        }),
    )

  it('a script shows times in the zone of the reader, with the exact UTC beside them [RA-3102]', () =>
    Stage.use(world.browser, async (stage) => {
      const ada = await stage.world.person('ada', { factor: 'enabled' })
      const visit = await stage.open({ timezoneId: 'Asia/Kathmandu', locale: OTHER })
      await stage.signIn(visit, ada)

      const time = visit.page.locator('time').first()
      const [iso = '', exact = '', text] = [
        await time.getAttribute('datetime'),
        await time.getAttribute('title'),
        await time.innerText(),
      ].map((value) => value ?? '')

      assert.match(exact, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
      assert.equal(iso, exact.replace(' ', 'T').replace(' UTC', 'Z'))
      const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
      const format = { ...day, hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Kathmandu' } as const
      assert.equal(text, new Intl.DateTimeFormat(CORE_TEXTS[OTHER].about.dates, format).format(new Date(iso)))
    }))
})
