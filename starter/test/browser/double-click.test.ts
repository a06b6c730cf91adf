import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Request } from 'playwright-core'
import { DAYS } from '../flow/device-steps.ts'
import { PASSWORD, type Person } from '../support.ts'
import { missingBrowser } from './chromium.ts'
import { Stage } from './stage.ts'
import { BOX } from './stages/devices.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

const DELAYS = [0, 20, 40, 60, 90]
// The second click cancels the first request, wherever the server is with it.
const EXPLAINED =
  /No sign-in is under way in this browser|You signed in or out in another window|This page was out of date|This sign-in is over/

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

async function fill({ page }: Visit, { email }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
}

async function assertExplained({ page }: Visit, arrived: readonly string[]): Promise<void> {
  const { pathname } = new URL(page.url())
  if (!arrived.includes(pathname)) assert.match((await page.textContent('body')) ?? '', EXPLAINED)
}

describe('two clicks on one button, without script', { skip: missingBrowser ?? false }, () => {
  const world = new World()

  for (const delay of DELAYS) {
    it(`RA-2801, RA-2902: a password, ${delay} ms apart, leads on or says why not`, () =>
      Stage.use(world.browser, async (stage) => {
        const ada = await stage.world.person('ada', { factor: 'enabled' })
        const visit = await stage.open({ javaScriptEnabled: false })
        await visit.open('/login')
        await fill(visit, ada)

        await clickTwice(visit, 'Continue', delay)

        await assertExplained(visit, ['/login/2fa'])
      }))

    it(`RA-2801, RA-2902: a code, ${delay} ms apart, leads on or says why not`, () =>
      Stage.use(world.browser, async (stage) => {
        const ada = await stage.world.person('ada', { factor: 'enabled' })
        const visit = await stage.open({ javaScriptEnabled: false })
        await stage.enterPassword(visit, ada)
        await visit.page.getByLabel('Six-digit code').fill(await stage.code(ada))

        await clickTwice(visit, 'Sign in', delay)

        await assertExplained(visit, ['/account'])
      }))

    it(`RA-1801, RA-2902: a password in a trusted browser, ${delay} ms apart, leads on or says why not`, () =>
      Stage.use(
        world.browser,
        async (stage) => {
          const ada = await stage.world.person('ada', { factor: 'enabled' })
          const visit = await stage.open({ javaScriptEnabled: false })
          await stage.enterPassword(visit, ada)
          await visit.page.getByLabel(BOX).check()
          await visit.enterCode(await stage.code(ada))
          await visit.click('button', 'Sign out')
          await fill(visit, ada)

          await clickTwice(visit, 'Continue', delay)

          await assertExplained(visit, ['/account', '/login/2fa'])
        },
        { trustedDeviceDays: DAYS },
      ))
  }
})
