import { type FlashMessage, SafeHtml } from 'sallyport'
import { type TemplateSource, ViewEngine } from 'sallyport/view'

type Values = Readonly<Record<string, unknown>>

/** How errors are worded for users. Their own text is for programmers, and in one language. */
export interface ErrorPages {
  /** Name of their template. */
  readonly template: string
  /** Statuses with messages of their own: `error.<status>.title` and `error.<status>.text`. Others are worded as 400 or 500. */
  readonly statuses: readonly number[]
  /** What stands in the place of the status in both, for the codes of errors that have words of their own. */
  readonly codes: Readonly<Record<string, string>>
}

/** What puts pages into a layout. */
export interface LayoutOptions {
  /** Renders the templates. */
  readonly inner: ViewEngine
  /** Name of the template of the layout, which gets the page as `content`. */
  readonly layout: string
  /** How errors are worded. */
  readonly errors: ErrorPages
  /** Values that every template may ask for. */
  readonly defaults: Values
  /** What the layout gets beside the values of the page. */
  readonly around: (page: Values) => Values
}

// What `PageController` gives a page, and `PageErrors` an error page, where nothing else is said.
const DEFAULTS = { here: '', failed: false, titleValues: {}, warning: undefined, shownMessages }
const ERROR_DEFAULTS = { page: 'error', again: undefined, typed: [], signsIn: false }

/**
 * Puts every page into the common layout, error pages included. Where a template says `{{ await added('menu') }}`, it shows the templates
 * that the value `slots` of the page has for this place; a second argument stands between them.
 */
export class LayoutEngine extends ViewEngine {
  readonly #options: LayoutOptions

  /** @param options What pages are made of. */
  constructor(options: LayoutOptions) {
    super()
    this.#options = options
  }

  override async render(template: string, data: Values): Promise<string> {
    const { inner, layout, errors, defaults, around } = this.#options
    const ofError =
      template === errors.template ? { ...ERROR_DEFAULTS, ...data, ...wordsOf(data, errors) } : {}
    const page: Values = {
      ...DEFAULTS,
      ...defaults,
      ...data,
      ...ofError,
      added: (slot: string, between?: string) => this.#added(page, slot, between),
    }
    const content = await inner.render(template, page)
    return inner.render(layout, { ...page, ...around(page), content })
  }

  // What parts add there. Each of their templates gets the data of the page.
  async #added(page: Values, slot: string, between = ''): Promise<SafeHtml> {
    const { [slot]: templates = [] } = Object(page['slots']) as Readonly<Record<string, readonly string[]>>
    const written: string[] = []
    for (const template of templates) written.push(await this.#options.inner.render(template, page))
    return new SafeHtml(written.join(between))
  }

  override shadowedNames(): ReadonlySet<string> {
    return this.#options.inner.shadowedNames()
  }

  override templates(): readonly TemplateSource[] {
    return this.#options.inner.templates()
  }
}

// By `words`, the code of the error or its status.
function wordsOf(data: Values, { statuses, codes }: ErrorPages): Values {
  const { status = 500, code = '' } = Object(data['error']) as {
    readonly status?: number
    readonly code?: string
  }
  const ofStatus = status < 500 ? 400 : 500
  const named = data['words'] as string | undefined
  const words = named ?? codes[code] ?? (statuses.includes(status) ? status : ofStatus)
  return { words, title: `error.${words}.title`, text: `error.${words}.text` }
}

// Each once, however many requests left it.
function shownMessages(messages: readonly FlashMessage[]): readonly FlashMessage[] {
  return [...new Map(messages.map((message) => [message.text, message])).values()]
}
