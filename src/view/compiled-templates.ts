import type { Edge } from 'edge.js'
import type { CompiledTemplate } from 'edge.js/types'
import { runtimeNames } from './runtime-names.ts'
import type { TemplateFolders } from './template-folders.ts'
import { parseKey } from './template-key.ts'
import { needsAwait, replaceTags, type Waiting } from './template-tags.ts'

/** The functions that templates are compiled to, parts and components included. */
export class CompiledTemplates implements Waiting {
  readonly #edge: Edge
  readonly #folders: TemplateFolders
  readonly #isKept: boolean
  // Only existing files are remembered, which bounds both maps.
  readonly #functions = new Map<string, CompiledTemplate>()
  readonly #waiting = new Map<string, boolean>()
  #locals: readonly string[] = []

  /**
   * @param edge Compiles them. Its tags are replaced.
   * @param folders Where they are.
   * @param options `isKept`: whether a template is compiled once. Otherwise each page reads it anew.
   */
  constructor(edge: Edge, folders: TemplateFolders, { isKept }: { readonly isKept: boolean }) {
    this.#edge = edge
    this.#folders = folders
    this.#isKept = isKept
    // The loader of edge.js reads any file: absolute paths, "..", other extensions.
    edge.loader.makePath = (path) => path
    edge.loader.resolve = (path) => ({ template: folders.read(path) })
    edge.processor.process('compiled', ({ compiled }) => hideRuntime(compiled, this.#locals))
    replaceTags(edge, this)
  }

  /** Starts a page. */
  begin(): void {
    if (this.#isKept && this.#functions.size > 0) return
    this.#functions.clear()
    this.#waiting.clear()
    // Looks up which components have a tag of their own.
    this.#edge.createRenderer()
  }

  /**
   * @param key Name of a template and of the variables that it sees.
   * @returns The function that renders it.
   * @throws {Error} If there is no such template, or its syntax is wrong.
   */
  get(key: string): CompiledTemplate {
    const known = this.#functions.get(key)
    if (known !== undefined) return known
    const { name, locals } = parseKey(key)
    const path = this.#folders.path(name)
    const compiler = this.waits(name) ? this.#edge.asyncCompiler : this.#edge.compiler
    this.#locals = locals
    const compiled = compiler.compile(path, [...locals])
    this.#functions.set(key, compiled)
    return compiled
  }

  /**
   * @param name Name of a template.
   * @returns Whether its function returns a promise; true also if it cannot be read, which whoever renders it learns.
   */
  waits(name: string): boolean {
    const known = this.#waiting.get(name)
    if (known !== undefined) return known
    // Holds while its parts are looked at: they may include it.
    this.#waiting.set(name, true)
    try {
      const tokens = this.#edge.asyncCompiler.tokenize(this.#folders.path(name))
      const waits = tokens.some((token) => needsAwait(token, this.#edge, this))
      this.#waiting.set(name, waits)
      return waits
    } catch {
      this.#waiting.delete(name)
      return true
    }
  }
}

// The compiler of edge.js takes the name of a global variable for that, `process` for example. Here it is a value.
function hideRuntime(compiled: string, locals: readonly string[]): string {
  const names = runtimeNames(compiled).filter((name) => !locals.includes(name))
  if (names.length === 0) return compiled
  return `let ${names.map((name) => `${name} = state.${name}`).join(', ')};\n${compiled}`
}
