import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DomGlobals, missingBrowser, plainSite } from 'sallyport-app/testing/browser'
import type { Page } from 'playwright-core'
import type { Person } from '../support.ts'
import { Stage } from './stage.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false
const PRIVATE = /ada@example\.test|Recent activity|Audit trail/

describe('the story of an account in a browser', { skip }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false]) {
    it(`from a guarded page through both doors and out, ${javaScriptEnabled ? 'with' : 'without'} scripts [AUTH-25 TOPO-02 FLOW-03 FLOW-30 FLOW-33 FLOW-45 FLOW-46]`, () =>
      Stage.use(world.browser, async (stage) => {
        const ada = await stage.world.person('ada', { factor: 'enabled' })
        const visit = await stage.open({ javaScriptEnabled })

        assert.equal((await visit.open('/')).heading, 'Sign in safely')
        const guarded = await visit.open('/account/security')
        assert.equal(guarded.path, '/login?return_url=%2Faccount%2Fsecurity')
        await passFirstDoor(visit, ada)
        await passSecondDoor(visit, await stage.code(ada))
        assert.equal((await visit.sight()).path, '/account/security', 'the page that was asked for first')
        assert.equal((await visit.click('link', 'Account')).status, 200)
        await leave(visit)
      }))
  }
})

describe('the back button', { skip }, () => {
  const world = new World({ keepsPages: true })

  it('shows nothing private after logout, even where the browser keeps pages alive [FLOW-48]', async (test) => {
    const site = await plainSite(test)
    await Stage.use(world.browser, async (stage) => {
      const ada = await stage.world.person('ada', { factor: 'enabled' })
      const visit = await stage.open()
      assert.equal(await returnsAlive(visit.page, site), true, 'this browser keeps pages alive')
      await stage.signIn(visit, ada)
      await visit.open('/account/security')
      await visit.open('/account')
      assert.match(await visit.page.locator('main').innerText(), PRIVATE)
      await visit.click('button', 'Sign out')
      visit.problems()

      for (const before of ['/account', '/account/security', '/account', '/login/2fa', '/login']) {
        await visit.page.goBack({ waitUntil: 'commit' })
        assert.equal(
          await visit.page.locator('h1').innerText(),
          'Sign in',
          `back to ${before}: ${visit.page.url()}`,
        )
        // What the page still loads would be refused once the starter has ended.
        await visit.page.waitForLoadState('load')
        assert.doesNotMatch(await visit.page.locator('body').innerText(), PRIVATE)
      }
    })
  })
})

async function passFirstDoor(visit: Visit, person: Person): Promise<void> {
  const held = await visit.enterPassword(person)
  assert.deepEqual([held.path, held.status, held.focus], ['/login/2fa', 200, 'code'])
  assert.equal((await visit.open('/account')).path, '/login', 'between the doors nobody is anybody')
  assert.equal(await visit.page.getByRole('button', { name: 'Sign out' }).count(), 0)
  assert.equal((await visit.open('/login/2fa')).status, 200)
}

async function passSecondDoor(visit: Visit, code: string): Promise<void> {
  const inside = await visit.enterCode(`${code.slice(0, 3)} ${code.slice(3)}`)
  assert.equal(inside.status, 200)
  assert.equal(inside.heading, 'Sign-in and security')

  const cookies = await visit.page.context().cookies()
  const shapes = cookies.map(({ name, httpOnly, sameSite, path }) => ({
    name: name.replace(/-\d+$/, ''),
    httpOnly,
    sameSite,
    path,
  }))
  const ours = { httpOnly: true, sameSite: 'Lax', path: '/' }
  assert.deepEqual(shapes, [{ name: 'sid', ...ours }], 'scripts see no cookie')
  const { origins } = await visit.page.context().storageState()
  assert.deepEqual(origins, [], 'nothing is kept in the storage of the browser')
}

async function leave(visit: Visit): Promise<void> {
  const out = await visit.click('button', 'Sign out')
  assert.deepEqual([out.path, out.status], ['/login', 200])
  assert.match(out.notice, /signed out/)
  assert.equal((await visit.open('/account')).path, '/login')
  await visit.page.goBack()
  assert.doesNotMatch(await visit.page.locator('body').innerText(), PRIVATE)
  // What the page still loads would be refused once the starter has ended.
  await visit.page.waitForLoadState('networkidle')
}

async function returnsAlive(page: Page, url: string): Promise<boolean> {
  await page.goto(`${url}/one`)
  await page.evaluate(() => {
    const global = globalThis as unknown as DomGlobals
    global.addEventListener('pageshow', ({ persisted }) => (global.restored = persisted))
  })
  await page.goto(`${url}/two`)
  // A page that comes back alive is not loaded again.
  await page.goBack({ waitUntil: 'commit' })
  return page.evaluate(() => (globalThis as unknown as DomGlobals).restored ?? false)
}
