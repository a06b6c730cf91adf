import { channel, type Channel } from 'node:diagnostics_channel'

/**
 * The security events of the framework. Each is published on the channel `sallyport:<name>` of
 * `node:diagnostics_channel`. Messages carry account references and codes, never secrets, session identifiers or user
 * input.
 */
export interface SecurityEvents {
  /** An identity was established on a session; the store has confirmed it. */
  readonly login: {
    /** The account reference. */
    readonly identifier: string
  }
  /** An identity was removed from a session; the store has confirmed it. */
  readonly logout: {
    /** The account reference; null when the session had none. */
    readonly identifier: string | null
  }
  /** Sessions of an account were ended by `AccountSessions`; the store has confirmed it. */
  readonly 'sessions-ended': {
    /** The account reference. */
    readonly identifier: string
    /** How many. */
    readonly count: number
  }
  /** The store gave a session a new identifier; the message is null. */
  readonly rotated: null
  /** A request was refused: 401, 403, or a failed CSRF check. */
  readonly refused: {
    /** Code of the exception; null if the response was made with this status, not thrown. */
    readonly code: string | null
    /** Status of the response. */
    readonly status: number
    /** Identifier of the request. */
    readonly request: string
    /** Of a failed CSRF check: for a developer, what was wrong and what to do. Null for other refusals. */
    readonly reason: string | null
  }
  /** A request was turned away because of load: 429, or a full queue of password hashes. */
  readonly throttled: {
    /** Code of the exception; null if the response was made with this status, not thrown. */
    readonly code: string | null
    /** Status of the response. */
    readonly status: number
    /** Identifier of the request. */
    readonly request: string
  }
  /**
   * A stored password hash matches no policy of the hasher. The response time of a failed sign-in then reveals that the
   * account exists: declare the policy in `accepts`.
   */
  readonly 'undeclared-hash': {
    /** Algorithm of the hash. */
    readonly algorithm: string
    /** Its parameters. */
    readonly options: Readonly<Record<string, number>>
  }
  /** A session store failed or did not answer in time. */
  readonly 'store-failed': {
    /** Which operation failed: `read`, `commit`, or `list` and `end` of `AccountSessions`. */
    readonly operation: 'read' | 'commit' | 'list' | 'end'
    /** What it threw. */
    readonly cause: unknown
  }
  /** A session store holds a malformed record, or an entry that is not JSON. The request continued without it. */
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
  'sessions-ended': channel('sallyport:sessions-ended'),
  rotated: channel('sallyport:rotated'),
  refused: channel('sallyport:refused'),
  throttled: channel('sallyport:throttled'),
  'undeclared-hash': channel('sallyport:undeclared-hash'),
  'store-failed': channel('sallyport:store-failed'),
  'session-malformed': channel('sallyport:session-malformed'),
}

/**
 * Publishes a security event. Without subscribers it costs nothing; an exception of a subscriber does not reach the
 * request.
 *
 * @param name Name of the event.
 * @param message Its data.
 */
export function publish<Name extends keyof SecurityEvents>(name: Name, message: SecurityEvents[Name]): void {
  const { [name]: target } = channels
  if (target.hasSubscribers) target.publish(message)
}
