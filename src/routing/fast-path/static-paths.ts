import type { RouteMatch } from '../route.ts'

interface Answer {
  readonly method: string
  readonly path: string
  readonly match: RouteMatch
}

const PROBES = 4
// Of others nothing is remembered, so that no client can fill the memory with methods of its own.
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Remembers what paths without placeholders came to, so that the next lookup is a comparison of the whole path. Only
 * paths that the application declares are added, which bounds it. It is an open hash table of its own: the hash is made
 * of the length and five of the characters, for reading a path that was just received costs more than comparing it.
 */
export class StaticPaths {
  #slots: (Answer | null)[] = [null, null, null, null]
  // For each length, by its last five bits, one bit for each character that a path ends with, by its last five.
  readonly #ends: number[] = Array.from({ length: 32 }, () => 0)
  #size = 0

  find(method: string, path: string): RouteMatch | null {
    const { length } = path
    const last = path.charCodeAt(length - 1)
    if ((((this.#ends[length & 31] ?? 0) >>> last) & 1) === 0) return null
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hashOf(method, path, last)
    for (let probe = 0; probe < PROBES; probe++, slot++) {
      const answer = slots[slot & mask] ?? null
      if (answer === null) return null
      if (answer.path === path && answer.method === method) return answer.match
    }
    return null
  }

  /** The path is one that the application declares, and comes to the same for every request. */
  add(method: string, path: string, match: RouteMatch): void {
    if (!METHODS.has(method)) return
    if ((this.#size + 1) * 4 > this.#slots.length) this.#grow()
    const slots = this.#slots
    const mask = slots.length - 1
    const last = path.charCodeAt(path.length - 1)
    let slot = hashOf(method, path, last)
    const end = slot + PROBES
    while (slot < end && (slots[slot & mask] ?? null) !== null) slot++
    // Where the next slots are taken, the path is searched each time: a lookup must stay short.
    if (slot === end) return
    // A copy: the path as received may be a part of a longer string, which would stay with it.
    slots[slot & mask] = { method, path: path.split('/').join('/'), match }
    this.#ends[path.length & 31] = (this.#ends[path.length & 31] ?? 0) | (1 << last)
    this.#size++
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = Array.from({ length: old.length * 2 }, () => null)
    this.#size = 0
    for (const answer of old) if (answer !== null) this.add(answer.method, answer.path, answer.match)
  }
}

function hashOf(method: string, path: string, last: number): number {
  const { length } = path
  // Outside of the text the platform answers slowly.
  const isShort = length < 5
  const begin = isShort ? last : path.charCodeAt(1) | (path.charCodeAt(2) << 7) | (path.charCodeAt(4) << 14)
  const rest = path.charCodeAt(length >> 1) | (length << 7) | (method.length << 20)
  const mixed = Math.imul(begin | (last << 21), 0x9e3779b1) ^ Math.imul(rest, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
