import { hash, timingSafeEqual } from 'node:crypto'
import { isEqualConstantTime, randomIdentifier } from '../core/internal.ts'
import { TooManyRequestsException } from '../http/index.ts'
import { AttemptBudget, type AttemptLimits } from './attempt-budget.ts'

/** Verifies a password against a stored hash: a `PasswordHasher`. */
export interface PasswordVerifier {
  /**
   * @param password The password as sent.
   * @param hash The stored hash; null for a name that is not known. The refusal must take as long as for a wrong password.
   * @param options `client`: address of the client, so that clients take turns; left out when it is unknown.
   * @returns Whether the hash was made from that password.
   */
  verify(password: string, hash: string | null, options?: { readonly client?: string }): Promise<boolean>
}

/** A name and the hash of its password. */
export interface StoredCredential {
  /** The name. */
  readonly username: string
  /** The hash. */
  readonly hash: string
}

/** A name and a password as a client sent them. */
export interface SentCredential {
  /** The name. */
  readonly username: string
  /** The password. */
  readonly password: string
  /** Address of the client; empty when it is unknown. */
  readonly client: string
}

// Typing a password wrong ten times a minute is an attack; 120 hashes take a few seconds of one processor.
const LIMITS: AttemptLimits = { perClient: 10, inAll: 120 }

/**
 * A name and a password that is stored as a hash, judged for each request at a bounded cost. A browser sends both with every
 * request, so the pair that was right last is remembered, as a keyed digest, until the process ends. Every other pair
 * costs a hash, also one with a wrong name, so that the time does not tell which part was wrong.
 */
export class HashedCredential {
  readonly #stored: StoredCredential
  readonly #verifier: PasswordVerifier
  readonly #budget: AttemptBudget
  // Of no use outside of this process.
  readonly #key = randomIdentifier()
  #right: Buffer | null = null
  readonly #judged = new Map<string, Promise<boolean>>()

  /**
   * @param stored Name and hash.
   * @param verifier Verifies the password.
   * @param budget Limits what attempts cost. Default: 10 a minute of a client, 120 in all.
   */
  constructor(
    stored: StoredCredential,
    verifier: PasswordVerifier,
    budget: AttemptBudget = new AttemptBudget(LIMITS),
  ) {
    this.#stored = stored
    this.#verifier = verifier
    this.#budget = budget
  }

  /**
   * @param sent What a client sent.
   * @returns Whether it is the right pair.
   * @throws {TooManyRequestsException} If there were too many wrong ones.
   */
  matches(sent: SentCredential): boolean | Promise<boolean> {
    const digest = this.#digestOf(sent)
    if (this.#right !== null && timingSafeEqual(digest, this.#right)) return true
    const name = digest.toString('base64')
    // A page and its parts are asked for at once, with the same pair: one hash is enough.
    const judged = this.#judged.get(name) ?? this.#judge(sent, digest)
    this.#judged.set(name, judged)
    return judged.finally(() => this.#judged.delete(name))
  }

  async #judge({ username, password, client }: SentCredential, digest: Buffer): Promise<boolean> {
    const wait = this.#budget.take(client)
    if (wait > 0) throw new TooManyRequestsException(wait)
    const knowsName = isEqualConstantTime(username, this.#stored.username)
    const turn = client === '' ? {} : { client }
    const isRight = await this.#verifier.verify(password, knowsName ? this.#stored.hash : null, turn)
    if (!isRight || !knowsName) return false
    this.#budget.giveBack(client)
    this.#right = digest
    return true
  }

  // The name holds no colon, so no other pair has the same text.
  #digestOf({ username, password }: SentCredential): Buffer {
    return hash('sha256', `${this.#key}:${username}:${password}`, 'buffer')
  }
}
