import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { missingBrowser } from 'sallyport-app/testing/browser'
import type { Request } from 'playwright-core'
import { PASSWORD } from '../support.ts'
import { Stage } from './stage.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

const DELAY = 60
// A connection as slow as a phone's: of two clicks without script, the second would cancel the first request.
const SLOW_MILLISECONDS = 300
const SLOW_DELAY = 250

// Waits for the pages that both clicks lead to, of which the first is cancelled or not.
async function clickTwice({ page }: Visit, name: string, delay: number): Promise<void> {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox()
  assert.ok(box !== null)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const open = new Set<Request>()
  let posts = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'document') open.add(request)
    if (request.method() === 'POST') posts += 1
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  await page.mouse.click(x, y)
  if (delay > 0) await pause(delay)
  await page.mouse.click(x, y)
  // At an answer that was faster than the second click, that click met another page.
  for (let idle = 0; idle < 10; idle = open.size === 0 && posts > 0 ? idle + 1 : 0) await pause(20)
  await page.waitForLoadState('load')
}

async function slow({ page }: Visit): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW_MILLISECONDS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}

function assertAt({ page }: Visit, path: string): void {
  assert.equal(new URL(page.url()).pathname, path)
}

describe('two clicks on one button', { skip: missingBrowser ?? false }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false])
    it(`a password leads on, ${javaScriptEnabled ? 'with' : 'without'} script [RA-2801 RA-2902]`, () =>
      Stage.use(world.browser, async (stage) => {
        const ada = await stage.world.person('ada', { factor: 'enabled' })
        const visit = await stage.open({ javaScriptEnabled })
        await visit.open('/login')
        await visit.page.getByLabel('Email address').fill(ada.email)
        await visit.page.getByLabel('Password', { exact: true }).fill(PASSWORD)

        await clickTwice(visit, 'Continue', DELAY)

        assertAt(visit, '/login/2fa')
      }))

  it('a code over a slow connection signs in [RA-2801 RA-2902]', () =>
    Stage.use(world.browser, async (stage) => {
      const ada = await stage.world.person('ada', { factor: 'enabled' })
      const visit = await stage.open({ javaScriptEnabled: false })
      await stage.enterPassword(visit, ada)
      await visit.page.getByLabel('Six-digit code').fill(await stage.code(ada))
      await slow(visit)

      await clickTwice(visit, 'Sign in', SLOW_DELAY)

      assertAt(visit, '/account')
    }))
})
