import { styleText } from 'node:util'
import { renderUnicodeCompact } from 'uqr'
import type { DemoAccount } from './demo-account.ts'

/** What the banner tells. */
export interface BannerFacts {
  /** Address to open. */
  readonly url: string
  /** Address that it listens on, which is another one behind a proxy. */
  readonly listensOn: string
  /** Folder of the databases. */
  readonly dataDirectory: string
  /** The demo account; undefined when there is nothing to show. */
  readonly demo: DemoAccount | undefined
  /** Whether it runs in production, where codes are not printed. */
  readonly isProduction: boolean
}

const CODE_HINT = [
  '  No authenticator at hand? "npm start -- code" in a second terminal prints the code of this moment.',
]
const SHOWN_ONCE = ['  This is shown once: set the authenticator up and keep the password now.']

/**
 * What a person needs to know after `npm start`.
 *
 * @param facts What the banner tells.
 * @param stream Where it is going to be written; decides on colours.
 * @returns Lines of text.
 */
export function banner(facts: BannerFacts, stream: NodeJS.WriteStream): string {
  const strong = (text: string): string => styleText('bold', text, { stream })
  const { url, listensOn, demo } = facts
  const lines = ['']
  // Above the rest, for it is larger than many a window: what is needed first stands where the prompt is.
  if (demo !== undefined) lines.push(...qrCode(demo.uri.reveal(), stream), '')
  lines.push(`  Sallyport starter: ${strong(url)}`)
  if (url !== listensOn) lines.push(`  It listens on: ${listensOn}`)
  lines.push(`  Its data: ${facts.dataDirectory}`, '')
  if (demo !== undefined) {
    lines.push(
      '  Demo account',
      `    E-mail address  ${strong(demo.email)}`,
      `    Password        ${strong(demo.password.reveal())}`,
      `    Code            scan the picture above with an authenticator app, or type the secret into it`,
      `    Secret          ${strong(demo.secret.reveal())}`,
      '',
      ...(facts.isProduction ? SHOWN_ONCE : CODE_HINT),
      '',
    )
  }
  lines.push('  Ctrl+C ends it.', '')
  return `${lines.join('\n')}\n`
}

// Scanners want dark on light with a light border. A terminal may be of either colour, so both are said.
function qrCode(text: string, stream: NodeJS.WriteStream): readonly string[] {
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  return lines.map((line) => `    ${styleText(['whiteBright', 'bgBlack'], line, { stream })}`)
}
