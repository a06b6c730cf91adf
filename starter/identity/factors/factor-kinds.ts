/** Kinds of factors that an account holds, and that a rule can ask for. A part adds its own by interface merging. */
export interface HeldKinds {
  totp: true
  hotp: true
  passkey: true
}

/** Kinds that an account does not hold: they stand in for one. A part adds its own by interface merging. */
export interface StandInKinds {
  recovery: true
}

/** A kind of factor that an account holds. */
export type HeldKind = keyof HeldKinds

/** A kind of second factor, or of what stands in for one. */
export type FactorKind = HeldKind | keyof StandInKinds

/** What opens the second door: a factor, or what stands in for one. `device` is a trusted browser. */
export type SecondProof = FactorKind | 'device'
