import { createHash } from 'node:crypto'
import { Controller, defineModule, type ModuleDefinition } from 'sallyport'
import type { Actions } from 'sallyport/routing'

/** What the pages of an application look like. */
export interface BrandLook {
  /** The icon in the tabs of browsers, as SVG. */
  readonly icon: string
  /** Custom properties of the style sheet: each color of light pages, and of dark ones. */
  readonly colors: Readonly<Record<string, readonly [light: string, dark: string]>>
}

/**
 * Names the version of the files of a brand, which is in their URLs, so that browsers may keep them until the brand changes.
 *
 * @param look What the pages look like.
 * @returns The version: the value of `v` in the query of both.
 */
export function brandVersion(look: BrandLook): string {
  return createHash('sha256')
    .update(stylesOf(look) + look.icon)
    .digest('hex')
    .slice(0, 12)
}

/**
 * Makes the module of the files of a brand: `brand:styles` with the colors, and `brand:icon`. Nobody is asked for who they are.
 *
 * @param look What the pages look like.
 * @returns The module.
 */
export function brandModule(look: BrandLook): ModuleDefinition {
  const styles = stylesOf(look)
  class BrandController extends Controller {
    static readonly actions: Actions<BrandController> = { styles: [], icon: [] }

    styles(): Response {
      return kept(styles, 'text/css; charset=utf-8')
    }

    icon(): Response {
      return kept(look.icon, 'image/svg+xml')
    }
  }
  return defineModule('Brand', (module) =>
    module
      .mount('brand')
      .withoutConventionRouting()
      .controllers(BrandController)
      .routes((routes) => {
        routes.get('/styles.css', [BrandController, 'styles']).name('styles')
        routes.get('/icon.svg', [BrandController, 'icon']).name('icon')
      }),
  )
}

function stylesOf({ colors }: BrandLook): string {
  const [light, dark] = [0, 1].map((index) => {
    const properties = Object.entries(colors).map(([name, color]) => `--${name}: ${color[index]};`)
    return `:root { ${properties.join(' ')} }`
  })
  return `${light}\n@media (prefers-color-scheme: dark) { ${dark} }\n`
}

function kept(content: string, type: string): Response {
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
  return new Response(content, { headers })
}
