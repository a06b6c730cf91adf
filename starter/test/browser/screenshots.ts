/**
 * Run by hand: `node --conditions=source starter/test/browser/screenshots.ts OUTDIR` takes a picture of every page, at
 * the widths of a telephone and of a desk, light and dark.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { Authenticator, layAccounts, type Person, StarterProcess } from '../crash/starter-process.ts'
import { launchBrowser } from './chromium.ts'

const VARIANTS = [
  { width: 360, height: 740, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
] as const

type Variant = (typeof VARIANTS)[number]

interface Scene {
  readonly url: string
  readonly page: Page
  readonly shoot: (name: string) => Promise<void>
}

const folder = process.argv[2]
if (folder === undefined) throw new TypeError('Cannot take pictures without a folder: give one as the argument')
mkdirSync(folder, { recursive: true })
const directory = mkdtempSync(join(tmpdir(), 'sallyport-pictures-'))
const people = await layAccounts(
  directory,
  VARIANTS.flatMap((_, index) => [
    { name: 'Ada Lovelace', email: `ada${index}@sallyport.test`, permissions: ['admin.access'] },
    { name: 'Charles Babbage', email: `charles${index}@sallyport.test` },
  ]),
)
const starter = await StarterProcess.start({ directory })
const browser = await launchBrowser()
try {
  const inside: Scene[] = []
  for (const [index, variant] of VARIANTS.entries()) {
    const [admin, plain] = people.slice(2 * index)
    if (admin === undefined || plain === undefined) throw new RangeError('Too few accounts')
    await shootOutside(await open(browser, variant), admin)
    await shootForbidden(await open(browser, variant), plain)
    const scene = await open(browser, variant)
    await shootInside(scene, admin)
    inside.push(scene)
  }
  const accounts = new DatabaseSync(join(directory, 'accounts.sqlite'))
  accounts.exec('ALTER TABLE event RENAME TO gone')
  accounts.close()
  for (const { url, page, shoot } of inside) {
    await page.goto(`${url}/account`)
    await shoot('15-error-500')
  }
} finally {
  await browser.close()
  await starter.stop()
  rmSync(directory, { recursive: true })
}

async function open(from: Browser, { width, height, colorScheme }: Variant): Promise<Scene> {
  const context = await from.newContext({ viewport: { width, height }, colorScheme })
  const page = await context.newPage()
  const shoot = async (name: string): Promise<void> => {
    await page.screenshot({ path: join(folder ?? '', `${name}-${width}-${colorScheme}.png`), fullPage: true })
  }
  return { url: starter.url, page, shoot }
}

async function shootOutside({ url, page, shoot }: Scene, person: Person): Promise<void> {
  await page.goto(`${url}/`)
  await shoot('01-home')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await shoot('01b-home-focus')
  await page.goto(`${url}/login`)
  await shoot('02-login')
  await enterPassword(page, { ...person, password: 'wrong' })
  await shoot('03-login-error')
  await enterPassword(page, person)
  await shoot('04-challenge')
  await page.goto(`${url}/login`)
  await shoot('04b-login-pending')
  await page.goto(`${url}/login/2fa`)
  const wrong = await new Authenticator(person).wrong()
  await enterCode(page, wrong)
  await shoot('05-challenge-error')
  for (let tries = 0; tries < 4; tries += 1) await enterCode(page, wrong)
  await shoot('06-challenge-spent')
  await enterPassword(page, person)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL('**/login')
  await shoot('07-cancelled')
  for (let tries = 0; tries < 11; tries += 1) {
    await enterPassword(page, { ...person, email: 'somebody@sallyport.test', password: 'wrong' })
    if (await page.getByText('Too many attempts').isVisible()) break
  }
  await shoot('08-login-429')
  await page.goto(`${url}/nothing-here`)
  await shoot('09-error-404')
}

async function shootForbidden({ url, page, shoot }: Scene, person: Person): Promise<void> {
  await signIn(page, url, person)
  await shoot('10-account-plain')
  await page.goto(`${url}/admin`)
  await shoot('11-error-403')
}

async function shootInside({ url, page, shoot }: Scene, person: Person): Promise<void> {
  await signIn(page, url, person)
  await shoot('12-account')
  await page.goto(`${url}/admin`)
  await shoot('13-admin')
  await page.goto(`${url}/`)
  await shoot('14-home-inside')
}

async function signIn(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(`${url}/login`)
  await enterPassword(page, person)
  await enterCode(page, await new Authenticator(person).next())
  await page.waitForURL('**/account')
}

async function enterPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await answered(page)
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.locator('[name=code]').fill(code)
  await answered(page)
}

async function answered(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}
