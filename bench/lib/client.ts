/**
 * A client that sees a server as a browser does, for the checks before the load.
 *
 * @module
 */
import assert from 'node:assert/strict'

/** A request to check or to load with. */
export interface Ask {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const timeoutMilliseconds = 5000

/** One visitor: a server and the cookies it has set. */
export class Visitor {
  readonly origin: string
  readonly #cookies = new Map<string, string>()

  /** @param port Where the server listens, on the loopback interface. */
  constructor(port: number) {
    this.origin = `http://127.0.0.1:${port}`
  }

  /** The `Cookie` header, as an object to spread into headers: empty without cookies. */
  get cookie(): Record<string, string> {
    const pairs = [...this.#cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length === 0 ? {} : { cookie: pairs.join('; ') }
  }

  /**
   * Sends a request with this visitor's cookies and stores those of the response. Redirects are not followed.
   *
   * @param ask The request.
   * @returns The response.
   */
  async send({ method = 'GET', path, headers = {}, body }: Ask): Promise<Answer> {
    const response = await fetch(this.origin + path, {
      method,
      headers: { ...this.cookie, connection: 'close', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

  /**
   * Sends a form like a page of the same site.
   *
   * @param path Where to.
   * @param fields The form.
   * @returns The response.
   */
  async submit(path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send(this.formAsk(path, fields))
  }

  /**
   * Builds the request of a form without sending it.
   *
   * @param path Where to.
   * @param fields The form.
   * @returns The request, with this visitor's cookies as they are now.
   */
  formAsk(path: string, fields: Readonly<Record<string, string>>): Ask {
    const headers = {
      ...this.cookie,
      'content-type': 'application/x-www-form-urlencoded',
      origin: this.origin,
      'sec-fetch-site': 'same-origin',
    }
    return { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() }
  }

  /**
   * Logs in.
   *
   * @param user For example `u42`.
   * @throws {assert.AssertionError} If the server refuses or sets no cookie.
   */
  async logIn(user: string): Promise<void> {
    const { status, body } = await this.submit('/login', { user })
    assert.ok(
      [200, 201, 204, 302, 303].includes(status),
      `POST /login answered ${status} ${body.slice(0, 200)}`,
    )
    assert.notDeepEqual(this.cookie, {}, 'POST /login set no cookie')
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const isGone = value === '' || attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))
    if (isGone) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
