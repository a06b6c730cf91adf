import { ViewEngine } from 'sallyport/view'
import type { Assets } from '../assets/assets.ts'

/** Gives every page, error pages included, what the common layout needs. */
export class LayoutEngine extends ViewEngine {
  readonly #inner: ViewEngine
  readonly #defaults: Readonly<Record<string, unknown>>

  /**
   * @param inner Renders the templates.
   * @param assets Style sheet and icon, which the layout refers to.
   */
  constructor(inner: ViewEngine, assets: Assets) {
    super()
    this.#inner = inner
    this.#defaults = { page: '', narrow: false, assets: { style: assets.style.file, icon: assets.icon.file } }
  }

  /**
   * @param template Name of a template.
   * @param data What it sees beside the defaults of the layout.
   * @returns The page.
   * @throws {Error} If there is no such template or it fails.
   */
  override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    return this.#inner.render(template, { ...this.#defaults, ...data })
  }
}
