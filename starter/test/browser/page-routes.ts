/** Which pages the application has, and which of them a path shows. @module */
import { app } from '../../sallyport.ts'
import { ofParts } from '../facts-of-parts.ts'

/** GET routes that show no page, and why. */
export const NO_PAGES: Readonly<Record<string, string>> = {
  '/assets/{path}': 'files',
  '/vendor/{path}': 'files',
  '/healthz': 'words for programs',
  '/readyz': 'words for programs',
  ...ofParts('noPages'),
}

/**
 * @returns The GET routes of the application with every module, as it lists them; those of a resolver as `/*`.
 */
export async function getRoutes(): Promise<readonly string[]> {
  const application = await app()
  await application.boot()
  const routes = (await application.inspection()).routes()
  await application.close()
  const shown = routes.filter(({ methods, kind }) => methods.includes('GET') || kind === 'resolver')
  return [...new Set(shown.flatMap(({ paths }) => paths.map(({ path }) => path)))]
}

/**
 * @param path Path of a page.
 * @param routes The routes of the application.
 * @returns The route that shows it: of several, the one with the fewest placeholders.
 * @throws {TypeError} If none does.
 */
export function routeOf(path: string, routes: readonly string[]): string {
  const placeholders = (route: string): number => route.split(/[{*]/).length
  const fitting = routes.filter((route) => patternOf(route).test(path))
  const [route] = fitting.toSorted((one, other) => placeholders(one) - placeholders(other))
  if (route === undefined) throw new TypeError(`Cannot find the route of ${path}`)
  return route
}

function patternOf(route: string): RegExp {
  const source = route.replaceAll(/\{[^}]*\}/g, '[^/]+').replace(/\*$/, '[^/]+')
  return new RegExp(`^${source}$`)
}
