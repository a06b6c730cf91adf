/**
 * A browser of a person who uses the shop of the guide about existing applications.
 *
 * @module
 */
import assert from 'node:assert/strict'

import type { Visitor } from './visitor.ts'

/** A browser in front of the shop. */
export class Browser {
  readonly #visitor: Visitor

  constructor(visitor: Visitor) {
    this.#visitor = visitor
  }

  clone(): Browser {
    return new Browser(this.#visitor.clone())
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return seen(await this.#visitor.send(path, { headers }))
  }

  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return seen(await this.#visitor.send(path, { method: 'POST', body: new URLSearchParams(fields) }))
  }

  /** Presses a button without a token, and sends its form to where a 307 says. */
  async press(path: string): Promise<Seen> {
    const { status, location } = await this.post(path)
    assert.equal(status, 307)
    return this.post(location)
  }

  /** Opens a page of the application and sends its form. */
  async submit(path: string, fields: Readonly<Record<string, string>>): Promise<Seen> {
    const { text } = await this.get(path)
    return this.post(path, { _csrf: tokenIn(text), ...fields })
  }

  /** What the page of orders shows a signed-in user. */
  async orders(): Promise<Orders> {
    return JSON.parse((await this.get('/orders')).text) as Orders
  }

  /** Follows redirects of GET requests. */
  async open(path: string): Promise<Seen & { readonly path: string }> {
    let at = path
    for (let hops = 0; hops < 8; hops++) {
      const page = await this.get(at)
      if (page.location === '') return { ...page, path: at }
      at = page.location
    }
    throw new Error(`${path} redirects without an end`)
  }
}

/** The token in a page with a form; empty if it has none. */
export function tokenIn(page: string): string {
  return /value="([^"]+)"/.exec(page)?.[1] ?? ''
}

interface Orders {
  readonly name: string
  readonly csrfToken: string
  readonly maySend?: boolean
}

/** What the browser got. */
export interface Seen {
  readonly status: number
  readonly location: string
  readonly text: string
  readonly cookies: readonly string[]
  readonly retryAfter: number
}

async function seen(response: Response): Promise<Seen> {
  const { status, headers } = response
  const location = headers.get('location') ?? ''
  const retryAfter = Number(headers.get('retry-after'))
  return { status, location, text: await response.text(), cookies: headers.getSetCookie(), retryAfter }
}
