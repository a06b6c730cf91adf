import type { FactorSummary } from '../../identity/factors/totp-factors.ts'

/** What the codes of an authenticator are made from. */
export type CodeKind = FactorSummary['kind']

/** Messages about one kind of authenticator. */
export interface AuthenticatorTexts {
  /** What it is called. */
  readonly name: string
  /** Title of the page that adds one. */
  readonly title: string
  /** What that page says. */
  readonly lead: string
  /** What the page says that replaces one. */
  readonly replacing: string
  /** What is said when it was added. */
  readonly added: string
  /** What is said about a wrong first code: identifier in the domain `auth`. */
  readonly wrongCode: string
}

/** The messages about each kind. */
export const AUTHENTICATOR_TEXTS: Readonly<Record<CodeKind, AuthenticatorTexts>> = {
  totp: {
    name: 'security.kind.totp',
    title: 'setup.title.totp',
    lead: 'setup.lead.totp',
    replacing: 'setup.replace.lead.totp',
    added: 'setup.added.totp',
    wrongCode: 'wrong_first_code',
  },
  hotp: {
    name: 'security.kind.hotp',
    title: 'setup.title.hotp',
    lead: 'setup.lead.hotp',
    replacing: 'setup.replace.lead.hotp',
    added: 'setup.added.hotp',
    wrongCode: 'wrong_first_counter_code',
  },
}
