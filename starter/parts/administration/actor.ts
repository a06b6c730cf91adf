import { MAX_NORMALIZED_LENGTH, normalizedText } from 'sallyport-app/text'
import type { Client } from 'sallyport-app/clients'
import { type OperatorActor, operatorName, operatorOf } from '../../core/audit/operator.ts'

/** Somebody who administers: an account behind a page, or an operator at the command line. */
export type Actor = AdministratorActor | OperatorActor

/** An account. What it may do is looked up when it acts. */
export interface AdministratorActor extends Client {
  readonly kind: 'account'
  readonly id: string
  /** Credential version of the session that asks: one that has ended meanwhile does nothing more. Default: not compared. */
  readonly credentialVersion?: number
}

/** Somebody who has acted, or is about to, as far as it is known who that is. */
export interface KnownActor {
  /** As {@link actorName} names them. */
  readonly actor: string
  /** Names and addresses that the account has, and had. Default: none, as for an operator, and an account that is gone. */
  readonly names?: readonly string[]
}

/** @returns How the audit trail names them: an account reference, or `operator:` and a name. */
export function actorName(actor: Actor): string {
  return actor.kind === 'account' ? actor.id : operatorName(actor)
}

/**
 * Tells whether two actors may be one person: the one place that decides it, for pages and commands. Two accounts are two persons.
 * Names of operators are typed, so case, white space, punctuation and Unicode form make no other person of them, and an operator who is called
 * like the owner of an account, its address or the part of it before the `@` counts as that owner, also under a former name or address.
 *
 * It stops an oversight, and the same name typed twice. Operators who type a name that nobody has are taken at their word.
 *
 * @returns Whether one of them must not approve what the other one asked for.
 */
export function maybeSamePerson(one: KnownActor, other: KnownActor): boolean {
  if (one.actor === other.actor) return true
  if (operatorOf(one.actor) === undefined && operatorOf(other.actor) === undefined) return false
  const names = new Set(namesOf(other))
  return namesOf(one).some((name) => names.has(name))
}

function namesOf({ actor, names = [] }: KnownActor): readonly string[] {
  const operator = operatorOf(actor)
  if (operator !== undefined) return [comparable(operator)]
  return [...names, ...names.flatMap((name) => /^(.+)@/s.exec(name)?.[1] ?? [])].map(comparable)
}

// Upper case first: it makes one of letters that have two lower ones, such as the sigma.
function comparable(name: string): string {
  const plain = normalized(name).replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return normalized(plain.toUpperCase().toLowerCase()).replace(/[^\p{L}\p{M}\p{N}@]/gu, '')
}

// Of longer names the beginning decides: they are rather one person than two.
function normalized(name: string): string {
  return normalizedText(name.slice(0, MAX_NORMALIZED_LENGTH), 'NFKC') ?? ''
}
