import { styleText } from 'node:util'
import type { Announced } from 'sallyport-app/program'
import { renderUnicodeCompact } from 'uqr'
import { BRAND } from '../brand.ts'
import { DEMO_EMAIL, DEMO_PASSWORD, type DemoAccount } from './demo-account.ts'

/** Facts for the banner. */
export interface BannerFacts extends Announced {
  /** The demo account; undefined when there is none. */
  readonly demo: DemoAccount | undefined
}

/** @returns What a developer needs to know after `npm start`. */
export function banner(facts: BannerFacts, stream: NodeJS.WriteStream): string {
  const strong = (text: string): string => styleText('bold', text, { stream })
  const { url, listensOn, data, demo, hasMailbox } = facts
  const lines = [
    '',
    // The QR code comes first: it may be taller than the window, and the rest must stay next to the prompt.
    ...(demo === undefined ? [] : [...qrCode(demo.uri.reveal(), stream), '']),
    `  ${BRAND.name}: ${strong(url)}`,
    ...(url === listensOn ? [] : [`  Listening on: ${listensOn}`]),
    ...(hasMailbox
      ? [`  New account: ${url}/sign-up, its mail, for this machine only: ${url}/dev/mail`]
      : []),
    `  Data: ${data}`,
    '',
  ]
  if (demo !== undefined)
    lines.push(
      '  Demo account',
      `    Email address   ${strong(DEMO_EMAIL)}`,
      `    Password        ${strong(DEMO_PASSWORD)}`,
      '    Code            scan the QR code above with an authenticator app, or enter the secret',
      `    Secret          ${strong(demo.secret.reveal())}`,
      '',
      '  No authenticator at hand? "npm start -- code" in a second terminal prints the current code.',
      '',
    )
  return [...lines, '  Press Ctrl+C to stop.', '', ''].join('\n')
}

// Scanners need dark on light with a light border. Both colors are set, because a terminal may use either as its default.
function qrCode(text: string, stream: NodeJS.WriteStream): readonly string[] {
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  return lines.map((line) => `    ${styleText(['whiteBright', 'bgBlack'], line, { stream })}`)
}
