import { styleText } from 'node:util'
import { renderUnicodeCompact } from 'uqr'
import type { DemoAccount } from './demo-account.ts'
import { isUnnamed } from './local-address.ts'

/** Facts for the banner. */
export interface BannerFacts {
  /** Address to open. */
  readonly url: string
  /** Address that it listens on; differs from the URL behind a proxy. */
  readonly listensOn: string
  /** Folder of the databases. */
  readonly dataDirectory: string
  /** The demo account; undefined when there is none to show. */
  readonly demo: DemoAccount | undefined
  /** Whether it runs in production, where codes are not printed. */
  readonly isProduction: boolean
  /** Whether mails are shown at `/dev/mail`. */
  readonly hasMailbox: boolean
  /** Whether other machines can reach the server. */
  readonly isReachable: boolean
}

const CODE_HINT = [
  '  No authenticator at hand? "npm start -- code" in a second terminal prints the current code.',
]
const SHOWN_ONCE = ['  This is shown once: set up the authenticator and save the password now.']

const NO_NAME = '  Browsers offer less to an address, and localhost is not this one here: HOST=::1 npm start'

/**
 * Formats what a developer needs to know after `npm start`.
 *
 * @returns Lines of text.
 */
export function banner(facts: BannerFacts, stream: NodeJS.WriteStream): string {
  const strong = (text: string): string => styleText('bold', text, { stream })
  const { url, listensOn, demo } = facts
  const lines = ['']
  // The QR code comes first: it may be taller than the window, and the rest must stay next to the prompt.
  if (demo !== undefined) lines.push(...qrCode(demo.uri.reveal(), stream), '')
  lines.push(`  Sallyport starter: ${strong(url)}`)
  if (url !== listensOn) lines.push(`  Listening on: ${listensOn}`)
  if (isUnnamed(url)) lines.push(NO_NAME)
  if (facts.hasMailbox) lines.push(`  New account: ${url}/sign-up, its mail: ${url}/dev/mail`)
  if (facts.hasMailbox && facts.isReachable)
    lines.push('  The mailbox at /dev/mail answers this machine only, at http://localhost')
  lines.push(`  Data: ${facts.dataDirectory}`, '')
  if (demo !== undefined) {
    lines.push(
      '  Demo account',
      `    E-mail address  ${strong(demo.email)}`,
      `    Password        ${strong(demo.password.reveal())}`,
      `    Code            scan the QR code above with an authenticator app, or enter the secret`,
      `    Secret          ${strong(demo.secret.reveal())}`,
      '',
      ...(facts.isProduction ? SHOWN_ONCE : CODE_HINT),
      '',
    )
  }
  lines.push('  Press Ctrl+C to stop.', '')
  return `${lines.join('\n')}\n`
}

// Scanners need dark on light with a light border. Both colors are set, because a terminal may use either as its default.
function qrCode(text: string, stream: NodeJS.WriteStream): readonly string[] {
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  return lines.map((line) => `    ${styleText(['whiteBright', 'bgBlack'], line, { stream })}`)
}
