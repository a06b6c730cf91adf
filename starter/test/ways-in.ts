/**
 * Every way to be signed in, and the file `WAYS-IN.md` that tells them. A test compares this list with the routes of the
 * application. `node --conditions=sallyport-source test/ways-in.ts --write` writes the file anew.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { COMMANDS } from '../commands/commands.ts'
import { ofParts } from './facts-of-parts.ts'

/** The file. */
export const WAYS_IN_FILE: string = fileURLToPath(new URL('../WAYS-IN.md', import.meta.url))

/** A request that may end with an identity. */
export interface WayIn {
  /** Method and path. */
  readonly route: string
  /** What is proven when it signs in. */
  readonly proves: string
  /** What it does without, and why that is safe. */
  readonly skips: string
}

/** The ways in, by what people call them. Each calls `LoginCompletion`, the only code that calls `login()`. */
export const WAYS_IN: Readonly<Record<string, WayIn>> = {
  password: {
    route: 'POST /login',
    proves: 'the password',
    skips:
      'the second factor, only for an account that has none enabled and need not have one yet, or one whose passkey was proven just before in this session; otherwise it begins a pending login instead, and nobody is signed in',
  },
  'code of the authenticator': {
    route: 'POST /login/2fa',
    proves: 'the password within the last 300 seconds, in this session, and a code that was not used before',
    skips: 'nothing',
  },
  'recovery code': {
    route: 'POST /login/2fa/recovery',
    proves:
      'the password within the last 300 seconds, in this session, and a recovery code, which is used up',
    skips: 'the authenticator, because it is gone: the code replaces it once, and the owner gets an email',
  },
  'passkey or security key': {
    route: 'POST /login/2fa/passkey',
    proves:
      'the password within the last 300 seconds, in this session, and possession of a passkey of this account, by a response that was asked for in this pending login and is used up',
    skips: 'nothing',
  },
  'passkey as the whole login': {
    route: 'POST /login/passkey',
    proves:
      'possession of a passkey that names its account, and the PIN, fingerprint or face that its device checked, by a response that was asked for in this session and is used up',
    skips:
      'the password, because possession and verification of the user are two factors; without that verification nobody is signed in, and the next password of the account within 300 seconds, in this session, completes the login at `POST /login`',
  },
  'end of setting up the first second factor': {
    route: 'POST /enroll/done',
    proves:
      'the mailbox by a link, the password (a new one set with the link, or the present one of an account that must have a second factor and has none, unless a link in an email set it within 30 days, or of one whose lost factors may be replaced after the waiting time of a verified recovery), and the first code of the authenticator, or the passkey that a rule requires, all in one session, the last within 15 minutes; an account that must have a second factor and whose password came by email waits as one whose factors are lost; an account whose factors are not of the kind that a rule requires proves password and factor instead of the mailbox',
    skips:
      'a login of its own, because everything that it would ask for was just proven; once for each enrollment',
  },
  ...ofParts('waysIn'),
}

/** Routes beside the ways in, in the same controllers: what they do instead of signing in. */
export const SIGNS_NOBODY_IN: Readonly<Record<string, string>> = {
  'GET /login': 'shows the form',
  'GET /login/2fa': 'shows the form',
  'GET /login/2fa/recovery': 'shows the form',
  'GET /login/2fa/passkey': 'shows the form',
  'POST /login/2fa/choose': 'stores which factor the pending login continues with',
  'POST /login/2fa/cancel': 'ends the pending login',
  'GET /enroll': 'shows the secret to set up',
  'POST /enroll': 'enables the authenticator; the session stays anonymous',
  'POST /enroll/codes': 'makes new recovery codes; the session stays anonymous',
  'POST /enroll/cancel': 'ends the enrollment',
  ...ofParts('beside'),
}

/** Links in emails that change what proves an account, and sign nobody in. */
export const MAIL_LINKS: Readonly<Record<string, string>> = {
  'POST /sign-up/confirm/{token}':
    'creates the account and leads to the enrollment; the session stays anonymous',
  'POST /enroll/confirm/{token}':
    'continues the enrollment that the password began in the same browser; the session stays anonymous',
  'POST /forgot/{token}':
    'sets a new password and ends every session and pending login; the second factor stays as it is, and the next login asks for it',
  'POST /set-up/{token}':
    'chooses the first password of an account that an administrator added, and leads to the enrollment; the session stays anonymous',
  ...ofParts('links'),
}

/**
 * @returns The text of `WAYS-IN.md`.
 */
export function describeWaysIn(): string {
  const rows = Object.entries(WAYS_IN).map(
    ([way, { route, proves, skips }]) => `| ${way} | \`${route}\` | ${proves} | ${skips} |`,
  )
  const others = Object.entries(SIGNS_NOBODY_IN).map(([route, what]) => `- \`${route}\` ${what}`)
  const links = Object.entries(MAIL_LINKS).map(([route, what]) => `- \`${route}\` ${what}`)
  const commands = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `- \`npm start -- ${name}\` ${summary}`,
  )
  return [
    '# Ways in',
    'Every way to sign in. Each ends in `LoginCompletion` (`identity/sessions/login-completion.ts`), the only code that calls `login()`. A test fails when a route appears that is not here. Do not edit this file: it is made by `node --conditions=sallyport-source test/ways-in.ts --write`.',
    ['| way | route | proves | skips, and why |', '|---|---|---|---|', ...rows].join('\n'),
    'Every other request has an identity only by `ResolveIdentity`: by a session that began in one of these ways, of an account that may still sign in and whose credentials have not changed since.',
    ...Object.values(ofParts('identities')),
    '## What signs nobody in',
    'These routes have the same controllers:',
    others.join('\n'),
    'A link in an email is opened by every reader of the email, and by mail scanners. Opening it changes nothing, and its form signs nobody in:',
    links.join('\n'),
    commands.join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write'))
  writeFileSync(WAYS_IN_FILE, describeWaysIn())
