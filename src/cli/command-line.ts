import { parseArgs } from 'node:util'

/** The command line is invalid, or a file that it names does not exist. */
export class UsageError extends Error {}

/** A parsed command line. */
export type Command = { readonly kind: 'help' } | (LoadingCommand & Loaded)

/** The application that a command loads, and how long that may take. */
interface Loaded {
  readonly app: string | undefined
  /** Time limit for booting in seconds; undefined for the default. */
  readonly timeout: number | undefined
}

type LoadingCommand =
  | {
      readonly kind: 'routes'
      readonly json: boolean
      readonly filter: RouteFilter
    }
  | {
      readonly kind: 'types'
      readonly out: string
      /** Whether the file is compared instead of written. */
      readonly check: boolean
    }
  | {
      readonly kind: 'explain'
      readonly json: boolean
      /** Method in upper case. */
      readonly method: string
      /** Path as a client sends it. */
      readonly path: string
      /** The query with its question mark, or an empty string. */
      readonly query: string
    }
  | {
      readonly kind: 'check'
      readonly json: boolean
      readonly all: boolean
    }
  | {
      readonly kind: 'info'
      readonly json: boolean
    }

/** Which routes are listed; undefined members do not filter. */
export interface RouteFilter {
  /** Name of a module, in any letter case. */
  readonly module: string | undefined
  /** An HTTP method, in upper case. */
  readonly method: string | undefined
  /** A part of the path. */
  readonly path: string | undefined
}

/** Output of `sallyport --help`. */
export const HELP = `Usage: sallyport <command> [options]

  routes                 list every URL: method, path, action, name, middlewares, module
    --module NAME          only URLs of this module
    --method METHOD        only URLs for this method
    --path TEXT            only URLs whose path contains TEXT
    --types                write the declaration file that lets TypeScript check url()
    --out FILE             where to write it, "-" for standard output (default: routes.d.ts)
    --check                write nothing; exit code 1 if the file is out of date
  explain METHOD PATH    show each step in which a URL is resolved
  check                  compile every table, generate every URL, match it again, ask the resolvers for
                         it, and look for routes that take URLs from each other; exit code 1 if there
                         is a fault
    --all                  show all notes, not only the first twenty
  info                   versions, session store, cost of password hashes and parts, for a bug report

  --app FILE             module that exports the application as "app" or by default, or a function that
                         creates it (default: "sallyport": { "app": … } of package.json, else app.ts)
  --timeout SECONDS      time limit for loading and booting (default: 30)
  --json                 machine-readable output
  --help                 show this help
`

const OPTIONS = {
  app: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  module: { type: 'string' },
  method: { type: 'string' },
  path: { type: 'string' },
  types: { type: 'boolean' },
  out: { type: 'string' },
  check: { type: 'boolean' },
  all: { type: 'boolean' },
} as const

// Options of every command.
const LOADING: readonly string[] = ['app', 'timeout']

const OWN: Readonly<Record<string, readonly string[]>> = {
  routes: ['module', 'method', 'path', 'types', 'out', 'check', 'json'],
  explain: ['json'],
  check: ['json', 'all'],
  info: ['json'],
}

/**
 * Parses a command line.
 *
 * @param args The arguments after the name of the program.
 * @returns The command.
 * @throws {UsageError} If it is invalid.
 */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  const [name, ...operands] = positionals
  if (values.help === true) return { kind: 'help' }
  if (name === undefined) throw new UsageError('name a command: routes, explain, check or info')
  const own = OWN[name]
  if (own === undefined)
    throw new UsageError(`there is no command "${name}": use routes, explain, check or info`)
  const stray = Object.keys(values).find((option) => !LOADING.includes(option) && !own.includes(option))
  if (stray !== undefined) throw new UsageError(`"${name}" has no option --${stray}`)
  return { ...readCommand(name, values, operands), app: values.app, timeout: readSeconds(values.timeout) }
}

function readCommand(name: string, values: Values, operands: readonly string[]): LoadingCommand {
  const { json = false, all = false } = values
  if (name === 'explain') return { kind: 'explain', json, ...readRequest(operands) }
  if (operands.length > 0) throw new UsageError(`"${name}" takes no "${operands.join(' ')}"`)
  if (name === 'check') return { kind: 'check', json, all }
  if (name === 'info') return { kind: 'info', json }
  if (values.types === true) return readTypes(values)
  if (values.out !== undefined) throw new UsageError('--out goes with --types')
  if (values.check !== undefined) throw new UsageError('--check goes with --types')
  const { module, method, path } = values
  return { kind: 'routes', json, filter: { module, method: method?.toUpperCase(), path } }
}

type Values = ReturnType<typeof parse>['values']

function readTypes({ out = 'routes.d.ts', check = false, ...others }: Values): LoadingCommand {
  const { json, module, method, path } = others
  const stray = [json, module, method, path].find((value) => value !== undefined)
  if (stray !== undefined) throw new UsageError('--types writes all routes: leave --json and filters away')
  if (check && out === '-') throw new UsageError('--check compares a file: name one with --out')
  return { kind: 'types', out, check }
}

// Node fires a timer with a longer delay at once.
const MAX_SECONDS = 2_000_000

function readSeconds(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const seconds = /^[0-9]+(?:\.[0-9]+)?$/.test(given) ? Number(given) : 0
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds
  throw new UsageError(`--timeout takes seconds, above 0 and up to ${MAX_SECONDS}, not "${given}"`)
}

function readRequest(
  operands: readonly string[],
): Pick<LoadingCommand & { kind: 'explain' }, 'method' | 'path' | 'query'> {
  const [method, target, ...more] = operands
  if (method === undefined || target === undefined || more.length > 0)
    throw new UsageError('"explain" takes a method and a path: sallyport explain GET /shop')
  if (!/^[A-Za-z-]+$/.test(method)) throw new UsageError(`"${method}" is not an HTTP method`)
  // Of a URL, the part is explained that a browser would send.
  const [, origin = '', path = '', query = ''] = URL_PARTS.exec(target) ?? []
  const sent = origin !== '' && path === '' ? '/' : path
  if (!sent.startsWith('/')) throw new UsageError(`"${target}" is not a path: it must start with "/"`)
  return { method: method.toUpperCase(), path: asSent(sent), query: asSent(query) }
}

const URL_PARTS = /^(https?:\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?/i

// Browsers and other URL parsers encode these characters. Other changes that they would make to a path are not applied,
// because a client may send it as written.
function asSent(path: string): string {
  return path.toWellFormed().replaceAll(/[^!-~]|["<>^`{}]/gu, encodeURIComponent)
}

function parse(args: readonly string[]): ReturnType<typeof read> {
  try {
    return read(args)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The first sentence says what is wrong; the others concern arguments that start with a hyphen.
    const [reason = error.message] = error.message.split(/\. (?=[A-Z])/)
    throw new UsageError(reason, { cause: error })
  }
}

function read(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ args: string[]; options: typeof OPTIONS; allowPositionals: true }>> {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
}
