/** The router as a contestant of the lookup bench: one module for each first segment of the table. @module */
import {
  param,
  type Route,
  type RouteMatch,
  Router,
  type Routes,
  type ControllerClass,
} from '../../src/routing/index.ts'
import type { ActionParameter } from '../../src/routing/declaration/parameter.ts'
import type { ModuleRouting } from '../../src/routing/internal.ts'
import { loadExpressions } from '../../src/routing/expression/late-expressions.ts'

await loadExpressions()

interface Row {
  readonly id: number
  readonly method: string
  readonly path: string
}

/** Name in the tables. */
export const name = 'sallyport'
/** Not a package: this checkout. */
export const pkg = null

const MOUNT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

let router = new Router({ modules: [] })

/**
 * Builds the router.
 *
 * @param table The routes: `:name` is one segment, a final `*` takes the rest.
 */
export function build(table: readonly Row[]): void {
  const groups = new Map<string, Row[]>()
  for (const row of table) {
    const end = row.path.indexOf('/', 1)
    const first = row.path.slice(1, end === -1 ? undefined : end)
    const key = first.startsWith(':') || first === '*' ? '' : first
    const rows = groups.get(key)
    if (rows === undefined) groups.set(key, [row])
    else rows.push(row)
  }
  const controllers = new Map<string, ControllerClass>()
  const modules = [...groups].map(([segment, rows]) => moduleOf(segment, rows, controllers))
  router = new Router({ modules })
  // Tables are compiled on first use; with EAGER=1 the build uses each of them once.
  if (process.env.EAGER === '1') for (const segment of groups.keys()) router.match('GET', `/${segment}/-/-/-`)
}

/**
 * Resolves a request, locale, entry point and slash policy included.
 *
 * @param method The HTTP method.
 * @param path The path.
 * @returns The match.
 */
export function lookup(method: string, path: string): RouteMatch {
  return router.match(method, path)
}

function idOf({ name }: Route['target']): number {
  return Number(name)
}

/**
 * @param match Result of a lookup.
 * @returns The id of the route, -1 for a 404, -2 for a 405.
 */
export function id(match: RouteMatch & Partial<Pick<Route, 'target'>>): number {
  const { target } = match
  if (target === undefined) return match.kind === 'methodNotAllowed' ? -2 : -1
  // The dispatcher's slot stores the id.
  return target.built(idOf)
}

/**
 * @param match A route.
 * @param _name Name of a placeholder.
 * @param index Its position in the path.
 * @returns Its value.
 */
export function param_(match: Route, _name: string, index: number): unknown {
  return match.args[index]
}
export { param_ as param }

/** @returns A note on when tables are compiled. */
export function note(): string {
  return process.env.EAGER === '1' ? 'every table compiled by the build' : 'tables compile at first use'
}

function moduleOf(
  segment: string,
  rows: readonly Row[],
  controllers: Map<string, ControllerClass>,
): ModuleRouting {
  const isMount = segment === '' || MOUNT.test(segment)
  const declare = (routes: Routes): void => {
    const start = segment === '' ? 0 : segment.length + 1
    for (const row of rows) declareRow(routes, { row, start }, controllers)
  }
  return {
    name: segment,
    segment: isMount ? segment : segment.replaceAll('_', '-'),
    mount: segment === '' ? '/' : isMount ? segment : segment.replaceAll('_', '-'),
    localized: false,
    convention: false,
    controllers: [],
    middlewares: [],
    steps: [isMount ? { kind: 'table', declare } : { kind: 'claim', path: `/${segment}`, declare }],
  }
}

function declareRow(
  routes: Routes,
  { row, start }: { readonly row: Row; readonly start: number },
  controllers: Map<string, ControllerClass>,
): void {
  const segments = ['']
  const names: string[] = []
  for (const text of row.path.slice(start + 1).split('/')) {
    const name = text === '*' ? 'rest' : text.startsWith(':') ? text.slice(1) : ''
    if (name !== '') names.push(name)
    segments.push(name === '' ? text : `{${name}}`)
  }
  const path = start === row.path.length ? '' : segments.join('/')
  const key = names.join(',')
  const controller = controllers.get(key) ?? controllerOf(key)
  controllers.set(key, controller)
  const route = routes.map([row.method], path, [controller, 'run' as never]).name(String(row.id))
  if (path.endsWith('/{rest}')) route.where('rest', '.*')
}

function controllerOf(key: string): ControllerClass {
  const run: ActionParameter[] =
    key === '' ? [] : key.split(',').map((placeholder) => param.string(placeholder))
  return class RowController {
    static readonly actions = { run }
    run(): void {}
  }
}
