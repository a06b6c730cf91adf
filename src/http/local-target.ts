import { toLocation } from './location.ts'

const BASE = 'http://local.invalid'

/**
 * A redirect target on this origin: a path with an optional query. Anything that a browser could read as another origin
 * is refused: scheme-relative URLs, backslashes, control characters, dot segments, and the encoded forms of these. So is
 * anything over 2048 characters.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { LocalTarget } from 'sallyport/http'
 *
 * // The field `next` of a sign-in form holds where the user wanted to go, or where an attacker wants them.
 * assert.equal(LocalTarget.parse('/orders?page=2')?.value, '/orders?page=2')
 * assert.equal(LocalTarget.parse('https://evil.test/'), undefined)
 * assert.equal(LocalTarget.parse('//evil.test/'), undefined)
 * assert.equal(LocalTarget.parse('/%2Fevil.test/'), undefined)
 * ```
 *
 * @see Clauses FLOW-51, FLOW-52.
 */
export class LocalTarget {
  /** The path and query, ready for a `Location` header. */
  readonly value: string

  private constructor(value: string) {
    this.value = value
  }

  /**
   * Parses a target that a client sent.
   *
   * @param text The value as sent; anything but a string is refused.
   * @returns The target, or undefined when it is not a safe path on this origin.
   */
  static parse(text: unknown): LocalTarget | undefined {
    if (typeof text !== 'string' || text.length > 2048 || !text.startsWith('/')) return undefined
    if (isTricky(text)) return undefined
    const url = URL.parse(text, BASE)
    if (url === null || url.origin !== BASE || url.pathname.startsWith('//')) return undefined
    return new LocalTarget(toLocation(url.pathname + url.search))
  }

  /**
   * @returns The path and query.
   */
  toString(): string {
    return this.value
  }
}

// Checks the string as sent and after one and two decodings, because code behind it may decode again.
function isTricky(text: string): boolean {
  let current = text
  for (let pass = 0; pass < 3; pass++) {
    if (/[\\[\p{Cc}&&\p{ASCII}]\u0085\u2028\u2029]/v.test(current) || current.startsWith('//')) return true
    if (!current.isWellFormed()) return true
    const path = /^[^?#]*/.exec(current)?.[0] ?? ''
    if (/\/\.{1,2}(\/|$)/.test(path)) return true
    const decoded = decodeOnce(current)
    if (decoded === undefined) return true
    if (decoded === current) return false
    current = decoded
  }
  return false
}

function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
