/** The routes of the application, for tests that walk all of them. @module */
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, EVERY_PERMISSION, type Person, type World } from '../support.ts'

// Those who come there have no cookies and no pages.
const PROGRAMS = ['/assets', ...Object.keys(ofParts('programs'))]

const PLACEHOLDERS: Readonly<Record<string, string>> = { '{locale}': 'en', ...ofParts('placeholders') }

/** A method at a path. */
export interface Route {
  readonly path: string
  readonly method: string
}

/** What fills the placeholders of paths, by the beginning of the path. */
export type Values = Readonly<Record<string, string>>

/** Every route of the application, its placeholders filled. */
export async function routesOf(world: World, values: Values = {}): Promise<readonly Route[]> {
  await world.app.boot()
  const routes = (await world.app.inspection()).routes().filter(({ kind }) => kind !== 'resolver')
  const all = routes.flatMap(({ methods, paths }) =>
    paths.flatMap(({ path }) => methods.map((method) => ({ method, path: filled(path, values) }))),
  )
  return all.filter(({ path }) => !PROGRAMS.some((start) => `${path}/`.startsWith(`${start}/`)))
}

function filled(path: string, values: Values): string {
  const [, id = 'seven'] = Object.entries(values).find(([start]) => path.startsWith(start)) ?? []
  return path.replaceAll(/\{[^}]*\}/g, (placeholder) => PLACEHOLDERS[placeholder] ?? id)
}

/** Somebody who may do everything, with every kind of factor, signed in, and the identifiers of what is on the pages. */
export async function everywhere(
  world: World,
): Promise<{ readonly inside: Browser; readonly root: Person; readonly values: Values }> {
  const root = await world.person('root', { factor: 'enabled', permissions: EVERY_PERMISSION })
  const bob = await world.person('bob', { factor: 'enabled' })
  const inside = await world.inside(root)
  for (const { hold } of Object.values(ofParts('doors'))) await hold?.(world, root.id)
  const [factor] = await world.identity.factors.list(root.id)
  return {
    inside,
    root,
    values: {
      '/account/security/factors/': factor?.id ?? '',
      ...Object.fromEntries(Object.keys(ofParts('ofAccounts')).map((start) => [start, bob.id])),
    },
  }
}
