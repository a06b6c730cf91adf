import { sentence, shown } from '../core/internal.ts'
import { assertNoPromises } from './view-values.ts'

/** Options of a {@link View}. */
export interface ViewOptions {
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response, by lower-case name. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A page to render: an action returns it instead of a response. */
export class View {
  /** Name of the template. */
  readonly template: string
  /** Data for the template, in addition to the reserved names. */
  readonly data: Readonly<Record<string, unknown>>
  /** Status of the response. */
  readonly status: number
  /** Headers of the response, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>

  /**
   * @param template Name of a template; never input from a client.
   * @param data Data for the template. `auth`, `csrf`, `csp`, `flash`, `$url`, `$asset` and `$i18n` are reserved. Default: none.
   * @param options `status` and `headers`. Default: 200, none.
   * @throws {TypeError} If the template is not a string, the data or the options are not an object, or a value of the data
   * is a promise.
   */
  constructor(template: string, data: Readonly<Record<string, unknown>> = {}, options: ViewOptions = {}) {
    if (typeof template !== 'string' || template === '')
      throw new TypeError(sentence`Cannot render ${shown(template)}: pass the name of a template`)
    if (typeof data !== 'object' || data === null)
      throw new TypeError(sentence`Cannot render "${template}" with ${shown(data)}: pass an object`)
    if (typeof options !== 'object' || options === null)
      throw new TypeError(
        sentence`Cannot render "${template}" with ${shown(options)} as options: pass an object`,
      )
    assertNoPromises(`render "${template}" with`, data)
    this.template = template
    this.data = data
    this.status = options.status ?? 200
    this.headers = options.headers ?? {}
  }
}
