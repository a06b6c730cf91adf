import type { Edge } from 'edge.js'
import type { Token } from 'edge.js/types'
import { shown } from '../core/internal.ts'
import { joinText } from './joined-text.ts'
import { inlineTagFault } from './inline-tags.ts'
import { runtimeNames } from './runtime-names.ts'
import type { TemplateFolders } from './template-folders.ts'
import { type FailedTemplate, syntaxFault } from './template-fault.ts'
import { TemplateException } from './template-exception.ts'
import { expressionsOf } from './template-expressions.ts'
import { shadowingFault } from './shadowed-names.ts'
import { keyOf, parseKey } from './template-key.ts'
import {
  literalOf,
  needsAwait,
  rendersTemplate,
  replaceTags,
  transformed,
  type Waiting,
} from './template-tags.ts'
import type { TemplateSource } from './view-engine.ts'

/** What a template is compiled to: it gets the page, what the template sees, and the values of its variables. */
export type Renderer = (page: object, ...seen: unknown[]) => unknown

interface Source {
  readonly path: string
  readonly compiled: Renderer
}

const NOTHING: object = Object.freeze(Object.create(null) as object)

/** The functions that templates are compiled to, parts and components included. */
export class CompiledTemplates implements Waiting {
  readonly #edge: Edge
  readonly #folders: TemplateFolders
  readonly #isKept: boolean
  // Only existing files are remembered, which bounds these maps.
  readonly #functions = new Map<string, Renderer>()
  readonly #waiting = new Map<string, boolean>()
  readonly #sources = new Map<string, Source>()
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
    edge.processor.process('compiled', ({ compiled }) => hideRuntime(joinText(compiled), this.#locals))
    replaceTags(edge, this)
  }

  /** Starts a page. */
  begin(): void {
    if (this.#isKept && this.#functions.size > 0) return
    this.#functions.clear()
    this.#sources.clear()
    this.#waiting.clear()
    // Looks up which components have a tag of their own.
    this.#edge.createRenderer()
  }

  /**
   * @param key Name of a template and of the variables that it sees.
   * @returns The function that renders it.
   * @throws {Error} If there is no such template, or its syntax is wrong.
   */
  get(key: string): Renderer {
    const known = this.#functions.get(key)
    if (known !== undefined) return known
    const { name, locals } = parseKey(key)
    const path = this.#folders.path(name)
    const compiler = this.waits(name) ? this.#edge.asyncCompiler : this.#edge.compiler
    this.#locals = locals
    try {
      this.#assertReadable(path)
      // The code calls methods of a page, which are those of a template of edge.js.
      const compiled = compiler.compile(path, [...locals]) as Renderer
      // Unbound, `this` would be the global object.
      const bound = compiled.bind(NOTHING)
      this.#functions.set(key, bound)
      this.#sources.set(key, { path, compiled })
      return bound
    } catch (error) {
      throw syntaxFault(error)
    }
  }

  /**
   * @param file File of a template that failed.
   * @param line Line that failed.
   * @returns What is known of it.
   */
  failed(file: string, line: number): FailedTemplate {
    const sources = [...this.#sources.values()].filter(({ path }) => path === file)
    return {
      file,
      line,
      codes: sources.map(({ compiled }) => compiled.toString()),
      tokens: this.#tokens(file),
    }
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

  /** @returns Every template of the folders. */
  sources(): readonly TemplateSource[] {
    this.#edge.createRenderer()
    return this.#folders.names().flatMap((name) => {
      try {
        return [this.#source(name, this.#folders.path(name))]
      } catch {
        // A link that leads out of the folder is no template.
        return []
      }
    })
  }

  #source(name: string, file: string): TemplateSource {
    const tokens = this.#tokens(file)
    const faults = tokens.flatMap((token) => this.#missing(token))
    try {
      this.get(keyOf(name))
    } catch (error) {
      if (error instanceof TemplateException) faults.push(error)
    }
    return { file, expressions: expressionsOf(tokens), faults }
  }

  #assertReadable(file: string): void {
    const { tags, loader } = this.#edge
    const components = (): readonly string[] =>
      loader.listComponents().flatMap((folder) => folder.components.map(({ tagName }) => tagName))
    const template = { file, text: this.#folders.read(file), tokens: this.#tokens(file), tags, components }
    const fault = inlineTagFault(template) ?? shadowingFault(file, template.tokens)
    if (fault !== undefined) throw fault
  }

  /** The templates that a tag includes and that do not exist. */
  #missing(token: Token): TemplateException[] {
    if (!('children' in token)) return []
    const tag = transformed(token, this.#edge)
    const faults = tag.children.flatMap((child) => this.#missing(child))
    const name = rendersTemplate(tag) ? literalOf(tag) : undefined
    if (name === undefined) return faults
    try {
      this.#folders.path(name)
      return faults
    } catch (error) {
      const { line, col } = tag.loc.start
      const place = { file: tag.filename, line, column: col + 1 }
      const message = error instanceof Error ? error.message : shown(error)
      return [new TemplateException(message, place, { cause: error }), ...faults]
    }
  }

  #tokens(file: string): readonly Token[] {
    try {
      return this.#edge.asyncCompiler.tokenize(file)
    } catch {
      // It was changed or removed after it was compiled.
      return []
    }
  }
}

// The compiler of edge.js takes the name of a global variable for that, `process` for example. Here it is a value.
function hideRuntime(compiled: string, locals: readonly string[]): string {
  const names = runtimeNames(compiled).filter((name) => !locals.includes(name))
  if (names.length === 0) return compiled
  return `let ${names.map((name) => `${name} = state.${name}`).join(', ')};\n${compiled}`
}
