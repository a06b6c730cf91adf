import { DROP, evaluate, INDEX, LIST } from './redis-scripts.ts'
import type { RedisLink } from './redis-link.ts'

/*
 * The sessions of an owner: a sorted set under `prefix:account:owner`, in a slot of its own.
 *
 *   member   id " " time at which it was written, in seconds of the server's clock
 *   score    time from which on the session cannot be live any more, in milliseconds of the server's clock
 *
 * A session is named here before it is written, so no live session is missing. A member may name one that was never written,
 * because the process ended in between, or that has ended since: whoever reads the index drops it. The time of writing keeps
 * a reader from dropping a session that is just about to be written.
 */

/** A member of an index. */
export interface IndexEntry {
  /** The member as it is stored. */
  readonly member: string
  /** The session that it names. */
  readonly id: string
  /** Whether it has been there for so long that its session, if there ever was one, has been written. */
  readonly isSettled: boolean
}

/**
 * How much longer than its session a member lives, in milliseconds. A session whose end moves further than that is named
 * again first. With the default lifetimes none ever is.
 */
const SLACK_MILLISECONDS = 12 * 3_600_000
const DROPPED_AT_ONCE = 1000
const LISTED_AT_ONCE = 1000

/** Names the sessions of owners. */
export class RedisAccountIndex {
  readonly #link: RedisLink
  readonly #prefix: string
  readonly #graceSeconds: number

  /**
   * @param link How operations reach the server.
   * @param prefix Prefix of every key.
   * @param graceMilliseconds How long the write of a session may take that was named.
   */
  constructor(link: RedisLink, prefix: string, graceMilliseconds: number) {
    this.#link = link
    this.#prefix = prefix
    this.#graceSeconds = Math.ceil(graceMilliseconds / 1000)
  }

  /**
   * Names a session, before it is written.
   *
   * @param owner The owner.
   * @param id The session.
   * @param timeToLive How long it will live, in milliseconds.
   * @returns Until when it is named, in milliseconds of the server's clock.
   * @throws {TypeError} If the owner has blanks or control characters.
   * @throws {Error} If the server cannot be reached or refuses.
   */
  async add(owner: string, id: string, timeToLive: number): Promise<string> {
    const key = this.#keyOf(owner)
    const milliseconds = String(timeToLive + SLACK_MILLISECONDS)
    // Naming it twice is as good as once: an answer that is lost must not end a login.
    const till = await this.#link.runRepeatable(
      (client, notAfter) => evaluate(client, INDEX, { keys: [key], arguments: [notAfter, id, milliseconds] }),
      key,
    )
    return String(till)
  }

  /**
   * Reads the index in parts, so that one of many members holds up nobody else. A member that is there all the while is found:
   * its score only grows.
   *
   * @param owner The owner.
   * @returns The sessions that are named, ended ones included.
   * @throws {TypeError} If the owner has blanks or control characters.
   * @throws {Error} If the server cannot be reached or refuses.
   */
  async list(owner: string): Promise<readonly IndexEntry[]> {
    const entries = new Map<string, IndexEntry>()
    let from = '-inf'
    let count = LISTED_AT_ONCE
    for (;;) {
      const { now, members, last } = await this.#part(owner, from, count)
      for (const member of members) entries.set(member, this.#entryOf(member, now))
      if (members.length < count) return [...entries.values()]
      // A part begins with the last score of the one before, because several members may have it.
      if (last === from) count *= 2
      from = last
    }
  }

  /**
   * @param owner The owner.
   * @param members Members to drop.
   * @throws {Error} If the server cannot be reached or refuses.
   */
  async drop(owner: string, members: readonly string[]): Promise<void> {
    const key = this.#keyOf(owner)
    for (let start = 0; start < members.length; start += DROPPED_AT_ONCE) {
      const dropped = members.slice(start, start + DROPPED_AT_ONCE)
      await this.#link.run((client) => evaluate(client, DROP, { keys: [key], arguments: dropped }), key)
    }
  }

  async #part(
    owner: string,
    from: string,
    count: number,
  ): Promise<{ now: number; members: readonly string[]; last: string }> {
    const key = this.#keyOf(owner)
    const call = { keys: [key], arguments: [from, String(count)] }
    const answer = await this.#link.run((client) => evaluate(client, LIST, call), key)
    const [now, ...pairs] = Array.isArray(answer) ? answer.map(String) : []
    const members = pairs.filter((_, index) => index % 2 === 0)
    return { now: Number(now), members, last: pairs.at(-1) ?? from }
  }

  #entryOf(member: string, now: number): IndexEntry {
    const space = member.indexOf(' ')
    const age = now - Number(member.slice(space + 1))
    return { member, id: member.slice(0, space), isSettled: age > this.#graceSeconds }
  }

  #keyOf(owner: string): string {
    // Records keep the owner between blanks.
    if (!/^[^\s\p{Cc}]+$/u.test(owner))
      throw new TypeError('Cannot keep an owner with blanks or control characters in Redis')
    return `${this.#prefix}:account:${owner}`
  }
}
