import type { Client } from 'sallyport-app/clients'
import { type OperatorActor, operatorName } from 'sallyport-app/audit'

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
