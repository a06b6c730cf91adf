import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DomGlobals, missingBrowser } from 'sallyport-app/testing/browser'
import { Stage } from './stage.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
const ADD = '/account/security/add'

/** What the link and the key of the page say. */
async function setupOf({ page }: Visit): Promise<{ readonly link: URL; readonly key: string }> {
  const link = page.getByRole('link', { name: 'Open in the app on this device' })
  assert.ok(await link.isVisible())
  const key = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
  return { link: new URL((await link.getAttribute('href')) ?? ''), key }
}

describe('setting up an authenticator on the telephone that shows the picture', { skip }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false])
    it(`has a link that opens the app, ${javaScriptEnabled ? 'and a button that copies the key' : 'and no button that would do nothing'} [RA-1103]`, () =>
      Stage.use(world.browser, async (stage) => {
        const ada = await stage.world.person('ada', { factor: 'enabled' })
        const visit = await stage.open({ ...PHONE, javaScriptEnabled })
        const { page } = visit
        await stage.signIn(visit, ada)
        await visit.open(ADD)

        const { link, key } = await setupOf(visit)

        assert.equal(link.protocol, 'otpauth:')
        assert.equal(link.searchParams.get('secret'), key)
        assert.match(decodeURIComponent(link.pathname), /ada@/)
        const button = page.getByRole('button', { name: 'Copy the key' })
        assert.equal(await button.isVisible(), javaScriptEnabled)
        for (const target of await page.locator('.key .button:visible').all()) {
          const { height = 0 } = (await target.boundingBox()) ?? {}
          assert.ok(height >= 24, 'large enough for a finger')
        }
      }))

  it('copies the key without the spaces, says so, and selects it where copying is refused [RA-1103]', () =>
    Stage.use(world.browser, async (stage) => {
      const ada = await stage.world.person('ada', { factor: 'enabled' })
      const visit = await stage.open()
      const { page } = visit
      const context = page.context()
      await stage.signIn(visit, ada)
      await visit.open(ADD)
      const { key } = await setupOf(visit)

      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy the key' }).click()
      await page.getByRole('button', { name: 'The key is copied' }).waitFor()
      const copied = await page.evaluate(() =>
        (globalThis as unknown as DomGlobals).navigator.clipboard.readText(),
      )

      assert.equal(copied, key)
      assert.equal((await visit.sight()).notice, 'The key is copied')

      await visit.open(ADD)
      await page.evaluate(() => {
        const { clipboard } = (globalThis as unknown as DomGlobals).navigator
        clipboard.writeText = () => Promise.reject(new Error('refused'))
      })
      await page.getByRole('button', { name: 'Copy the key' }).click()
      await page.waitForFunction(() =>
        Boolean((globalThis as unknown as DomGlobals).getSelection()?.toString()),
      )
      const selected = await page.evaluate(() =>
        (globalThis as unknown as DomGlobals).getSelection()?.toString(),
      )
      assert.equal(selected?.replaceAll(/\s/g, ''), (await setupOf(visit)).key)
    }))
})
