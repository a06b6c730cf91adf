/** A browser without a window, in the process of the application: its pages, its cookies, and what its session holds. @module */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Clock, Json } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import type { TestClient, TestRequestOptions } from 'sallyport/testing'

const LIFETIME_MILLISECONDS = 600_000

/** What came back. */
export interface Page {
  /** Status of the response. */
  readonly status: number
  /** Its body. */
  readonly html: string
  /** Its headers. */
  readonly headers: Headers
  /** Where it redirects to; null for nowhere. */
  readonly location: string | null
}

/** What a browser is like, and where its session is kept. */
export interface PageClientOptions {
  /** The sessions of the application. */
  readonly store: SessionStore
  /** The clock of the application. */
  readonly clock: Clock
  /** Headers of all its requests. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the cookie of its session. Default: `__Host-sid`. */
  readonly cookie?: string
}

/** Stores cookies, and sends the token of the page that it opened last. */
export class PageClient {
  /** Sends the requests. */
  readonly client: TestClient
  readonly #options: PageClientOptions
  #token = ''

  /**
   * Has opened nothing yet.
   *
   * @param client Sends the requests.
   * @param options What it is like.
   */
  constructor(client: TestClient, options: PageClientOptions) {
    this.client = client
    this.#options = options
  }

  /**
   * Opens a page.
   *
   * @param path Its path.
   * @param options Of the request. Default: as a browser sends it.
   * @returns What came back.
   */
  async open(path: string, options?: TestRequestOptions): Promise<Page> {
    return this.#look(await this.client.get(path, this.#with(options)))
  }

  /**
   * Sends a form.
   *
   * @param path Where to.
   * @param fields Its fields. Default: none.
   * @param options Of the request. Default: as a browser sends it.
   * @returns What came back.
   */
  async submit(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    options?: TestRequestOptions,
  ): Promise<Page> {
    const form = { _csrf: this.#token, ...fields }
    return this.#look(await this.client.post(path, { ...this.#with(options), form }))
  }

  /**
   * Shows the same page as another one.
   *
   * @param other The other one.
   */
  shows(other: PageClient): void {
    this.#token = other.#token
  }

  /** The session cookie; undefined when there is none. */
  get sessionId(): string | undefined {
    return this.client.cookie(this.#options.cookie ?? '__Host-sid')
  }

  /**
   * Reads its session as the store holds it.
   *
   * @returns The entries.
   */
  async session(): Promise<Readonly<Record<string, unknown>>> {
    const record = await this.#options.store.read(this.#storedId())
    if (record === null || record.ended) return {}
    return Object.fromEntries([...record.data].map(([key, text]) => [key, JSON.parse(text)]))
  }

  /**
   * Says when its session began, as the store holds it.
   *
   * @returns A Unix timestamp; undefined when there is no session.
   */
  async sessionBegan(): Promise<number | undefined> {
    if (this.sessionId === undefined) return undefined
    const record = await this.#options.store.read(this.#storedId())
    return record === null || record.ended ? undefined : record.createdAt / 1000
  }

  /**
   * Writes an entry into its session behind the application's back.
   *
   * @param key Name of the entry.
   * @param value The entry.
   */
  async write(key: string, value: Json): Promise<void> {
    await this.writeText(key, JSON.stringify(value))
  }

  /**
   * Does the same with a text that may be no JSON.
   *
   * @param key Name of the entry.
   * @param text The text.
   */
  async writeText(key: string, text: string): Promise<void> {
    const { store, clock } = this.#options
    const now = clock.milliseconds()
    const lifetime = { createdAt: now, expiresAt: now + LIFETIME_MILLISECONDS }
    const changes = { set: new Map([[key, text]]), removed: new Set<string>() }
    assert.equal(await store.update(this.#storedId(), changes, lifetime), true)
  }

  // The store knows it by its beginning and a digest.
  #storedId(): string {
    assert.ok(this.sessionId !== undefined, 'the browser holds no session')
    return this.sessionId.slice(0, 2) + createHash('sha256').update(this.sessionId).digest('base64url')
  }

  #with(options: TestRequestOptions = {}): TestRequestOptions {
    return { ...options, headers: { ...this.#options.headers, ...options.headers } }
  }

  async #look(response: Response): Promise<Page> {
    const html = await response.text()
    this.#token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? this.#token
    const { status, headers } = response
    return { status, html, headers, location: headers.get('location') }
  }
}
