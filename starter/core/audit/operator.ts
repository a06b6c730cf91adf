const OPERATOR = 'operator:'

/** Somebody who may run programs where the data is. Their permissions are those of the operating system. */
export interface OperatorActor {
  readonly kind: 'operator'
  /** Name at the operating system, or the one they gave. */
  readonly name: string
}

/** @returns How the audit trail names them: `operator:` and the name. */
export function operatorName({ name }: OperatorActor): string {
  return `${OPERATOR}${name}`
}

/** @returns Name of the operator; undefined for an account. */
export function operatorOf(actor: string): string | undefined {
  return actor.startsWith(OPERATOR) ? actor.slice(OPERATOR.length) : undefined
}
