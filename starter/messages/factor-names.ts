import { catalogues } from './catalogue.ts'
import { LANGUAGES } from './language.ts'

/** Message of what an authenticator is called until its owner gives it a name. */
export const AUTHENTICATOR = 'security.kind.totp'

/** What a factor is called, as a message. */
export interface FactorName {
  /** Identifier of the message. */
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: { readonly label: string }
}

/**
 * @param label Name of an authenticator.
 * @returns Whether it says no more than the kind does: it is what the first one of an account is called, in any language.
 */
export function isKindOnly(label: string): boolean {
  return LANGUAGES.some((language) => catalogues[language].messages[AUTHENTICATOR] === label)
}

/**
 * @param factor Kind and name of a factor.
 * @returns Both in words, and only once where they are the same.
 */
export function factorName({ kind, label }: { readonly kind: string; readonly label: string }): FactorName {
  return kind === 'totp' && isKindOnly(label)
    ? { id: AUTHENTICATOR }
    : { id: `factor.${kind}`, values: { label } }
}
