import { styleText } from 'node:util'
import { renderUnicodeCompact } from 'uqr'
import type { Banner } from 'sallyport-app/program'
import { BRAND } from '../brand.ts'
import { DEMO_EMAIL, DEMO_PASSWORD, type DemoAccount } from './demo-account.ts'

/** @returns What a developer reads after `npm start`: where mails are, and how to sign in, as far as there is such a mailbox and account. */
export function bannerOf(
  url: string,
  { demo, hasMailbox }: { readonly demo: DemoAccount | undefined; readonly hasMailbox: boolean },
): Banner {
  const mailbox = `New account: ${url}/sign-up, its mail, for this machine only: ${url}/dev/mail`
  const notes = hasMailbox ? [[mailbox]] : []
  if (demo === undefined) return { name: BRAND.name, notes }
  const account = [
    'Demo account',
    `  Email address   ${DEMO_EMAIL}`,
    `  Password        ${DEMO_PASSWORD}`,
    '  Code            scan the QR code above with an authenticator app, or enter the secret',
    `  Secret          ${demo.secret.reveal()}`,
  ]
  const help = 'No authenticator at hand? "npm start -- code" in a second terminal prints the current code.'
  return { name: BRAND.name, above: qrCode(demo.uri.reveal()), notes: [...notes, account, [help]] }
}

// Scanners need dark on light with a light border. Both colors are set, because a terminal may use either as its default.
function qrCode(text: string): readonly string[] {
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  return lines.map((line) => `    ${styleText(['whiteBright', 'bgBlack'], line, { stream: process.stdout })}`)
}
