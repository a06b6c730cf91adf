import { type Edge, Template } from 'edge.js'
import { discardPromise, escapeHtml, isPromiseLike, SafeHtml } from '../core/internal.ts'
import type { CompiledTemplates, Renderer } from './compiled-templates.ts'
import { type ComponentFacts, ComponentState, PageState } from './page-state.ts'
import type { ReservedNames } from './reserved-names.ts'
import { TemplateException } from './template-exception.ts'
import { templateFault } from './template-fault.ts'
import { SHADOWED } from './shadowed-names.ts'
import { NoTemplate } from './template-folders.ts'
import { keyOf } from './template-key.ts'
import { assertNoneShadowed, assertNoPromises } from './view-values.ts'

/**
 * One page while it is rendered. Compiled templates call its methods, and those of edge.js behind them. It has no template
 * of edge.js until something needs one, because that makes four maps and objects for each page.
 */
export class PageTemplate {
  readonly #edge: Edge
  readonly #templates: CompiledTemplates
  readonly #names: Partial<ReservedNames>
  #stacks: Template['stacks'] | null = null

  /**
   * @param edge Engine.
   * @param templates Compiled templates.
   * @param names Values that every template of the page sees.
   */
  constructor(edge: Edge, templates: CompiledTemplates, names: Partial<ReservedNames>) {
    this.#edge = edge
    this.#templates = templates
    this.#names = names
  }

  /**
   * @param name Name of a template.
   * @param values Values of the page.
   * @returns What the template writes, or a promise of it.
   * @throws {TemplateException} If the template does not exist or fails.
   */
  start(name: string, values: Readonly<Record<string, unknown>>): unknown {
    return this.#template(name)(this, new PageState(this.#names, values), {})
  }

  /**
   * @param written What the template has written.
   * @returns The page.
   */
  finish(written: unknown): string {
    const page = trimLineFeeds(String(written))
    return this.#stacks === null ? page : this.#stacks.fillPlaceholders(page)
  }

  /** What the tags `@stack` and `@pushTo` use. */
  get stacks(): Template['stacks'] {
    return (this.#stacks ??= this.#original().stacks)
  }

  // Nothing includes it: the place is that of the file.
  #template(name: string): Renderer {
    try {
      return this.compiled(keyOf(name))
    } catch (error) {
      if (!(error instanceof NoTemplate)) throw error
      throw new TemplateException(error.message, { file: error.file, line: 1, column: 1 }, { cause: error })
    }
  }

  /**
   * @param key Name of a template and of the variables that it sees.
   * @returns Its function.
   * @throws {Error} If there is no such template, or its syntax is wrong.
   */
  compiled(key: string): Renderer {
    return this.#templates.get(key)
  }

  /**
   * @param name Name of a template that a tag includes.
   * @param locals Names of the variables that it sees.
   * @returns Its function.
   * @throws {Error} If there is no such template, or its syntax is wrong.
   */
  compilePartial(name: string, ...locals: string[]): Renderer {
    return this.#templates.get(keyOf(name, locals))
  }

  /**
   * @param name Name of a component.
   * @returns Its function.
   * @throws {Error} If there is no such template, or its syntax is wrong.
   */
  compileComponent(name: string): Renderer {
    return this.#templates.get(keyOf(name))
  }

  /**
   * @param given The values of a component, its slots and the place that renders it.
   * @returns What it sees.
   * @throws {TypeError} If one of the values is a promise, or has a name that no template sees.
   */
  getComponentState(...given: Parameters<Template['getComponentState']>): ComponentFacts {
    const [values, slots, caller] = given
    const props = (): ComponentFacts['$props'] => this.#original().getComponentState(...given).$props
    assertNoPromises('render a component with', values)
    assertNoneShadowed('render a component with', values, SHADOWED)
    return new ComponentState(this.#names, values, { slots, caller, props })
  }

  /**
   * @param value Any value.
   * @returns A string, because compiled code appends it as it is.
   * @throws {TypeError} If it is a promise.
   */
  escape(value: unknown): string {
    if (typeof value === 'string') return escapeHtml(value)
    if (value instanceof SafeHtml) return value.toString()
    if (isPromiseLike(value)) {
      discardPromise(value)
      throw new TypeError('Cannot write a promise into a page: await it')
    }
    // What `html.safe()` was given may be anything.
    const text: unknown = Template.prototype.escape(value)
    return String(text)
  }

  /**
   * @param error What the code of a template threw.
   * @param file File of the template.
   * @param line Line that it was at.
   * @throws {unknown} The error with its place.
   */
  reThrow(error: unknown, file: string, line: number): never {
    throw templateFault(error, () => this.#templates.failed(file, line))
  }

  #original(): Template {
    return new Template(this.#edge.asyncCompiler, {}, {}, this.#edge.processor)
  }
}

// What tags of edge.js call besides: loops, sizes, errors. None of it reads a field of the original.
Object.setPrototypeOf(PageTemplate.prototype, Template.prototype)

function trimLineFeeds(page: string): string {
  const start = page.startsWith('\n') ? 1 : page.startsWith('\r\n') ? 2 : 0
  const end = page.endsWith('\r\n') ? 2 : page.endsWith('\n') ? 1 : 0
  return page.slice(start, Math.max(start, page.length - end))
}
