/** A browser for one test file. @module */
import { after, before } from 'node:test'
import { launchBrowser } from 'sallyport-app/testing/browser'
import type { Browser } from 'playwright-core'

/** Begins the browser before the tests of the suite, and ends it after them. */
export class World {
  #browser: Browser | undefined

  /** @param options `keepsPages`: see {@link launchBrowser}. */
  constructor(options: { readonly keepsPages?: boolean } = {}) {
    before(async () => {
      this.#browser = await launchBrowser(options)
    })
    after(() => this.#browser?.close())
  }

  /** The browser. */
  get browser(): Browser {
    if (this.#browser === undefined) throw new TypeError('Cannot use the browser before the tests begin')
    return this.#browser
  }
}
