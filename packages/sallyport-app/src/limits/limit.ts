import { createHash } from 'node:crypto'
import { getLogger } from '@logtape/logtape'
import type { HashOptions } from 'sallyport/auth'
import { emailKey } from '../text/index.ts'
import { networkOf, type Prefix } from '../clients/index.ts'

const log = getLogger(['app', 'limits'])

const QUARTER_OF_AN_HOUR = 15 * 60
const DAY_SECONDS = 24 * 60 * 60
const LONGEST_SECONDS = 12 * 60 * 60

/** From then on a failure limits nothing: a lock lasts for 12 hours at most, and grows with those of the day before. */
export const KEPT_SECONDS: number = DAY_SECONDS + LONGEST_SECONDS

// An address of IPv4 is one client. A client of IPv6 usually controls a whole /64.
const CLIENT_PREFIX: Prefix = { bytes: 4, groups: 4 }

/** How long a limit looks back and locks, at most 12 hours. */
export interface LimitOptions {
  /** Failures within it lock, for equally long, counted from the last one. Default: a quarter of an hour. */
  readonly windowSeconds?: number
  /** Each further lock within a day lasts twice as long as the one before it, up to this. Default: all last equally long. */
  readonly maxLockSeconds?: number
}

/** The failures of one subject that still count. */
export interface Failures {
  /** When they happened, in ascending order; after a lock, those since then. */
  readonly times: readonly number[]
  /** Number of locks before them, until a day has passed without a failure. */
  readonly locks: number
}

/** A limit and the subject that it protects. */
export interface LimitedSubject {
  /** Name of the limit and identifier of what it protects: `password:<digest of the address>`. */
  readonly subject: string
  /** Identifier of what it protects. */
  readonly id: string
  /** The limit. */
  readonly limit: Limit
}

/** A limit on failures, for each of the subjects that it protects. */
export class Limit {
  /** So many within the window lock. */
  readonly failures: number
  /** How far it looks back, and how long the first lock lasts. */
  readonly windowSeconds: number
  /** How long the longest lock lasts. */
  readonly maxLockSeconds: number
  readonly #name: string
  // Of a process: no server knows the address of one client and not that of others.
  static #hasWarned = false

  /**
   * @param name Its name, of which no other limit has the same.
   * @param failures So many within the window lock.
   * @param options How long. Default: a quarter of an hour each.
   * @throws {RangeError} If it reaches further back than failures are kept, 12 hours.
   */
  constructor(name: string, failures: number, options: LimitOptions = {}) {
    const { windowSeconds = QUARTER_OF_AN_HOUR, maxLockSeconds = windowSeconds } = options
    if (Math.max(windowSeconds, maxLockSeconds) > LONGEST_SECONDS)
      throw new RangeError(`Cannot limit "${name}" over more than 12 hours`)
    this.failures = failures
    this.windowSeconds = windowSeconds
    this.#name = name
    this.maxLockSeconds = maxLockSeconds
  }

  /**
   * Names a subject.
   *
   * @param id Identifier of what it protects.
   * @returns The limit with that subject.
   */
  of(id: string): LimitedSubject {
    return { id, subject: `${this.#name}:${id}`, limit: this }
  }

  /**
   * The subject is the address, not the account, so that a locked account and an unknown address look the same. It is hashed,
   * because users sometimes type passwords into the wrong field.
   *
   * @param email The address, in any spelling.
   * @returns The limit with the address as its subject.
   */
  ofAddress(email: string): LimitedSubject {
    return this.of(createHash('sha256').update(emailKey(email)).digest('base64url'))
  }

  /**
   * The subject is the address of a client, or its network of IPv6. There is none for an unknown address: such clients must not share a
   * limit, or a few of them would lock out all. The first one is logged.
   *
   * @param clientAddress Its address; empty for an unknown one.
   * @returns The limit with the client as its subject, in a list; an empty list for an unknown address.
   */
  ofClient(clientAddress: string): readonly LimitedSubject[] {
    const client = clientKey(clientAddress)
    if (client !== undefined) return [this.of(client)]
    if (!Limit.#hasWarned) log.warn('Clients are not limited: the server does not know their addresses')
    Limit.#hasWarned = true
    return []
  }

  /**
   * Counts one more failure.
   *
   * @param failed Its failures before.
   * @param now Unix timestamp in seconds.
   * @returns Its failures from then on.
   */
  afterFailure(failed: Failures, now: number): Failures {
    const { times, locks } = failed
    const wasLocked = times.length >= this.failures
    const isForgotten = (times.at(-1) ?? 0) <= now - DAY_SECONDS
    const recent = wasLocked ? [] : times.filter((time) => time > now - this.windowSeconds)
    return { times: [...recent, now], locks: isForgotten ? 0 : locks + (wasLocked ? 1 : 0) }
  }

  /**
   * Says for how long failures lock.
   *
   * @param failed Its failures.
   * @param now Unix timestamp in seconds.
   * @returns Seconds until it is unlocked; 0 when it is not locked.
   */
  lockedSeconds(failed: Failures, now: number): number {
    const { times, locks } = failed
    if (times.length < this.failures) return 0
    const length = Math.min(this.windowSeconds * 2 ** locks, this.maxLockSeconds)
    return Math.max((times.at(-1) ?? 0) + length - now, 0)
  }
}

/**
 * Says whose turn a hash of a password takes: clients are told apart as their limits tell them apart.
 *
 * @param clientAddress Address of the client for whom something is hashed; empty when the server does not know it.
 * @returns Options of `PasswordHasher`.
 */
export function hashedFor(clientAddress: string): HashOptions {
  const client = clientKey(clientAddress)
  return client === undefined ? {} : { client }
}

function clientKey(clientAddress: string): string | undefined {
  return clientAddress === '' ? undefined : networkOf(clientAddress, CLIENT_PREFIX)
}
