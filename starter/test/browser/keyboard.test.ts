import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DomGlobals, missingBrowser } from 'sallyport-app/testing/browser'
import { BRAND } from '../../core/brand.ts'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../support.ts'
import { Stage } from './stage.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false

describe('the keyboard', { skip }, () => {
  const world = new World()

  it('reaches everything in visual order, with a visible focus ring', () =>
    Stage.use(world.browser, async (stage) => {
      const ada = await stage.world.person('ada', { factor: 'enabled' })
      const visit = await stage.open()
      const { page } = visit

      await visit.open('/')
      assert.deepEqual(await walk(page, 4), ['Skip to content', BRAND.name, 'Sign in', 'Sign in'])
      assert.equal((await visit.press('Enter')).path, '/login')

      await page.keyboard.type(ada.email)
      assert.deepEqual(await walk(page, 1), ['Password'])
      await page.keyboard.type('wrong')
      assert.equal((await visit.press('Enter')).focus, 'password')
      await page.keyboard.type(PASSWORD)
      assert.deepEqual(await walk(page, 3), ['Show: Password', 'Forgot your password?', 'Continue'])
      assert.equal((await visit.press('Enter')).path, '/login/2fa')

      await page.keyboard.type(await stage.code(ada))
      assert.deepEqual(await walk(page, 1), ['Sign in'])
      assert.equal((await visit.press('Enter')).path, '/account')

      const inside = ['Skip to content', BRAND.name, 'Account', 'Sign out']
      assert.deepEqual(await walk(page, inside.length), inside)
      assert.match((await visit.press('Enter')).notice, /signed out/)
    }))

  it('skips the navigation', () =>
    Stage.use(world.browser, async (stage) => {
      const visit = await stage.open()

      await visit.open('/')
      assert.deepEqual(await walk(visit.page, 1), ['Skip to content'])
      const box = await visit.page.getByRole('link', { name: 'Skip to content' }).boundingBox()
      assert.ok(box !== null && box.y >= 0, 'the link is seen while it is in focus')
      await visit.page.keyboard.press('Enter')

      await visit.page.keyboard.press('Tab')
      const isInMain = await visit.page.locator('main :focus').count()
      assert.equal(isInMain, 1)
    }))
})

// Presses Tab that many times, returns the names of the focused elements, and asserts that each shows its focus.
async function walk(page: Page, steps: number): Promise<readonly string[]> {
  const names: string[] = []
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab')
    const { name, ring, size } = await page.evaluate(() => {
      const { document, getComputedStyle } = globalThis as unknown as DomGlobals
      const element = document.activeElement ?? document.body
      const style = getComputedStyle(element)
      const [label] = element.labels ?? []
      const { width, height } = element.getBoundingClientRect()
      return {
        name: ((label ?? element).textContent ?? '').trim(),
        ring: `${style.getPropertyValue('outline-style')} ${style.getPropertyValue('outline-width')}`,
        size: Math.min(width, height),
      }
    })
    assert.equal(ring, 'solid 3px', `${name} is marked`)
    assert.ok(size >= 24, `${name} is large enough to be hit: ${size} px`)
    names.push(name)
  }
  return names
}
