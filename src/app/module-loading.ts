import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inOneLine, placeAbove, shown, tellingPlace } from '../core/internal.ts'
import type { ModuleDefinition } from './module.ts'

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such folder'],
  ['ENOTDIR', 'it is not a folder'],
])

/**
 * Loads the modules of a folder: the default export of each `<folder>/module.ts` or `.js`. Links to folders are followed. A
 * folder without such a file is skipped with a warning, unless its name starts with `.` or `_`.
 *
 * @param directory The folder that contains the module folders.
 * @returns The modules in the order of the folder names, each with a name.
 * @throws {TypeError} If a default export is missing or not a module, or a folder has both files.
 * @throws {SyntaxError} If such a file, or one that it imports, cannot be compiled or linked.
 * @throws {Error} If the folder or a link in it does not exist or cannot be read.
 */
export async function readModules(directory: URL): Promise<ModuleDefinition[]> {
  const base = fileURLToPath(directory)
  const found: ModuleDefinition[] = []
  for (const folder of (await readable(base, readdir(base))).sort()) {
    const path = join(base, folder)
    if (/^[._]/.test(folder) || !(await readable(path, stat(path))).isDirectory()) continue
    const file = await moduleFile(base, folder)
    if (file === undefined)
      process.emitWarning(`modulesFrom() skips ${folder}: it has no module.ts or module.js`)
    else found.push(await loadModule(base, folder, file))
  }
  return found
}

async function readable<T>(path: string, read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const reason = REASONS.get(code) ?? (cause instanceof Error ? cause.message : shown(cause))
    throw new Error(inOneLine(`Cannot load modules from ${JSON.stringify(path)}: ${reason}`), { cause })
  }
}

async function moduleFile(base: string, folder: string): Promise<string | undefined> {
  const path = join(base, folder)
  const files = await readable(path, readdir(path))
  const [file, other] = ['module.ts', 'module.js'].filter((name) => files.includes(name))
  if (other !== undefined) {
    throw new TypeError(`Cannot load ${folder}: it has both a ${file} and a ${other}; remove one`)
  }
  return file
}

async function loadModule(base: string, folder: string, file: string): Promise<ModuleDefinition> {
  const path = join(base, folder, file)
  const { default: definition } = await importModule(path)
  if (definition === undefined) {
    throw new TypeError(`Cannot load ${path}: it has no default export; write export default defineModule(…)`)
  }
  if (typeof definition?.configure !== 'function') {
    throw new TypeError(`Cannot load ${path}: its default export was not created by defineModule()`)
  }
  return { ...definition, name: definition.name ?? folder, source: definition.source ?? path }
}

async function importModule(path: string): Promise<{ readonly default?: ModuleDefinition }> {
  try {
    return (await import(pathToFileURL(path).href)) as { default?: ModuleDefinition }
  } catch (error) {
    // Runtime errors name their place. Syntax errors and missing exports often do not.
    if (!(error instanceof SyntaxError)) throw error
    const place = placeAbove(error)
    const message = `Cannot load ${path}: ${error.message}${place === undefined ? '' : ` (${place})`}`
    throw tellingPlace(new SyntaxError(inOneLine(message), { cause: error }))
  }
}
