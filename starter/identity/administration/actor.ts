import type { Client } from '../clients/client.ts'

/** Somebody who administers: an account behind a page, or an operator at the command line. */
export type Actor = AdministratorActor | OperatorActor

/** An account. What it may do is looked up when it acts. */
export interface AdministratorActor extends Client {
  readonly kind: 'account'
  /** Account reference. */
  readonly id: string
  /** Credential version of the session that asks: one that has ended meanwhile does nothing more. Default: not compared. */
  readonly credentialVersion?: number
}

/** Somebody who may run programs where the data is. Their permissions are those of the operating system. */
export interface OperatorActor {
  readonly kind: 'operator'
  /** Name at the operating system, or the one they gave. */
  readonly name: string
}

/**
 * @param actor Who acts.
 * @returns How the audit trail names them: an account reference, or `operator:` and a name.
 */
export function actorName(actor: Actor): string {
  return actor.kind === 'account' ? actor.id : `operator:${actor.name}`
}
