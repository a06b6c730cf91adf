import { channel, type Channel } from 'node:diagnostics_channel'

/**
 * What the framework tells of security, each on the channel `sallyport:<name>` of `node:diagnostics_channel`. Messages
 * carry account references and codes, never secrets, session identifiers or what somebody typed.
 */
export interface SecurityEvents {
  /** An identity was established on a session, and the store has confirmed it. */
  readonly login: {
    /** The account reference. */
    readonly identifier: string
  }
  /** An identity was ended on a session, and the store has confirmed it. */
  readonly logout: {
    /** The account reference; null when the session had none. */
    readonly identifier: string | null
  }
  /** A session got a new identifier in its store; the message is null. */
  readonly rotated: null
  /** A request was refused: 401, 403, or a failed CSRF check. */
  readonly refused: {
    /** Code of the exception. */
    readonly code: string
    /** Status of the answer. */
    readonly status: number
    /** Identifier of the request. */
    readonly request: string
  }
  /** Work was turned away because there was too much of it: 429, or a full queue of password hashes. */
  readonly throttled: {
    /** Code of the exception. */
    readonly code: string
    /** Status of the answer. */
    readonly status: number
    /** Identifier of the request. */
    readonly request: string
  }
  /**
   * A stored password hash is of no policy that the hasher was given, so the time of a refusal tells that its account
   * exists: declare the policy in `accepts`.
   */
  readonly 'undeclared-hash': {
    /** Algorithm of the hash. */
    readonly algorithm: string
    /** Its parameters. */
    readonly options: Readonly<Record<string, number>>
  }
  /** A session store did not answer. */
  readonly 'store-failed': {
    /** What was asked of it: `read` or `commit`. */
    readonly operation: 'read' | 'commit'
    /** What it threw. */
    readonly cause: unknown
  }
  /** A session store holds something that is no session, or an entry that is no JSON. The request went on without it. */
  readonly 'session-malformed': {
    /** What is malformed: a whole record, or one entry. */
    readonly part: 'record' | 'entry'
    /** Key of the entry; null for a record. */
    readonly key: string | null
  }
}

const channels: { readonly [Name in keyof SecurityEvents]: Channel } = {
  login: channel('sallyport:login'),
  logout: channel('sallyport:logout'),
  rotated: channel('sallyport:rotated'),
  refused: channel('sallyport:refused'),
  throttled: channel('sallyport:throttled'),
  'undeclared-hash': channel('sallyport:undeclared-hash'),
  'store-failed': channel('sallyport:store-failed'),
  'session-malformed': channel('sallyport:session-malformed'),
}

/**
 * Tells those who listen; costs nothing when nobody does. A listener that throws does not reach the request.
 *
 * @param name Name of the event.
 * @param message Its facts.
 */
export function tell<Name extends keyof SecurityEvents>(name: Name, message: SecurityEvents[Name]): void {
  const { [name]: target } = channels
  if (target.hasSubscribers) target.publish(message)
}
