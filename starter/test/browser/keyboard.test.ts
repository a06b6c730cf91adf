import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import { Stage } from './stage.ts'
import { World } from './world.ts'

describe('the keyboard', { skip: missingBrowser ?? false }, () => {
  const world = new World()

  it('skips the navigation', () =>
    Stage.use(world.browser, async (stage) => {
      const { page } = await stage.open()
      await page.goto('/')

      await page.keyboard.press('Tab')
      const box = await page.locator(':focus').boundingBox()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')

      assert.ok(box !== null && box.y >= 0, 'the link is seen while it is in focus')
      assert.equal(await page.locator('main :focus').count(), 1)
    }))
})
