import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '../app/index.ts'
import { UsageError } from './command-line.ts'

const CLOSE_MILLISECONDS = 2000

/** The router of an application, as the commands ask it. */
export type Router = ReturnType<App['router']>

/** A listed route. */
export type ListedRoute = ReturnType<Router['routes']>[number]

/**
 * Loads and boots an application.
 *
 * @param named The file that `--app` names; undefined: the one of the nearest package.json, else `app.ts`.
 * @param directory The current directory.
 * @returns The application, which has booted.
 * @throws {UsageError} If there is no such file, or it gives no application.
 * @throws {Error} Whatever the file or the boot throws.
 */
export async function loadApplication(named: string | undefined, directory: string): Promise<App> {
  const file = named === undefined ? findFile(directory) : resolve(directory, named)
  if (!existsSync(file))
    throw new UsageError(`there is no file ${file}: name the application with --app FILE`)
  const namespace: unknown = await import(pathToFileURL(file).href)
  const app = await makeApplication(namespace)
  if (app === undefined)
    throw new UsageError(`${file} exports no application: export it as "app", or a function that makes it`)
  try {
    return await app.boot()
  } catch (error) {
    // What it opened before it failed would hold the command.
    await closeApplication(app)
    throw error
  }
}

/**
 * Closes an application, and waits for it no longer than a command may take for that.
 *
 * @param app The application.
 * @returns What could not be closed, in a sentence; null: all was.
 */
export async function closeApplication(app: App): Promise<string | null> {
  const { promise: isOver, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve('the application takes too long to close'), CLOSE_MILLISECONDS)
  const closed = app.close().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
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
    content = JSON.parse(readFileSync(manifest, 'utf8'))
  } catch (cause) {
    throw new UsageError(`${manifest} cannot be read`, { cause })
  }
  const own = isObject(content) ? content['sallyport'] : undefined
  if (!isObject(own) || own['app'] === undefined) return undefined
  if (typeof own['app'] === 'string') return own['app']
  throw new UsageError(`"sallyport": { "app": … } in ${manifest} is to be the path of a file`)
}

// By its shape: the application may have a copy of the framework of its own.
function isApplication(value: unknown): value is App {
  if (!isObject(value)) return false
  return ['boot', 'router', 'fetch', 'close'].every((name) => typeof value[name] === 'function')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
