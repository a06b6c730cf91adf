/**
 * Which modules of the framework share a file of the package. Bundlers split by file: what a program loads at its start is decided
 * here.
 *
 * @module
 */
import { join } from 'node:path'
import { root } from './toolchain.mjs'

// What these import is one chunk: a process opens one file, and bundlers make few chunks of it.
const CORE = pathsOf('app/app', 'app/controller', 'app/module')
// What nothing but the main entry exports is another, so that the entry itself is a table: what it shares with code that is
// imported later belongs to the start of a bundle only where the bundle names it.
const [MAIN] = pathsOf('index')
// A bundler keeps the import of a package with the file that it is in: apart from the other middlewares, it goes where nothing
// compresses.
const COMPRESSION = pathsOf('middleware/compression', 'middleware/content-codings')

/**
 * @param {RegExp} external Matches what is imported from other packages.
 * @returns {(id: string, context: import('rolldown').PluginContext) => string | null} Names the chunk of a module; null for what
 * not every application needs, which the bundler distributes by itself.
 */
export function chunkNames(external) {
  let core = null
  let exported = null
  return (id, context) => {
    core ??= importedFrom(CORE, context, external)
    exported ??= importedOnlyFrom(MAIN, importedFrom([MAIN], context, external).difference(core), context)
    if (core.has(id)) return 'core'
    if (COMPRESSION.includes(id)) return 'compression'
    return exported.has(id) ? 'exports' : null
  }
}

function pathsOf(...names) {
  return names.map((name) => join(root, 'src', `${name}.ts`))
}

/** Modules, and all that these import; what they load later is not among it. */
function importedFrom(entries, context, external) {
  const found = new Set(entries)
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? [])
      if (!external.test(imported)) found.add(imported)
  return found
}

/** Those of some modules that an entry imports and nothing else does, neither at once nor later. */
function importedOnlyFrom(entry, modules, context) {
  const found = new Set(modules)
  for (let size = 0; size !== found.size;) {
    size = found.size
    for (const id of found) {
      const { importers = [], dynamicImporters = [] } = context.getModuleInfo(id) ?? {}
      if (id !== entry && ![...importers, ...dynamicImporters].every((each) => found.has(each)))
        found.delete(id)
    }
  }
  found.delete(entry)
  return found
}
