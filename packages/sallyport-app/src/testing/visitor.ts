/** A browser without a window, over real connections. @module */

/** What a visitor is like. */
export interface VisitorOptions {
  /** Whose cookies and page it has from the beginning. Default: it has none. */
  readonly before?: Visitor | undefined
  /** Headers of all its requests. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long it waits for an answer. Default: as long as `fetch()` does. */
  readonly timeoutMilliseconds?: number
}

/** What came back. */
export interface Answer {
  /** Status. */
  readonly status: number
  /** Where it redirects to; null for nowhere. */
  readonly location: string | null
  /** Body. */
  readonly html: string
}

type Texts = Readonly<Record<string, string>>

/**
 * Keeps the cookies of answers that it received in full, and sends the token of the page that it saw last. It follows no redirect.
 *
 * @example
 * ```typescript
 * const visitor = new Visitor('http://127.0.0.1:3000')
 * await visitor.open('/login')
 * const { location } = await visitor.submit('/login', { email, password })
 * ```
 */
export class Visitor {
  /** Scheme, host and port of what it visits. */
  readonly url: string
  readonly #headers: Texts
  readonly #timeoutMilliseconds: number | undefined
  #cookies: Map<string, string>
  #token: string

  /**
   * Has seen nothing yet.
   *
   * @param url Scheme, host and port of what it visits.
   * @param options What it is like.
   */
  constructor(url: string, { before, headers = {}, timeoutMilliseconds }: VisitorOptions = {}) {
    this.url = url
    this.#headers = headers
    this.#timeoutMilliseconds = timeoutMilliseconds
    this.#cookies = new Map(before?.cookies)
    this.#token = before === undefined ? '' : before.#token
  }

  /** Its cookies. To set them takes the others away. */
  get cookies(): ReadonlyMap<string, string> {
    return new Map(this.#cookies)
  }

  set cookies(cookies: ReadonlyMap<string, string>) {
    this.#cookies = new Map(cookies)
  }

  /**
   * Opens a page.
   *
   * @param path Path of the page.
   * @param headers More headers. Default: none.
   * @returns What came back.
   */
  open(path: string, headers: Texts = {}): Promise<Answer> {
    return this.#send(path, { headers })
  }

  /**
   * Sends a form, with the token of the page that it saw last.
   *
   * @param path Where to.
   * @param fields Its fields. Default: none.
   * @param headers More headers. Default: none.
   * @returns What came back.
   */
  submit(path: string, fields: Texts = {}, headers: Texts = {}): Promise<Answer> {
    const body = new URLSearchParams({ _csrf: this.#token, ...fields })
    return this.#send(path, { method: 'POST', body, headers })
  }

  async #send(
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers: Texts },
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...this.#headers, ...init.headers, cookie: cookieOf(this.#cookies) },
      ...(this.#timeoutMilliseconds !== undefined && {
        signal: AbortSignal.timeout(this.#timeoutMilliseconds),
      }),
    })
    const html = await response.text()
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    this.#token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? this.#token
    return { status: response.status, location: response.headers.get('location'), html }
  }
}

function cookieOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}
