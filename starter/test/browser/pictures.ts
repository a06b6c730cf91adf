/** The pictures of the documentation, as WebP in `docs/pictures/`: `screenshots.ts --docs` takes them anew. @module */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { toWebp } from 'sallyport-app/testing/browser'
import {
  Authenticator,
  layAccounts,
  type Person,
  type PersonToLay,
  StarterProcess,
} from '../crash/starter-process.ts'
import { EVERY_PERMISSION } from '../support.ts'
import { Visit } from './visit.ts'

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const QUALITY = 0.82
const ADA: PersonToLay = {
  name: 'Ada Lovelace',
  email: 'ada@sallyport.test',
  permissions: EVERY_PERMISSION,
}
const DESK = { width: 1200, height: 750 }
const TELEPHONE = { width: 390, height: 780 }

/** @param browser The browser. */
export async function takePicturesOfDocumentation(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-pictures-'))
  const [ada] = (await layAccounts(directory, [ADA])) as readonly [Person]
  const starter = await StarterProcess.start({ directory })
  const closing: (() => Promise<void>)[] = []
  const cleaner = { after: (hook: () => Promise<void>): void => void closing.push(hook) }
  const open = (options: BrowserContextOptions): Promise<Visit> =>
    Visit.begin(cleaner, browser, { url: starter.site, ...options })
  try {
    const app = new Authenticator(ada)
    await takeAtDesk(await open({ viewport: DESK, colorScheme: 'light' }), ada, app)
    await takeOnTelephone(await open({ viewport: TELEPHONE, colorScheme: 'dark' }), ada, app)
    for (const close of closing) await close()
  } finally {
    await starter.stop()
    rmSync(directory, { recursive: true })
  }
}

async function takeAtDesk(desk: Visit, ada: Person, app: Authenticator): Promise<void> {
  await desk.open('/login')
  await desk.page.getByLabel('Email address').fill(ada.email)
  await take(desk, 'sign-in')
  await desk.enterPassword(ada)
  await take(desk, 'code')
  await desk.enterCode(await app.next())
  await take(desk, 'account')
  await desk.open('/account/sessions')
  await desk.page.emulateMedia({ colorScheme: 'dark' })
  await take(desk, 'sessions-dark')
}

async function takeOnTelephone(phone: Visit, ada: Person, app: Authenticator): Promise<void> {
  await phone.open('/login')
  await take(phone, 'sign-in-phone')
  await phone.enterPassword(ada)
  await phone.enterCode(await app.next())
  await take(phone, 'account-phone')
}

async function take({ page }: Visit, name: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  writeFileSync(join(FOLDER, `${name}.webp`), await toWebp(page, QUALITY))
}
