import { Edge } from 'edge.js'
import { ViewEngine } from './view-engine.ts'

/** Options of an {@link EdgeViewEngine}. */
export interface EdgeViewEngineOptions {
  /** Folder of the templates, `*.edge`. */
  readonly directory: URL
  /** Whether compiled templates are kept. Default: true; switch it off to see changes without a restart. */
  readonly cache?: boolean
  /** Further folders by name: a template `name::page` is looked up there. Default: none. */
  readonly directories?: Readonly<Record<string, URL>>
}

/** Templates of edge.js: text is escaped unless a template says otherwise, errors name file and line. */
export class EdgeViewEngine extends ViewEngine {
  readonly #edge: Edge

  /**
   * @param options Folders and cache.
   */
  constructor(options: EdgeViewEngineOptions) {
    super()
    this.#edge = Edge.create({ cache: options.cache ?? true })
    this.#edge.mount(options.directory)
    for (const [name, directory] of Object.entries(options.directories ?? {}))
      this.#edge.mount(name, directory)
  }

  override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    return this.#edge.render(template, { ...data })
  }
}
