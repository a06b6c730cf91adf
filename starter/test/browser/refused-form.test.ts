import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import type { Locator, Page } from 'playwright-core'
import { Stage } from './stage.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false
const TYPED = `"><b>o'hara</b>&amp;@sallyport.test`

/** An element, as the page sees it. */
interface Changeable {
  setAttribute(name: string, value: string): void
}

describe('a refused form in a browser', { skip }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false])
    it(`keeps the address, and neither password nor code, and says beside each field what is wrong, ${javaScriptEnabled ? 'with' : 'without'} scripts [PAGE-01 PAGE-02]`, () =>
      Stage.use(world.browser, async (stage) => {
        const ada = await stage.world.person('ada', { factor: 'enabled' })
        const visit = await stage.open({ javaScriptEnabled })
        const { page } = visit
        await visit.open('/login?return_url=/account/security')
        // Browsers check an address themselves; what they let through is checked again.
        await page
          .locator('input[name=email]')
          .evaluate((field: Changeable) => field.setAttribute('type', 'text'))

        const refused = await visit.enterPassword({ email: TYPED }, 'hunter2 hunter2')

        assert.deepEqual([refused.path, refused.status, refused.focus], ['/login', 422, 'password'])
        assert.equal(await page.locator('input[name=email]').inputValue(), TYPED)
        assert.equal(await page.locator('input[name=password]').inputValue(), '')
        assert.equal(await page.locator('main b').count(), 0)
        assert.equal((await page.content()).includes('hunter2'), false)
        for (const name of ['email', 'password'])
          assert.match(await descriptionOf(page, name), /This address and password do not match/)

        // The page works: corrected, it leads on.
        await visit.enterPassword(ada)
        const before = await descriptionOf(page, 'code', false)
        const wrong = await stage.world.wrongCode(ada)
        const missed = await visit.enterCode(wrong)

        assert.deepEqual([missed.path, missed.status, missed.focus], ['/login/2fa', 422, 'code'])
        assert.equal(await page.locator('input[name=code]').inputValue(), '')
        assert.equal((await page.content()).includes(wrong), false)
        const after = await descriptionOf(page, 'code')
        assert.ok(after.startsWith(before), 'the hint still describes the field')
        assert.match(after, /That code is wrong or was used before\. 4 attempts are left\./)
        assert.ok(await isBelow(page.locator('#code-error'), page.locator('input[name=code]')))

        // And to where it was to lead at first.
        const inside = await visit.enterCode(await stage.code(ada))
        assert.deepEqual([inside.path, inside.status], ['/account/security', 200])
      }))
})

/** What a screen reader says of a field after its name. */
async function descriptionOf(page: Page, name: string, isInvalid = true): Promise<string> {
  const field = page.locator(`input[name=${name}]`)
  assert.equal(await field.getAttribute('aria-invalid'), isInvalid ? 'true' : null)
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))
  return texts.join(' ')
}

async function isBelow(one: Locator, other: Locator): Promise<boolean> {
  const [lower, upper] = await Promise.all([one.boundingBox(), other.boundingBox()])
  assert.ok(lower !== null && upper !== null, 'both are seen')
  const gap = lower.y - (upper.y + upper.height)
  return gap >= 0 && gap < upper.height
}
