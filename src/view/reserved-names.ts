/** Names that every template sees: pages, layouts, parts, components and slots. They win over data of the same name. */
export const RESERVED = [
  // Who is signed in.
  'auth',
  // Token of forms.
  'csrf',
  // Content security policy: the nonce.
  'csp',
  // Messages that earlier requests left.
  'flash',
  // Path of a route.
  '$url',
  // Address of a static file.
  '$asset',
  // Messages of the catalogue.
  '$i18n',
] as const

/** The values of these names. */
export type ReservedNames = Readonly<Record<(typeof RESERVED)[number], unknown>>

const NAMES: ReadonlySet<string> = new Set(RESERVED)

/**
 * Tells whether a name is reserved.
 *
 * @param name Name of a value.
 * @returns True for the names of {@link RESERVED}.
 */
export function isReserved(name: string): boolean {
  return NAMES.has(name)
}
