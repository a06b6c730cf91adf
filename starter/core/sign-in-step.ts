import type { Transaction } from 'kysely'
import type { HttpContext } from 'sallyport'
import type { ShownForm } from 'sallyport/input'
import type { Proofs as SessionProofs } from 'sallyport-app/sessions'
import type { AuthenticationIdentity } from './accounts/users.ts'
import type { Schema } from './database/schema.ts'
import type { FactorKind } from './factors/factor-kinds.ts'

/** What was proven, and when. */
export type Proofs = SessionProofs<FactorKind>

/** An account that signs in, with what was proven of it so far. This alone authenticates nobody. */
export interface SigningIn {
  /** Account reference. */
  readonly identifier: string
  /** The account, and the version of the credentials that were proven. */
  readonly identity: AuthenticationIdentity
  /** What was proven in this login, and when, for a step-up. Default: nothing. */
  readonly proven?: Proofs
  /** Whether a link in a mail stood for the password, which is not proven then. Default: it did not. */
  readonly isByMail?: boolean
  /** Identifier of the pending login. Default: none waits. */
  readonly challengeId?: string
  /** The form of the second door, with the fields that parts have there. Default: none. */
  readonly form?: ShownForm
}

/** What stands in for the second factor at one sign-in, after the right password, and proves none. */
export interface StandIn {
  /** What the sign-in is recorded with. */
  readonly kind: FactorKind
  /** Uses it up, in the transaction that records the sign-in. Of several uses at once, one returns true. */
  readonly useUp: (transaction: Transaction<Schema>) => Promise<boolean>
  /** What follows the transaction: the session is signed in, or is about to be led to the second door. It may turn away. */
  readonly after: () => Promise<void>
}

/** What a part does with a sign-in that is being completed. */
export interface Completion {
  /** In the transaction that uses up the last proof. `kind`: what opened the second door. Default: nothing. */
  readonly record?: (transaction: Transaction<Schema>, kind: FactorKind | undefined) => Promise<void>
  /** After it, once the session is signed in. Default: nothing. */
  readonly after?: () => Promise<void>
}

/** What a part does at sign-in: a service, whose class is the part's `signIn`. */
export interface SignInStep {
  /** @returns What stands in for the factor; undefined when the second door stands. Default: it always does. */
  standIn?(context: HttpContext, proof: SigningIn): Promise<StandIn | undefined>
  /** @returns What happens with the sign-in; undefined for nothing. */
  complete?(context: HttpContext, proof: SigningIn): Completion | undefined
}
