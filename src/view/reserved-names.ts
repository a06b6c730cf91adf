/** Names that every template sees: pages, layouts, parts, components and slots. They win over data of the same name. */
export interface ReservedNames {
  /** Who is signed in. */
  readonly auth: unknown
  /** Token of forms. */
  readonly csrf: unknown
  /** Content security policy: the nonce. */
  readonly csp: unknown
  /** Messages that earlier requests left. */
  readonly flash: unknown
  /** Path of a route. */
  readonly $url: unknown
  /** Address of a static file. */
  readonly $asset: unknown
  /** Messages of the catalogue. */
  readonly $i18n: unknown
}

/**
 * Tells whether a name is reserved.
 *
 * @param name Name of a value.
 * @returns True for the names of {@link ReservedNames}.
 */
export function isReserved(name: string): boolean {
  switch (name) {
    case 'auth':
    case 'csrf':
    case 'csp':
    case 'flash':
    case '$url':
    case '$asset':
    case '$i18n':
      return true
    default:
      return false
  }
}
