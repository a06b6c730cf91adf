import { security } from './security.ts'
import { LANGUAGES } from './language.ts'

/** Message of what an authenticator is called until its owner gives it a name. */
export const AUTHENTICATOR: KindMessage = 'security.kind.totp'

type KindMessage = 'security.kind.totp' | 'security.kind.hotp'

/** What a factor is called, as a message. */
export interface FactorName {
  /** Identifier of the message. */
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: { readonly label: string }
}

// What the first authenticator of each kind is called, in the language of the page that it was set up on.
const KINDS: ReadonlyMap<string, KindMessage> = new Map([
  ['totp', AUTHENTICATOR],
  ['hotp', 'security.kind.hotp'],
])

/**
 * @param label Name of an authenticator.
 * @returns Message of its kind, if the name says no more than that, in any language; else undefined.
 */
export function kindNamedBy(label: string): string | undefined {
  return [...KINDS.values()].find((kind) => LANGUAGES.some((language) => security[language][kind] === label))
}

/**
 * @param factor Kind and name of a factor.
 * @returns Both in words, and only once where they are the same.
 */
export function factorName({ kind, label }: { readonly kind: string; readonly label: string }): FactorName {
  const named = kindNamedBy(label)
  return named !== undefined && named === KINDS.get(kind)
    ? { id: named }
    : { id: `factor.${kind}`, values: { label } }
}
