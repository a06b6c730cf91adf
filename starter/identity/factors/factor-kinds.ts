/** Kinds of factors that an account holds, and that a rule can ask for. Whatever is not here stands in for one. */
export const HELD_KINDS = ['totp', 'hotp', 'passkey'] as const

/** A kind of factor that an account holds. */
export type HeldKind = (typeof HELD_KINDS)[number]

/**
 * A kind of second factor. Recovery codes stand in for one that is lost, and a code by mail for any, where an installation allows
 * it.
 */
export type FactorKind = HeldKind | 'recovery' | 'mail'

/** What parts let stand in for a factor, each with the message `sessions.proven.<kind>`: a part adds its own to this interface. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface PartStandIns {}

/** What a part lets stand in for a factor. It opens the second door, and proves nothing. */
export type StandInKind = keyof PartStandIns

/** What opens the second door: a factor, or what stands in for one. */
export type SecondProof = FactorKind | StandInKind

/** All kinds of second factors. */
export const FACTOR_KINDS: readonly FactorKind[] = [...HELD_KINDS, 'recovery', 'mail']

/**
 * @param kind What opens the second door.
 * @returns Whether it is a factor of the account.
 */
export function isHeld(kind: SecondProof): kind is HeldKind {
  return HELD_KINDS.some((held) => held === kind)
}

/**
 * Tells what a sign-in says about a loss: who proves a factor has not lost all of them, and a recovery code replaces at once what is
 * lost. A code by mail and what parts let stand in do so at the door only. They prove nothing of what is said to be lost, and replace
 * nothing, so a recovery or a reset that waits goes on.
 *
 * @param kind What opened the second door. Default: the password alone.
 * @returns Whether a sign-in with it ends what is under way to replace a lost factor.
 */
export function endsLoss(kind: SecondProof | undefined): boolean {
  return kind !== undefined && (isHeld(kind) || kind === 'recovery')
}
