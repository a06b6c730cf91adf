import { sentence } from '../core/internal.ts'

/** Finds the best of several languages. */
export type Negotiation = (header: string, tags: readonly string[], fallback: string) => string

// The same for every application of the process: code, no state of any of them.
let attached: Negotiation | null = null

/**
 * Attaches it. The entry `sallyport/i18n` does it; an application in one language does not load it.
 *
 * @param negotiation Receives the value of `Accept-Language`, canonical tags, and the tag if none of them matches.
 */
export function attachNegotiation(negotiation: Negotiation): void {
  attached = negotiation
}

/**
 * @returns It.
 * @throws {TypeError} If it is not attached.
 */
export function negotiation(): Negotiation {
  if (attached === null) throw new TypeError(sentence`Cannot negotiate languages: import sallyport/i18n`)
  return attached
}

/**
 * @returns Whether it is attached.
 */
export function hasNegotiation(): boolean {
  return attached !== null
}
