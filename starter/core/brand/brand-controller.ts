import { createHash } from 'node:crypto'
import { Controller } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { BRAND } from '../brand.ts'

const [LIGHT, DARK] = [0, 1].map((index) => {
  const properties = Object.entries(BRAND.colors).map(([name, color]) => `--${name}: ${color[index]};`)
  return `:root { ${properties.join(' ')} }`
})
const STYLES = `${LIGHT}\n@media (prefers-color-scheme: dark) { ${DARK} }\n`

/** In the URLs of both files, so that browsers may keep them until the brand changes. */
export const BRAND_VERSION: string = createHash('sha256')
  .update(STYLES + BRAND.icon)
  .digest('hex')
  .slice(0, 12)

/** The files that are made of `brand.ts`. */
export class BrandController extends Controller {
  static readonly actions: Actions<BrandController> = { styles: [], icon: [] }

  styles(): Response {
    return kept(STYLES, 'text/css; charset=utf-8')
  }

  icon(): Response {
    return kept(BRAND.icon, 'image/svg+xml')
  }
}

function kept(content: string, type: string): Response {
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
  return new Response(content, { headers })
}
