/** A browser and a starter for one test file. @module */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { layAccounts, type Person, type PersonToLay, StarterProcess } from '../crash/starter-process.ts'
import type { Scope } from '../support.ts'
import { launchBrowser } from './chromium.ts'
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

  /**
   * @param options `keepsPages`: see {@link launchBrowser}.
   */
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

  /**
   * @param test The test.
   * @param people Accounts in addition to the demo account. Default: none.
   * @param variables Environment of the starter. Default: that of a development machine.
   * @returns A starter of its own for the test.
   */
  async start(
    test: TestContext,
    people: readonly PersonToLay[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Running> {
    const directory = mkdtempSync(join(tmpdir(), 'sallyport-browser-'))
    test.after(() => rmSync(directory, { recursive: true, force: true }))
    const laid = people.length === 0 ? [] : await layAccounts(directory, people)
    const starter = await StarterProcess.start({ directory, variables })
    const visit = this.windows(test, starter)
    return { starter, directory, people: laid, visit }
  }
  /**
   * Ends a starter after the test, and its windows before it: what they still load would be refused otherwise.
   *
   * @param test The test.
   * @param starter A starter that runs.
   * @returns What opens a window of the starter.
   */
  windows(test: Scope, starter: StarterProcess): OpenWindow {
    const closing: (() => Promise<void>)[] = []
    test.after(async () => {
      try {
        for (const close of closing) await close()
      } finally {
        await starter.stop()
      }
    })
    const cleaner = { after: (hook: () => Promise<void>): void => void closing.push(hook) }
    return (options = {}) => Visit.begin(cleaner, this.browser, { url: starter.site, ...options })
  }
}
