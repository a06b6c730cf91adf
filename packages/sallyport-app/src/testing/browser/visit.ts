/** A person at a browser, and everything that the browser complained about. @module */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, ConsoleMessage, Page, Response } from 'playwright-core'
import { onThisMachine } from '../on-this-machine.ts'
import type { Scope } from '../scope.ts'
import type { DomGlobals } from './dom.ts'

// Generous, for a busy machine: tests wait for conditions, not for time.
const PATIENCE_MILLISECONDS = onThisMachine(60_000)
const LOOK_MILLISECONDS = 5

/** How a page looks to the person. */
export interface Sight {
  /** Path and query. */
  readonly path: string
  /** Status of the last document. */
  readonly status: number
  /** First heading. */
  readonly heading: string
  /** Alerts, and messages of fields, which are read with the field in focus. */
  readonly alert: string
  /** What is announced when there is time. */
  readonly notice: string
  /** Name of the field in focus; empty when none is. */
  readonly focus: string
}

/** Where a window begins, and what it is like. */
export type WindowOptions = BrowserContextOptions & { readonly url: string }

/** A window of one person, with cookies of its own. An application extends it by what its people do. */
export class Visit {
  /** The page that is open. */
  readonly page: Page
  /** Whether pages can run scripts. */
  readonly runsScripts: boolean
  readonly #origin: string
  readonly #problems: string[] = []
  readonly #failedLoads: { readonly url: string; readonly text: string }[] = []
  readonly #refusals = new Set<string>()
  #status = 0

  /**
   * Use {@link Visit.begin}.
   *
   * @param page An empty page.
   * @param options What the window is like.
   */
  constructor(page: Page, { url: origin, javaScriptEnabled = true }: WindowOptions) {
    this.page = page
    this.runsScripts = javaScriptEnabled
    this.#origin = origin
    page.setDefaultTimeout(PATIENCE_MILLISECONDS)
    page.on('pageerror', (error) => void this.#problems.push(`error ${String(error)}`))
    page.on('console', (message) => this.#hear(message))
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) this.#problems.push(`request to ${request.url()}`)
    })
    page.on('response', (response) => this.#inspect(response))
  }

  /**
   * Opens a window. With its scope it is closed, and an error is thrown if the browser complained: of a script, a file that is
   * missing, a request to another origin, a document that caches may store or without a policy for scripts.
   *
   * @param scope What it ends with.
   * @param browser The browser.
   * @param options `url` of the application, and what the window is like.
   * @returns The window, empty.
   */
  static async begin<V extends Visit>(
    this: new (page: Page, options: WindowOptions) => V,
    scope: Scope,
    browser: Browser,
    { url, ...options }: WindowOptions,
  ): Promise<V> {
    const context = await browser.newContext({ baseURL: url, ...options })
    const visit = new this(await context.newPage(), { url, ...options })
    scope.after(async () => {
      await context.close()
      assert.deepEqual(visit.problems(), [], 'the browser complains about nothing')
    })
    return visit
  }

  /** @returns What the browser complained about since this was asked last. */
  problems(): readonly string[] {
    const failed = this.#failedLoads.splice(0).filter(({ url }) => !this.#refusals.has(url))
    return [...this.#problems.splice(0), ...failed.map(({ text }) => text)]
  }

  /**
   * @param path Path to open.
   * @returns What is seen.
   */
  async open(path: string): Promise<Sight> {
    await this.page.goto(path)
    return this.#firstSight()
  }

  /**
   * Does something that makes the browser load a page.
   *
   * @param action What is done.
   * @returns What is seen.
   */
  async after(action: () => Promise<unknown>): Promise<Sight> {
    await Promise.all([this.page.waitForEvent('load'), action()])
    return this.#firstSight()
  }

  /**
   * @param key Key to press, `Enter` for one.
   * @returns What is seen.
   */
  press(key: string): Promise<Sight> {
    return this.after(() => this.page.keyboard.press(key))
  }

  /**
   * @param role `button` or `link`.
   * @param name What it says.
   * @returns What is seen.
   */
  click(role: 'button' | 'link', name: string): Promise<Sight> {
    return this.after(() => this.page.getByRole(role, { name, exact: true }).first().click())
  }

  /** @returns What is seen. */
  async sight(): Promise<Sight> {
    const facts = await this.page.evaluate(() => {
      const { document } = globalThis as unknown as DomGlobals
      const text = (selector: string): string =>
        [...document.querySelectorAll(selector)]
          .map((element) => element.textContent?.trim() ?? '')
          .join(' | ')
      return {
        heading: text('h1'),
        alert: text('[role=alert], .error'),
        notice: text('[role=status]'),
        focus: document.activeElement?.getAttribute('name') ?? '',
      }
    })
    const { pathname, search } = new URL(this.page.url())
    return { path: pathname + search, status: this.#status, ...facts }
  }

  // The field with `autofocus` gets the focus when the page is drawn for the first time, which may be later than it is
  // loaded: what is typed before goes nowhere.
  async #firstSight(): Promise<Sight> {
    const end = performance.now() + PATIENCE_MILLISECONDS
    while (await this.page.evaluate(awaitsFocus)) {
      assert.ok(performance.now() < end, `${this.page.url()}: its first field gets no focus`)
      await sleep(LOOK_MILLISECONDS)
    }
    return this.sight()
  }

  // A refusal is an answer that tests ask for, and Chromium reports its status, before or after the page is there;
  // everything else is a complaint.
  #hear(message: ConsoleMessage): void {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = `${message.type()} ${message.text()}`
    if (message.text().startsWith('Failed to load resource'))
      this.#failedLoads.push({ url: message.location().url, text })
    else this.#problems.push(text)
  }

  #inspect(response: Response): void {
    const { [`content-security-policy`]: policy = '', 'cache-control': caching = '' } = response.headers()
    const isDocument = response.request().resourceType() === 'document'
    const url = response.url().slice(this.#origin.length)
    if (!isDocument && response.status() >= 400) this.#problems.push(`${response.status()} for ${url}`)
    if (!isDocument) return
    this.#status = response.status()
    if (response.status() >= 400) this.#refusals.add(response.url())
    if (!caching.includes('no-store')) this.#problems.push(`${url} may be stored: "${caching}"`)
    const isPage = response.headers()['content-type']?.startsWith('text/html') ?? false
    if (isPage && !/default-src 'none'.*script-src '(none|self)'(;|$)/.test(policy))
      this.#problems.push(`${url} has the policy "${policy}"`)
  }
}

function awaitsFocus(): boolean {
  const { document } = globalThis as unknown as DomGlobals
  const isWanted = [...document.querySelectorAll('[autofocus]')].some((field) => field.checkVisibility())
  return isWanted && document.activeElement?.tagName === 'BODY'
}
