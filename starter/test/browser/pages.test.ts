import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { Authenticator, type Person } from '../crash/starter-process.ts'
import { missingBrowser } from './chromium.ts'
import type { DomGlobals } from './dom.ts'
import { assertGoodPage } from './page-checks.ts'
import { seeAdministration } from './admin-scenes.ts'
import { ADA, type Look, LONG, seeFault, seeInside, seeOutside, seeSignUp, seeThrottled } from './scenes.ts'
import { GRACE, seeSessions } from './session-scenes.ts'
import { seeSecurity } from './security-scenes.ts'
import { seeHelp, seeTokens } from './token-scenes.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false

describe('every page', { skip }, () => {
  const world = new World()

  it('fits 320 px, has enough contrast, labels and announced errors [FLOW-42 FLOW-48 FLOW-49 RA-3103]', async (test) => {
    const { directory, people, visit } = await world.start(test, [ADA, GRACE, LONG])
    const [ada, grace] = people as readonly [Person, Person]
    const outside = await visit()
    const inside = await visit()

    await seeOutside(outside, ada, judge(outside))
    await seeThrottled(outside, { ...ada, email: 'somebody@sallyport.test' }, judge(outside))
    const newcomer = await visit()
    await seeSignUp(newcomer, judge(newcomer))
    await seeInside(inside, ada, judge(inside))
    await seeAdministration(inside, judge(inside))
    await seeTokens(inside, judge(inside))
    await seeSecurity(inside, ada, judge(inside))
    await seeHelp(inside, judge(inside))
    const travelling = await visit()
    await seeSessions(travelling, await visit(), { person: grace, look: judge(travelling) })
    await seeFault(inside, directory, judge(inside))
  })

  it('fits names and addresses of maximum length [AUTH-27]', async (test) => {
    const { people, visit: open } = await world.start(test, [LONG])
    const [long] = people as readonly [Person]
    const visit = await open()

    await seeInside(visit, long, judge(visit))

    assert.equal((await visit.open('/admin')).status, 403)
    assert.equal(await visit.page.getByRole('link', { name: 'Administration' }).count(), 0)
  })

  function judge({ page }: Visit): Look {
    return async (name) => {
      await assertGoodPage(page, name)
      await assertErrorIsTied(page, name)
      for (const form of await page.locator('form[method=post]').all()) {
        assert.match(
          (await form.locator('input[name=_csrf]').getAttribute('value')) ?? '',
          /^\S{20,}$/,
          `${name}: token`,
        )
      }
    }
  }
})

describe('the keyboard', { skip }, () => {
  const world = new World()

  it('reaches everything in visual order, with a visible focus ring', async (test) => {
    const { starter, visit: open } = await world.start(test)
    const visit = await open()
    const { page } = visit

    await visit.open('/')
    assert.deepEqual(await walk(page, 4), ['Skip to content', 'Sallyport starter', 'Sign in', 'Sign in'])
    assert.equal((await visit.press('Enter')).path, '/login')

    await page.keyboard.type(starter.demo.email)
    assert.deepEqual(await walk(page, 1), ['Password'])
    await page.keyboard.type('wrong')
    assert.equal((await visit.press('Enter')).focus, 'password')
    await page.keyboard.type(starter.demo.password)
    assert.deepEqual(await walk(page, 3), ['Show: Password', 'Forgot your password?', 'Continue'])
    assert.equal((await visit.press('Enter')).path, '/login/2fa')

    await page.keyboard.type(await new Authenticator(starter.demo).next())
    assert.deepEqual(await walk(page, 2), ['Sign in', 'Lost access to your second step?'])
    await page.keyboard.press('Shift+Tab')
    assert.equal((await visit.press('Enter')).path, '/account')

    const inside = ['Skip to content', 'Sallyport starter', 'Account', 'Administration', 'Sign out']
    assert.deepEqual(await walk(page, 5), inside)
    assert.match((await visit.press('Enter')).notice, /signed out/)
  })

  it('skips the navigation', async (test) => {
    const { visit: open } = await world.start(test)
    const visit = await open()

    await visit.open('/')
    assert.deepEqual(await walk(visit.page, 1), ['Skip to content'])
    const box = await visit.page.getByRole('link', { name: 'Skip to content' }).boundingBox()
    assert.ok(box !== null && box.y >= 0, 'the link is seen while it is in focus')
    await visit.page.keyboard.press('Enter')

    await visit.page.keyboard.press('Tab')
    const isInMain = await visit.page.locator('main :focus').count()
    assert.equal(isInMain, 1)
  })
})

async function assertErrorIsTied(page: Page, name: string): Promise<void> {
  const invalid = await page.locator('[aria-invalid=true]').count()
  if (invalid === 0) return
  assert.equal(
    await page.locator('[role=alert]:visible, .error:visible').count(),
    1,
    `${name}: one error is announced`,
  )
  assert.match(await page.title(), /^Error: /, `${name}: the title says it first`)
}

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
