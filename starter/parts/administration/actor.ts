import type { Client } from 'sallyport-app/clients'
import { type OperatorActor, operatorName, operatorOf } from 'sallyport-app/audit'

/** Somebody who administers: an account behind a page, or an operator at the command line. */
export type Actor = AdministratorActor | OperatorActor

/** An account. What it may do is looked up when it acts. */
export interface AdministratorActor extends Client {
  readonly kind: 'account'
  readonly id: string
  /** Credential version of the session that asks: one that has ended meanwhile does nothing more. Default: not compared. */
  readonly credentialVersion?: number
}

/** @returns How the audit trail names them: an account reference, or `operator:` and a name. */
export function actorName(actor: Actor): string {
  return actor.kind === 'account' ? actor.id : operatorName(actor)
}

/** @returns Whether two are the same one, as {@link actorName} names them. Names of operators are typed: case and blanks make no other person. */
export function sameActor(one: string | null, other: string): boolean {
  return one !== null && comparable(one) === comparable(other)
}

function comparable(actor: string): string {
  const operator = operatorOf(actor)
  return operator === undefined
    ? actor
    : operatorName({ kind: 'operator', name: operator.trim().toLowerCase() })
}
