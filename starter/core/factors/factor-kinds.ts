/** Kinds of factors that an account holds, and that a rule can ask for. A part adds its own by interface merging. */
export interface HeldKinds {
  totp: true
}

/** Kinds that an account does not hold: they stand in for one. A part adds its own by interface merging. */
export interface StandInKinds {
  recovery: true
}

/** A kind of factor that an account holds. */
export type HeldKind = keyof HeldKinds

/** A kind of second factor, or of what stands in for one. */
export type FactorKind = HeldKind | keyof StandInKinds

/** What parts let stand in for a factor, each with the message `sessions.proven.<kind>`: a part adds its own to this interface. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface PartStandIns {}

/** What a part lets stand in for a factor without a page. It passes the second door, and proves nothing. */
export type StandInKind = keyof PartStandIns

/** What opens the second door: a factor, or what stands in for one. */
export type SecondProof = FactorKind | StandInKind
