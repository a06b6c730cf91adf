/** A browser and a starter for one test file. @module */
import { after, before, type TestContext } from 'node:test'
import { Closing } from 'sallyport-app/testing'
import { launchBrowser } from 'sallyport-app/testing/browser'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { layAccounts, type Person, type PersonToLay, StarterProcess } from '../crash/starter-process.ts'
import { type Scope, temporary } from '../support.ts'
import { Visit } from './visit.ts'

/** A running starter whose data is removed after the test. */
export interface Running {
  /** The process. */
  readonly starter: StarterProcess
  /** Its data folder. */
  readonly directory: string
  /** The accounts that were laid into it. */
  readonly people: readonly Person[]
  /** Opens a window on it. */
  readonly visit: OpenWindow
}

/** Opens a window on a starter; `url` is its address unless another name of it is given. */
export type OpenWindow = (options?: BrowserContextOptions & { readonly url?: string }) => Promise<Visit>

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

  /** @returns A starter of its own for the test. */
  async start(
    test: TestContext,
    people: readonly PersonToLay[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Running> {
    const directory = temporary(test)
    const laid = people.length === 0 ? [] : await layAccounts(directory, people)
    const starter = await StarterProcess.start({ directory, variables })
    const visit = this.windows(test, starter)
    return { starter, directory, people: laid, visit }
  }
  /** Ends a starter after the test, and its windows before it: what they still load would be refused otherwise. */
  windows(test: Scope, starter: StarterProcess): OpenWindow {
    const closing = new Closing()
    test.after(() => closing.close().finally(() => starter.stop()))
    return (options = {}) => Visit.begin(closing, this.browser, { url: starter.site, ...options })
  }
}
