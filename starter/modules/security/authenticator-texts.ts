import type { FactorSummary } from '../../identity/factors/totp-factors.ts'
import { TurnedAway } from '../turned-away.ts'

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
  /** What is said when the same form comes a second time. */
  readonly alreadyAdded: string
  /** What is said when the set-up took too long. */
  readonly expired: string
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
    alreadyAdded: 'setup.already.totp',
    expired: 'setup.expired',
    wrongCode: 'wrong_first_code',
  },
  hotp: {
    name: 'security.kind.hotp',
    title: 'setup.title.hotp',
    lead: 'setup.lead.hotp',
    replacing: 'setup.replace.lead.hotp',
    added: 'setup.added.hotp',
    alreadyAdded: 'setup.already.hotp',
    expired: 'setup.expired.hotp',
    wrongCode: 'wrong_first_counter_code',
  },
}

/**
 * @param kind What the codes of an authenticator are made from.
 * @returns Why its form does nothing that comes a second time.
 */
export function alreadyAdded(kind: CodeKind): TurnedAway {
  return { ...TurnedAway.alreadyAdded, text: AUTHENTICATOR_TEXTS[kind].alreadyAdded }
}
