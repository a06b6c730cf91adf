/** What a visitor sends besides the path. */
export interface Visit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: FormData | URLSearchParams
  readonly signal?: AbortSignal
}

/** A browser with cookies that follows no redirect. */
export class Visitor {
  readonly #origin: string
  readonly #mount: string
  readonly #cookies = new Map<string, string>()

  /**
   * @param origin Scheme and host.
   * @param mount The path below which the application is, or an empty string.
   */
  constructor(origin: string, mount: string) {
    this.#origin = origin
    this.#mount = mount
  }

  /** A second browser with the cookies of this one. */
  clone(): Visitor {
    const twin = new Visitor(this.#origin, this.#mount)
    for (const [name, value] of this.#cookies) twin.#cookies.set(name, value)
    return twin
  }

  /** Values of its cookies. */
  get cookies(): readonly string[] {
    return [...this.#cookies.values()]
  }

  /** Sends a request to a path below the application. */
  send(path: string, visit: Visit = {}): Promise<Response> {
    return this.sendToHost(this.#mount + path, visit)
  }

  /** Sends a request to any path of the host. */
  async sendToHost(path: string, { headers = {}, ...init }: Visit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const sent = {
      ...headers,
      // As a browser sends it with a form.
      ...(init.method === 'POST' ? { origin: this.#origin, 'sec-fetch-site': 'same-origin' } : {}),
      ...(cookie === '' ? {} : { cookie }),
    }
    const response = await fetch(this.#origin + path, { ...init, redirect: 'manual', headers: sent })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** Gets JSON. */
  async json(path: string): Promise<unknown> {
    return (await this.send(path)).json()
  }

  /** Sends a form with the token of its session. */
  async submit(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    const body = new URLSearchParams({ _csrf: await this.token(), ...fields })
    return this.send(path, { method: 'POST', body })
  }

  /** The token of its session. */
  async token(): Promise<string> {
    const { token } = (await this.json('/sign-in')) as { token: string }
    return token
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (/;\s*max-age=0/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
