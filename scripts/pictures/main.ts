/**
 * Run by hand: `node --conditions=sallyport-source scripts/pictures/main.ts` takes the pictures of the documentation anew, as WebP in
 * `docs/pictures/`.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser, toWebp } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import { Stage } from '../../starter/test/browser/stage.ts'
import { person } from '../../starter/test/browser/stages/people.ts'
import type { Visit } from '../../starter/test/browser/visit.ts'
import { EVERY_PERMISSION, type Person } from '../../starter/test/support.ts'

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const QUALITY = 0.82
const ADA = { name: 'Ada Lovelace', email: 'ada@sallyport.test' }
const DESK = { width: 1200, height: 750 }
const TELEPHONE = { width: 390, height: 780 }

mkdirSync(FOLDER, { recursive: true })
const browser = await launchBrowser()
await Stage.use(browser, async (stage) => {
  const ada = await person(stage.world, { ...ADA, permissions: EVERY_PERMISSION })
  await takeAtDesk(stage, await stage.open({ viewport: DESK, colorScheme: 'light' }), ada)
  await takeOnTelephone(stage, await stage.open({ viewport: TELEPHONE, colorScheme: 'dark' }), ada)
})
await browser.close()

async function takeAtDesk(stage: Stage, desk: Visit, ada: Person): Promise<void> {
  await desk.open('/login')
  await desk.page.getByLabel('Email address').fill(ada.email)
  await take(desk, 'sign-in')
  await desk.enterPassword(ada)
  await take(desk, 'code')
  await desk.enterCode(await stage.code(ada))
  await take(desk, 'account')
  await desk.open('/account/sessions')
  await desk.page.emulateMedia({ colorScheme: 'dark' })
  await take(desk, 'sessions-dark')
}

async function takeOnTelephone(stage: Stage, phone: Visit, ada: Person): Promise<void> {
  await phone.open('/login')
  await take(phone, 'sign-in-phone')
  await phone.enterPassword(ada)
  await phone.enterCode(await stage.code(ada))
  await take(phone, 'account-phone')
}

async function take({ page }: Visit, name: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  writeFileSync(join(FOLDER, `${name}.webp`), await toWebp(page, QUALITY))
}
