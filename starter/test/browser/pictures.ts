/** The pictures of the documentation, as WebP in `docs/pictures/`: `screenshots.ts --docs` takes them anew. @module */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { toWebp } from 'sallyport-app/testing/browser'
import { EVERY_PERMISSION, type Person } from '../support.ts'
import { Stage } from './stage.ts'
import { person } from './stages/people.ts'
import type { Visit } from './visit.ts'

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const QUALITY = 0.82
const ADA = { name: 'Ada Lovelace', email: 'ada@sallyport.test' }
const DESK = { width: 1200, height: 750 }
const TELEPHONE = { width: 390, height: 780 }

/** @param browser The browser. */
export async function takePicturesOfDocumentation(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  await Stage.use(browser, async (stage) => {
    const ada = await person(stage.world, { ...ADA, permissions: EVERY_PERMISSION })
    await takeAtDesk(stage, await stage.open({ viewport: DESK, colorScheme: 'light' }), ada)
    await takeOnTelephone(stage, await stage.open({ viewport: TELEPHONE, colorScheme: 'dark' }), ada)
  })
}

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
