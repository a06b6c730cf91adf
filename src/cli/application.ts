import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '../app/index.ts'
import { placeAbove } from '../core/internal.ts'
import { UsageError } from './command-line.ts'
import { faultOf } from './fault.ts'

const CLOSE_MILLISECONDS = 2000
const DEFAULT_SECONDS = 30

/** The application to load, and how long that may take. */
export interface LoadOptions {
  /** File given with `--app`; undefined for the one named in the nearest package.json, otherwise `app.ts`. */
  readonly app: string | undefined
  /** Time limit for booting in seconds. Default: 30. */
  readonly timeout: number | undefined
}

/**
 * Loads and boots an application.
 *
 * @param options The application, and how long loading may take.
 * @param directory The current directory.
 * @returns The booted application.
 * @throws {UsageError} If the file is none or exports no application.
 * @throws {Error} If the file or the boot throws, or the time limit is over.
 */
export async function loadApplication({ app, timeout }: LoadOptions, directory: string): Promise<App> {
  const file = app === undefined ? findFile(directory) : resolve(directory, app)
  if (!existsSync(file))
    throw new UsageError(`there is no file ${file}: name the application with --app FILE`)
  if (!statSync(file).isFile())
    throw new UsageError(`${file} is not a file: name the one that exports the application`)
  const seconds = timeout ?? DEFAULT_SECONDS
  const { promise: isOver, reject } = Promise.withResolvers<never>()
  const progress = { step: `its file does not load (${file}); does it await a promise that never settles?` }
  // The timer keeps the process alive, which would otherwise end silently when nothing else is open.
  const timer = setTimeout(
    () => reject(new Error(`the application is not ready within ${seconds} s: ${progress.step}`)),
    seconds * 1000,
  )
  try {
    return await Promise.race([isOver, load(file, progress)])
  } finally {
    clearTimeout(timer)
  }
}

async function load(file: string, progress: { step: string }): Promise<App> {
  const namespace = await importFile(file)
  progress.step = `the promise that ${file} exports, or its function returns, does not settle`
  const app = await makeApplication(namespace)
  if (app === undefined)
    throw new UsageError(`${file} exports no application: export it as "app", or a function that makes it`)
  progress.step = `its boot() does not end (${file})`
  try {
    return await app.boot()
  } catch (error) {
    // Whatever it opened before it failed would keep the command running.
    await closeApplication(app)
    throw error
  }
}

// For JavaScript that does not compile, the platform does not name the file.
async function importFile(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    if (!(error instanceof SyntaxError) || placeAbove(error) !== undefined) throw error
    throw new SyntaxError(`Cannot load ${file}, or what it imports: ${error.message}`, { cause: error })
  }
}

/**
 * Closes an application, within a time limit.
 *
 * @param app The application.
 * @returns A sentence about what could not be closed; null if everything was.
 */
export async function closeApplication(app: App): Promise<string | null> {
  const { promise: isOver, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve('the application takes too long to close'), CLOSE_MILLISECONDS)
  const closed = app.close().then(
    () => null,
    (error: unknown) => faultOf(error),
  )
  const fault = await Promise.race([isOver, closed])
  clearTimeout(timer)
  return fault
}

async function makeApplication(namespace: unknown): Promise<App | undefined> {
  for (const name of ['app', 'default']) {
    let given: unknown = isObject(namespace) ? namespace[name] : undefined
    if (typeof given === 'function') given = await (given as () => unknown)()
    else given = await given
    if (isApplication(given)) return given
  }
  return undefined
}

function findFile(directory: string): string {
  for (let folder = directory; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest)) {
      const file = readEntry(manifest)
      return file === undefined ? join(directory, 'app.ts') : resolve(folder, file)
    }
    if (dirname(folder) === folder) return join(directory, 'app.ts')
  }
}

function readEntry(manifest: string): string | undefined {
  let content: unknown
  try {
    // npm reads one with a byte order mark, too.
    content = JSON.parse(readFileSync(manifest, 'utf8').replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new UsageError(`${manifest} cannot be read`, { cause })
  }
  const own = isObject(content) ? content['sallyport'] : undefined
  if (!isObject(own) || own['app'] === undefined) return undefined
  if (typeof own['app'] === 'string') return own['app']
  throw new UsageError(`"sallyport": { "app": … } in ${manifest} must be the path of a file`)
}

// Checked by its methods, because the application may use another copy of the framework.
function isApplication(value: unknown): value is App {
  if (!isObject(value)) return false
  return ['boot', 'inspection', 'fetch', 'close'].every((name) => typeof value[name] === 'function')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
