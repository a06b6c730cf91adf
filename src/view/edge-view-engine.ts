import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Edge } from 'edge.js'
import { assertOptions, declarationError, ignoreFailure, shown } from '../core/internal.ts'
import { escapeAttributes } from './attributes.ts'
import { CompiledTemplates } from './compiled-templates.ts'
import { PageTemplate } from './page-template.ts'
import { SHADOWED } from './shadowed-names.ts'
import { TemplateFolders } from './template-folders.ts'
import { type TemplateSource, ViewEngine } from './view-engine.ts'
import { assertNoneShadowed, assertNoPromises } from './view-values.ts'

/** Options of an {@link EdgeViewEngine}. */
export interface EdgeViewEngineOptions {
  /** Folder of the `*.edge` templates. */
  readonly directory: URL
  /**
   * Whether compiled templates are kept. Otherwise each page reads them anew, and a change shows without a restart. Default: true
   * only if `NODE_ENV` is `production`.
   */
  readonly cache?: boolean
  /** Further folders by name: the template `name::page` is read from the folder `name`. Default: none. */
  readonly directories?: Readonly<Record<string, URL>>
}

/** Templates of edge.js. Output is escaped unless a template opts out; errors name file and line. */
export class EdgeViewEngine extends ViewEngine {
  readonly #edge: Edge
  readonly #templates: CompiledTemplates

  /**
   * @param options Folders and cache.
   * @throws {TypeError} If a folder is not a file URL, or an option is unknown.
   * @throws {RangeError} If a folder does not exist.
   */
  constructor(options: EdgeViewEngineOptions) {
    super()
    assertOptions(options, ['directory', 'cache', 'directories'], 'an EdgeViewEngine')
    const { directory, directories = {}, cache = process.env['NODE_ENV'] === 'production' } = options
    assertFolder(directory)
    for (const folder of Object.values(directories)) assertFolder(folder)
    // Compiled templates are kept by us, those with variables too.
    this.#edge = Edge.create({ cache: false })
    this.#edge.mount(directory)
    for (const [name, folder] of Object.entries(directories)) this.#edge.mount(name, folder)
    escapeAttributes(this.#edge)
    const folders = new TemplateFolders(directory, directories, { remembers: cache })
    this.#templates = new CompiledTemplates(this.#edge, folders, { isKept: cache })
  }

  /**
   * @param template Name of a template: its path in the folder, with or without `.edge`.
   * @param data Data for the template.
   * @returns The page.
   * @throws {TemplateException} If the name is malformed, absolute or leaves its folder, the file does not exist, or the
   * template fails. The same holds for each included template.
   * @throws {TypeError} If a value is a promise, or has a name that no template sees, such as `state`.
   */
  override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    return ignoreFailure(this.#render(template, data))
  }

  /** @returns Words of the language and of edge.js, of which templates never see data. */
  override shadowedNames(): ReadonlySet<string> {
    return SHADOWED
  }

  /** @returns All templates of its folders. */
  override templates(): readonly TemplateSource[] {
    return this.#templates.sources()
  }

  async #render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    assertNoPromises(`render "${template}" with`, data)
    assertNoneShadowed(`render "${template}" with`, data, SHADOWED)
    this.#templates.begin()
    const page = new PageTemplate(this.#edge, this.#templates, data)
    return page.finish(await page.start(template, data))
  }
}

function assertFolder(folder: unknown): void {
  if (!(folder instanceof URL) || folder.protocol !== 'file:')
    throw declarationError(
      `Cannot read templates from ${shown(folder)}: pass a file URL, such as new URL('./views/', import.meta.url)`,
    )
  const path = fileURLToPath(folder)
  if (!isFolder(path))
    throw declarationError(
      `Cannot read templates from ${JSON.stringify(path)}: there is no such folder`,
      RangeError,
    )
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
