import { type Edge, Template } from 'edge.js'
import type { CompiledTemplate } from 'edge.js/types'
import { discardPromise, escapeHtml, isPromiseLike, SafeHtml } from '../core/internal.ts'
import type { CompiledTemplates } from './compiled-templates.ts'
import { type ComponentFacts, ComponentState, PageState } from './page-state.ts'
import type { ReservedNames } from './reserved-names.ts'
import { TemplateException } from './template-exception.ts'
import { templateFault } from './template-fault.ts'
import { NoTemplate } from './template-folders.ts'
import { keyOf } from './template-key.ts'
import { assertNoPromises } from './view-values.ts'

/** One page while it is rendered. Compiled templates call its methods. */
export class PageTemplate extends Template {
  readonly #templates: CompiledTemplates
  readonly #names: Partial<ReservedNames>

  /**
   * @param edge Engine.
   * @param templates Compiled templates.
   * @param names Values that every template of the page sees.
   */
  constructor(edge: Edge, templates: CompiledTemplates, names: Partial<ReservedNames>) {
    super(edge.asyncCompiler, {}, {}, edge.processor)
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
    return this.stacks.fillPlaceholders(trimLineFeeds(String(written)))
  }

  // Nothing includes it: the place is that of the file.
  #template(name: string): CompiledTemplate {
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
  compiled(key: string): CompiledTemplate {
    return this.#templates.get(key)
  }

  /** @inheritdoc */
  override compilePartial(name: string, ...locals: string[]): CompiledTemplate {
    return this.#templates.get(keyOf(name, locals))
  }

  /** @inheritdoc */
  override compileComponent(name: string): CompiledTemplate {
    return this.#templates.get(keyOf(name))
  }

  /** @inheritdoc */
  override getComponentState(
    ...[values, slots, caller]: Parameters<Template['getComponentState']>
  ): ComponentFacts {
    const props = (): ComponentFacts['$props'] => super.getComponentState(values, slots, caller).$props
    assertNoPromises('render a component with', values)
    return new ComponentState(this.#names, values, { slots, caller, props })
  }

  /** @inheritdoc */
  override escape(value: unknown): string {
    if (typeof value === 'string') return escapeHtml(value)
    if (value instanceof SafeHtml) return value.toString()
    if (isPromiseLike(value)) {
      discardPromise(value)
      throw new TypeError('Cannot write a promise into a page: await it')
    }
    return super.escape(value)
  }

  /** @inheritdoc */
  override reThrow(error: unknown, file: string, line: number): never {
    throw templateFault(error, () => this.#templates.failed(file, line))
  }
}

function trimLineFeeds(page: string): string {
  const start = page.startsWith('\n') ? 1 : page.startsWith('\r\n') ? 2 : 0
  const end = page.endsWith('\r\n') ? 2 : page.endsWith('\n') ? 1 : 0
  return page.slice(start, Math.max(start, page.length - end))
}
