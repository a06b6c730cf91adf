import { type TemplateSource, ViewEngine } from 'sallyport/view'
import { LANGUAGE_NAMES, LANGUAGES } from '../messages/language.ts'
import { toErrorPage } from './error-page.ts'

/** Template of error pages. */
export const ERROR_VIEW = 'errors/page'

/** Adds the data of the common layout to every page, error pages included. */
export class LayoutEngine extends ViewEngine {
  readonly #inner: ViewEngine
  readonly #defaults: Readonly<Record<string, unknown>>

  /**
   * @param inner Renders the templates.
   * @param site What this application has: `hasSignUp`, `hasMailbox`.
   */
  constructor(inner: ViewEngine, site: { readonly hasSignUp: boolean; readonly hasMailbox: boolean }) {
    super()
    this.#inner = inner
    const languages = LANGUAGES.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag] }))
    this.#defaults = {
      page: '',
      narrow: false,
      failed: false,
      door: 0,
      languages,
      here: '',
      titleValues: {},
      warning: undefined,
      ...site,
    }
  }

  /**
   * @param template Name of a template.
   * @param data Data for the template; overrides the defaults of the layout.
   * @returns The page.
   * @throws {Error} If the template does not exist or fails.
   */
  override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    const added = template === ERROR_VIEW ? { ...data, ...toErrorPage(data['error']) } : data
    return this.#inner.render(template, { ...this.#defaults, ...added })
  }

  /** @returns The templates of the engine inside. */
  override templates(): readonly TemplateSource[] {
    return this.#inner.templates()
  }
}
