/**
 * Run by hand: `node --conditions=sallyport-source starter/test/browser/screenshots.ts OUTDIR` takes a picture of every page, at
 * the widths of a telephone and of a desk, light and dark. `--language=de` takes them in German, `--only=WORD` those of scenes with
 * this word in their name. With `--docs` in place of the folder it takes those of `docs/pictures/`.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { layAccounts, type Person, StarterProcess } from '../crash/starter-process.ts'
import { launchBrowser } from './chromium.ts'
import { seeAdministration } from './admin-scenes.ts'
import { takePicturesOfDocumentation } from './pictures.ts'
import { ADA, type Look, LONG, seeFault, seeInside, seeOutside, seeSignUp, seeThrottled } from './scenes.ts'
import { GRACE, seeSessions } from './session-scenes.ts'
import { seeSecurity } from './security-scenes.ts'
import { seeHelp, seeTokens } from './token-scenes.ts'
import { Stage } from './stage.ts'
import { SCENES } from './stages/all.ts'
import { Visit } from './visit.ts'

const VARIANTS = [
  { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
] as const

interface Variant {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
  readonly locale: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { docs: { type: 'boolean' }, language: { type: 'string' }, only: { type: 'string' } },
})
const browser = await launchBrowser()
try {
  if (values.docs === true) await takePicturesOfDocumentation(browser)
  else await takeEverywhere(browser, positionals[0])
} finally {
  await browser.close()
}

async function takeEverywhere(from: Browser, target: string | undefined): Promise<void> {
  if (target === undefined)
    throw new TypeError('Cannot take pictures without a folder: pass one as the argument')
  mkdirSync(target, { recursive: true })
  for (const { viewport, colorScheme } of VARIANTS) {
    const variant = { viewport, colorScheme, locale: values.language ?? 'en' }
    await takePicturesOfScenes(from, variant, target)
    if (values.only === undefined) await takePictures(from, variant, target)
  }
}

// A starter of its own for each variant: every code works once, and the last page breaks the database.
async function takePictures(from: Browser, variant: Variant, target: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-pictures-'))
  const laid = await layAccounts(directory, [ADA, LONG, GRACE])
  const [ada, long, grace] = laid as readonly [Person, Person, Person]
  const starter = await StarterProcess.start({ directory })
  const cleanUp: (() => Promise<void>)[] = []
  const test = { after: (hook: () => Promise<void>) => void cleanUp.push(hook) }
  const open = (): Promise<Visit> => Visit.begin(test, from, { url: starter.site, ...variant })
  try {
    const outside = await open()
    await seeOutside(outside, ada, camera(outside))
    await seeThrottled(outside, { ...long, email: 'somebody@sallyport.test' }, camera(outside))
    const newcomer = await open()
    await seeSignUp(newcomer, camera(newcomer))
    const plain = await open()
    await seeInside(plain, long, camera(plain, 'long'))
    const inside = await open()
    await seeInside(inside, ada, camera(inside))
    await seeAdministration(inside, camera(inside))
    await seeTokens(inside, camera(inside))
    await seeSecurity(inside, ada, camera(inside))
    await seeHelp(inside, camera(inside))
    const travelling = await open()
    await seeSessions(travelling, await open(), { person: grace, look: camera(travelling) })
    await seeFault(inside, directory, camera(inside))
    for (const hook of cleanUp) await hook()
  } finally {
    await starter.stop()
    rmSync(directory, { recursive: true })
  }

  function camera(visit: Visit, kind?: string): Look {
    return (name) => take(visit, variant, join(target, kind === undefined ? name : `${name}-${kind}`))
  }
}

async function takePicturesOfScenes(from: Browser, variant: Variant, target: string): Promise<void> {
  for (const scene of SCENES.filter(({ name }) => name.includes(values.only ?? '')))
    await Stage.play({
      browser: from,
      scene,
      window: variant,
      look: (visit, name) => take(visit, variant, join(target, name)),
    })
}

async function take({ page }: Visit, { viewport, colorScheme }: Variant, path: string): Promise<void> {
  await page.screenshot({ path: `${path}-${viewport.width}-${colorScheme}.png`, fullPage: true })
}
