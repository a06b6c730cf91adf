import type { Definitions } from '../container/index.ts'
import { assertNoPromise, inDeclaration, sentence } from '../core/internal.ts'
import type { ModuleRouting } from '../routing/internal.ts'
import type { AssetUrls } from './asset-urls.ts'
import { Module, type ModuleDefinition } from './module.ts'

/** A module that has been read. */
export interface ConfiguredModule {
  /** Its declarations for the router. */
  readonly routing: ModuleRouting
  /** Decides how its errors look; null when it does not. */
  readonly renderer: Module['renderer']
}

/** The application that modules are read for. */
export interface ModuleOwner {
  /** Receives services. */
  readonly definitions: Definitions
  /** Receives where assets are found. */
  readonly assets: AssetUrls
  /** The path of the host that all URLs begin with; empty for none. */
  readonly basePath: string
}

/**
 * Runs the configuration of a module.
 *
 * @param definition The module.
 * @param application What modules add to, and its base path.
 * @returns The declarations for the router, and how errors look.
 * @throws {TypeError} If it has no name, or its configuration is invalid or returns a promise.
 */
export function configureModule(
  definition: ModuleDefinition,
  { definitions, assets, basePath }: ModuleOwner,
): ConfiguredModule {
  if (definition.name === null) {
    const place = definition.source === undefined ? '' : ` (${definition.source})`
    throw new TypeError(
      sentence`Cannot add a module without a name: name it in defineModule(), or load it with modulesFrom()${place}`,
    )
  }
  const module = new Module(basePath)
  const { name, source, configure } = definition
  const what = `configure module "${name}"${source === undefined ? '' : ` (${source})`}`
  let result: unknown
  try {
    result = configure(module)
    module.define(definitions, assets)
  } catch (error) {
    throw inDeclaration(error, `Cannot ${what}`)
  }
  assertNoPromise(result, what)
  return { routing: module.toRouting(name, source), renderer: module.renderer }
}
