/** Finds and begins a real browser. @module */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATH = process.env['SALLYPORT_CHROMIUM'] || '/usr/bin/chromium'

// Root in a container has no sandbox; the other options keep the browser from contacting anything by itself.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Why there is no browser; undefined when there is one. On CI machines a missing browser is a failure. */
export const missingBrowser: string | undefined =
  existsSync(PATH) || process.env['CI'] === 'true'
    ? undefined
    : `no Chromium at ${PATH}: install it or name it with CHROMIUM=/path`

/** How a browser begins. */
export interface BrowserOptions {
  /** Pages that were left are kept alive for the back button, as browsers of people do and automated ones do not. Default: false. */
  readonly keepsPages?: boolean
  /** Where names of hosts lead, as `MAP name:80 127.0.0.1:3000`. Default: where the machine says. */
  readonly hosts?: string
}

/**
 * Begins Chromium, which contacts nothing but what pages ask for.
 *
 * @param options How it begins.
 * @returns A browser without a window: whoever begins it closes it.
 */
export function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const { hosts } = options
  const rules = hosts === undefined ? [] : [`--host-resolver-rules=${hosts}`]
  const ignoreDefaultArgs = options.keepsPages === true ? ['--disable-back-forward-cache'] : []
  return chromium.launch({ executablePath: PATH, args: [...ARGUMENTS, ...rules], ignoreDefaultArgs })
}
