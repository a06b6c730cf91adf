import { CORE_TEXTS, LANGUAGES } from './language.ts'

/** Message of what an authenticator is called until its owner gives it a name. */
export const AUTHENTICATOR = 'security.kind.totp'

/** What a factor is called, as a message. */
export interface FactorName {
  /** Identifier of the message. */
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: { readonly label: string }
}

/** @returns Message of its kind, if the name says no more than that it is an app, in any language; else undefined. */
export function kindNamedBy(label: string): string | undefined {
  return LANGUAGES.some((language) => CORE_TEXTS[language].security[AUTHENTICATOR] === label)
    ? AUTHENTICATOR
    : undefined
}

/** @returns Both in words, and only once where they are the same. */
export function factorName({ kind, label }: { readonly kind: string; readonly label: string }): FactorName {
  return kind === 'totp' && kindNamedBy(label) !== undefined
    ? { id: AUTHENTICATOR }
    : { id: `factor.${kind}`, values: { label } }
}
