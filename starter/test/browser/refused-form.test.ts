import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import type { Locator, Page } from 'playwright-core'
import { Authenticator } from '../crash/starter-process.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false
const TYPED = `"><b>o'hara</b>&amp;@sallyport.test`

/** An element, as the page sees it. */
interface Changeable {
  setAttribute(name: string, value: string): void
}

describe('a refused form in a browser', { skip }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without'

    it(`keeps the address and not the password, ${how} scripts [PAGE-01 PAGE-02]`, async (test) => {
      const { starter, visit: open } = await world.start(test)
      const visit = await open({ javaScriptEnabled })
      const { page } = visit
      await visit.open('/login?return_url=/account/security')
      // Browsers check an address themselves; what they let through is checked again.
      await page
        .locator('input[name=email]')
        .evaluate((field: Changeable) => field.setAttribute('type', 'text'))

      const refused = await visit.enterPassword({ ...starter.demo, email: TYPED }, 'hunter2 hunter2')

      assert.deepEqual([refused.path, refused.status, refused.focus], ['/login', 422, 'password'])
      assert.equal(await page.locator('input[name=email]').inputValue(), TYPED)
      assert.equal(await page.locator('input[name=password]').inputValue(), '')
      assert.equal(await page.locator('main b').count(), 0)
      assert.equal((await page.content()).includes('hunter2'), false)
      for (const name of ['email', 'password'])
        assert.match(await descriptionOf(page, name), /This address and password do not match/)

      // The page works: corrected, it signs in, and leads where it was to lead at first.
      await visit.enterPassword(starter.demo)
      const inside = await visit.enterCode(await new Authenticator(starter.demo).next())
      assert.deepEqual([inside.path, inside.status], ['/account/security', 200])
    })

    it(`says beside the field what is wrong with a code, and keeps no code, ${how} scripts [PAGE-01 PAGE-02]`, async (test) => {
      const { starter, visit: open } = await world.start(test)
      const visit = await open({ javaScriptEnabled })
      const { page } = visit
      await visit.open('/login')
      await visit.enterPassword(starter.demo)
      const before = await descriptionOf(page, 'code', false)

      const wrong = await new Authenticator(starter.demo).wrong()
      const refused = await visit.enterCode(wrong)

      assert.deepEqual([refused.path, refused.status, refused.focus], ['/login/2fa', 422, 'code'])
      assert.equal(await page.locator('input[name=code]').inputValue(), '')
      assert.equal((await page.content()).includes(wrong), false)
      const after = await descriptionOf(page, 'code')
      assert.ok(after.startsWith(before), 'the hint still describes the field')
      assert.match(after, /That code is wrong or was used before\. 4 attempts are left\./)
      assert.ok(await isBelow(page.locator('#code-error'), page.locator('input[name=code]')))
    })
  }
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
