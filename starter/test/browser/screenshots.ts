/**
 * Run by hand: `node --conditions=sallyport-source starter/test/browser/screenshots.ts OUTDIR` takes a picture of every page, at
 * the widths of a telephone and of a desk, light and dark. `--language=TAG` takes them in another language, `--only=WORD`
 * those of scenes with this word in their name.
 *
 * @module
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from 'sallyport-app/testing/browser'
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
  options: { language: { type: 'string' }, only: { type: 'string' } },
})
const [target] = positionals
if (target === undefined)
  throw new TypeError('Cannot take pictures without a folder: pass one as the argument')
mkdirSync(target, { recursive: true })
const browser = await launchBrowser()
try {
  for (const { viewport, colorScheme } of VARIANTS)
    await takePicturesOfScenes({ viewport, colorScheme, locale: values.language ?? 'en' }, target)
} finally {
  await browser.close()
}

async function takePicturesOfScenes(variant: Variant, folder: string): Promise<void> {
  for (const scene of SCENES.filter(({ name }) => name.includes(values.only ?? '')))
    await Stage.play({
      browser,
      scene,
      window: variant,
      look: (visit, name) => take(visit, variant, join(folder, name)),
    })
}

async function take({ page }: Visit, { viewport, colorScheme }: Variant, path: string): Promise<void> {
  await page.screenshot({ path: `${path}-${viewport.width}-${colorScheme}.png`, fullPage: true })
}
