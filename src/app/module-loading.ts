import { readdir } from 'node:fs/promises'
import type { Definitions } from '../container/index.ts'
import type { ModuleRouting } from '../routing/index.ts'
import { Module, type ModuleDefinition } from './module.ts'

/**
 * Runs the configuration of a module.
 *
 * @param definition The module.
 * @param definitions Takes its services.
 * @returns What the router needs of it.
 * @throws {TypeError} If it has no name.
 */
export function configureModule(definition: ModuleDefinition, definitions: Definitions): ModuleRouting {
  if (definition.name === null) {
    throw new TypeError(
      'Cannot add a module without a name: name it in defineModule(), or load it with modulesFrom()',
    )
  }
  const module = new Module()
  definition.configure(module)
  module.define(definitions)
  return module.toRouting(definition.name, definition.source)
}

/**
 * Loads the modules of a folder: the default export of each `<folder>/module.ts` or `.js`.
 *
 * @param directory The folder that holds the module folders.
 * @returns The modules in the order of the folder names, each with a name.
 * @throws {TypeError} If a default export is no module.
 * @throws {Error} If the folder cannot be read.
 */
export async function readModules(directory: URL): Promise<ModuleDefinition[]> {
  const base = directory.href.endsWith('/') ? directory : new URL(`${directory.href}/`)
  const entries = await readdir(base, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const found: ModuleDefinition[] = []
  for (const folder of folders.sort()) {
    const files = await readdir(new URL(`${folder}/`, base))
    const file = ['module.ts', 'module.js'].find((name) => files.includes(name))
    if (file === undefined) continue
    const url = new URL(`${folder}/${file}`, base)
    const { default: definition } = (await import(url.href)) as { default?: ModuleDefinition }
    if (typeof definition?.configure !== 'function') {
      throw new TypeError(
        `Cannot load ${folder}/${file}: its default export is no module made by defineModule()`,
      )
    }
    found.push({ ...definition, name: definition.name ?? folder, source: definition.source ?? url.pathname })
  }
  return found
}
