/**
 * Run by hand: `node --conditions=sallyport-source starter/test/browser/screenshots.ts OUTDIR` takes a picture of every page, at
 * the widths of a telephone and of a desk, light and dark. `--language=TAG` takes them in another language, `--only=WORD`
 * those of scenes with this word in their name. With `--docs` in place of the folder it takes those of `docs/pictures/`.
 *
 * @module
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from 'sallyport-app/testing/browser'
import type { Browser } from 'playwright-core'
import { takePicturesOfDocumentation } from './pictures.ts'
import { Stage } from './stage.ts'
import { SCENES } from './stages/all.ts'
import type { Visit } from './visit.ts'

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
