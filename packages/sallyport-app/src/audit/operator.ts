const OPERATOR = 'operator:'

/** Somebody who may run programs where the data is. Their permissions are those of the operating system. */
export interface OperatorActor {
  /** What tells them from an account. */
  readonly kind: 'operator'
  /** Name at the operating system, or the one they gave. */
  readonly name: string
}

/** Whose entry it is, where an operator acts: about no account, and from no client. */
export interface OperatorEntry {
  /** None. */
  readonly accountId: null
  /** None. */
  readonly clientAddress: ''
  /** None. */
  readonly device: ''
  /** As {@link operatorName} names them. */
  readonly actor: string
}

/**
 * Names an operator.
 *
 * @param operator Who it is.
 * @returns How the audit trail names them: `operator:` and the name.
 */
export function operatorName({ name }: OperatorActor): string {
  return `${OPERATOR}${name}`
}

/**
 * Tells operators from accounts.
 *
 * @param actor Who acted, as the audit trail names them.
 * @returns Name of the operator; undefined for an account.
 */
export function operatorOf(actor: string): string | undefined {
  return actor.startsWith(OPERATOR) ? actor.slice(OPERATOR.length) : undefined
}

/**
 * Says whose entry it is.
 *
 * @param operator Who acts.
 * @returns The fields of an entry that say so.
 */
export function byOperator(operator: OperatorActor): OperatorEntry {
  return { accountId: null, clientAddress: '', device: '', actor: operatorName(operator) }
}
