/** Which pages the application has. @module */
import { app } from '../../sallyport.ts'
import { ofParts } from '../facts-of-parts.ts'

/** GET routes that show no page, and why. */
export const NO_PAGES: Readonly<Record<string, string>> = {
  '/assets/{path}': 'files',
  '/vendor/{path}': 'files',
  '/healthz': 'words for programs',
  '/readyz': 'words for programs',
  '/brand/styles.css': 'a file',
  '/brand/icon.svg': 'a file',
  ...ofParts('noPages'),
}

/** @returns The GET routes of the application with every module, as it lists them; those of a resolver as `/*`. */
export async function getRoutes(): Promise<readonly string[]> {
  const application = await app()
  await application.boot()
  const routes = (await application.inspection()).routes()
  await application.close()
  const shown = routes.filter(({ methods, kind }) => methods.includes('GET') || kind === 'resolver')
  return [...new Set(shown.flatMap(({ paths }) => paths.map(({ path }) => path)))]
}
