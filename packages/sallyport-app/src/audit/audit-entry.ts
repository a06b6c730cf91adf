/** Something that happened; never contains a password, a code or a secret. */
export interface AuditEntry<Kind extends string = string> {
  /** What happened: one of a fixed list, because free text could contain a secret. */
  readonly kind: Kind
  /** The account; null when unknown. */
  readonly accountId: string | null
  /** Address of the client; empty where no client is, or it is not known. */
  readonly clientAddress: string
  /** Browser and system of the client, as `deviceOf()` names them; empty where no client is, or it is not known. */
  readonly device: string
  /** Identifier of the pending login. Default: none. */
  readonly challengeId?: string
  /** Who did it, where that is not the owner of the account: an account reference, or as `operatorName()` names them. Default: the owner. */
  readonly actor?: string
  /** What it was done with: the kind of the factor that was proven, or the name of a permission. Default: nothing. */
  readonly detail?: string
  /** Why, in the words of the actor. Stored, and not logged. Default: none. */
  readonly reason?: string
  /** Whether the log warns of it: something that proves an account has a copy, as far as can be known. Default: it does not. */
  readonly isAlarm?: true
}

/** An entry read from the trail. */
export interface AuditRecord {
  /** Unix timestamp in seconds. */
  readonly at: number
  /** What happened. */
  readonly kind: string
  /** The account; null when unknown. */
  readonly accountId: string | null
  /** Address of the client; empty where no client was, or it is not known. */
  readonly clientAddress: string
  /** Name of the account's owner; null when the account is unknown or deleted. */
  readonly name: string | null
  /** Who did it, where that is not the owner of the account; otherwise null. */
  readonly actor: string | null
  /** Identifier of the pending login; null for none. */
  readonly challengeId: string | null
}

/** An entry of the trail, for the owner of the account: what an administrator wrote about it is none of it. */
export interface OwnEvent {
  /** Its number, from the newest down. */
  readonly id: number
  /** Unix timestamp in seconds. */
  readonly at: number
  /** What happened. */
  readonly kind: string
  /** Identifier of the pending login; null for none. */
  readonly challengeId: string | null
  /** Address of the client; empty when it is not known, and of what the administration did. */
  readonly clientAddress: string
  /** Browser and system, as `deviceOf()` names them; empty when they are not known, and of what the administration did. */
  readonly device: string
  /** What it was done with; null for nothing. */
  readonly detail: string | null
  /** Whether the administration did it, and not the owner. */
  readonly byAdministration: boolean
}
