import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { inOneLine } from '../core/internal.ts'
import type { Inspection } from '../inspection/internal.ts'
import { type ListedRoute } from '../inspection/index.ts'
import { type RouteFilter, UsageError } from './command-line.ts'
import { haveSameMeaning } from './same-meaning.ts'
import type { Terminal } from './terminal.ts'
import { textTable } from './text-table.ts'

/**
 * Lists the URLs of an application.
 *
 * @param inspection Its inspection.
 * @param asked `filter`: which URLs; `json`: machine-readable output.
 * @param terminal Where to write.
 */
export function listRoutes(
  inspection: Inspection,
  { filter, json }: { readonly filter: RouteFilter; readonly json: boolean },
  terminal: Terminal,
): void {
  const routes = inspection.routes().filter((route) => isWanted(route, filter))
  if (json) {
    terminal.printJson(routes)
    return
  }
  const hasLocales = routes.some(({ paths }) => paths.some(({ locale }) => locale !== null))
  const rows = routes.flatMap((route) =>
    pathsOf(route, filter).map(({ locale, path }) =>
      [
        route.methods.join('|'),
        path,
        ...(hasLocales ? [locale ?? ''] : []),
        route.kind === 'resolver' ? `${route.action} (resolver, priority ${route.priority})` : route.action,
        route.name ?? '',
        route.middlewares.join(', '),
        route.module,
      ].map(inOneLine),
    ),
  )
  const header = [
    'METHOD',
    'PATH',
    ...(hasLocales ? ['LOCALE'] : []),
    'ACTION',
    'NAME',
    'MIDDLEWARES',
    'MODULE',
  ]
  const order = ['MIDDLEWARES', 'ACTION', 'PATH', 'NAME', 'MODULE', 'METHOD']
  const shrinks = order.map((title) => header.indexOf(title))
  const [head = '', ...lines] = textTable(header, rows, { width: terminal.width, shrinks })
  terminal.print(terminal.style('bold', head))
  for (const line of lines) terminal.print(line)
  if (rows.length === 0) terminal.print('no URL fits')
}

/** Location of the declaration file. */
export interface TypesTarget {
  /** The file, or `-` for standard output. */
  readonly out: string
  /** The current directory. */
  readonly directory: string
}

/**
 * Writes the declaration file of an application.
 *
 * @param inspection Its inspection.
 * @param target Where to write the file.
 * @param terminal Where to write messages, and the file when it goes to standard output.
 * @throws {RoutingException} If a route table cannot be compiled.
 * @throws {UsageError} If the file cannot be written.
 */
export function writeTypes(
  inspection: Inspection,
  { out, directory }: TypesTarget,
  terminal: Terminal,
): void {
  const { text, names } = inspection.declaration()
  if (out === '-') {
    terminal.print(text.trimEnd())
    return
  }
  const file = resolve(directory, out)
  using(file, 'written', () => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  })
  const { length } = inspection.locales
  terminal.print(`${inOneLine(relative(directory, file))}: ${names} names, ${length} locales`)
}

/**
 * Compares the declaration file of an application with its routes, by meaning and without writing.
 *
 * @param inspection Its inspection.
 * @param target Location of the file.
 * @param terminal Where to write messages.
 * @returns Whether the file is up to date.
 * @throws {RoutingException} If a route table cannot be compiled.
 * @throws {UsageError} If the file cannot be read.
 */
export function checkTypes(
  inspection: Inspection,
  { out, directory }: TypesTarget,
  terminal: Terminal,
): boolean {
  const { text } = inspection.declaration()
  const file = resolve(directory, out)
  const name = inOneLine(relative(directory, file))
  const written = existsSync(file) ? using(file, 'read', () => readFileSync(file, 'utf8')) : undefined
  if (written !== undefined && haveSameMeaning(written, text)) {
    terminal.print(terminal.style('green', `${name} is up to date`))
    return true
  }
  const fault = written === undefined ? 'is not there' : 'is out of date'
  const command = `sallyport routes --types${out === 'routes.d.ts' ? '' : ` --out ${inOneLine(out)}`}`
  terminal.print(terminal.style('red', `${name} ${fault}: write it with "${command}"`))
  return false
}

// A folder of that name, a file in place of a folder, or no permission.
function using<T>(file: string, what: string, use: () => T): T {
  try {
    return use()
  } catch (cause) {
    const { message } = cause as Error
    throw new UsageError(`${file} cannot be ${what}: ${message}`, { cause })
  }
}

function isWanted(route: ListedRoute, { module, method, path }: RouteFilter): boolean {
  if (module !== undefined && route.module.toLowerCase() !== module.toLowerCase()) return false
  if (method !== undefined && !route.methods.includes(method) && !route.methods.includes('*')) return false
  return path === undefined || route.paths.some((each) => each.path.includes(path))
}

function pathsOf({ paths }: ListedRoute, { path }: RouteFilter): ListedRoute['paths'] {
  return path === undefined ? paths : paths.filter((each) => each.path.includes(path))
}
