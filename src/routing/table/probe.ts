import { methodNotAllowed, type Refusal } from '../route.ts'
import type { Variant } from './variant.ts'

const SLASH = 47
const PERCENT = 37

/**
 * One look-up: what is asked, and what was learnt on the way. A router keeps one and uses it again for each look-up,
 * so that finding a route allocates nothing but the route.
 */
export class Probe {
  /** The HTTP method. */
  method = ''
  /** The path: as sent when it is read strictly, else decoded as {@link UrlPath} has it. */
  text = ''
  /** Where the path ends, a trailing slash left out. */
  limit = 0
  /** The locale that a route without one of its own gets. */
  locale: string | null = null
  /** Whether a value that would have to be decoded or looked at ends the look-up instead; see `isOdd`. */
  isStrict = false
  /** Whether a strict look-up met such a value, so that the path is to be decoded first. */
  isOdd = false
  /** Where the segment ends that was read last. */
  end = 0
  /** Negative when that segment holds characters outside of those that stand for themselves. */
  odd = 0
  /** Whether that segment holds a capital letter. */
  hasCapital = false
  /** Where the values of the placeholders on the current way begin and end. */
  readonly starts: number[] = []
  readonly ends: number[] = []
  /** How many there are. */
  depth = 0
  /** The refusal of the paths that are known for other methods, or null. */
  refusal: Refusal | null = null

  /** How far the path was read where the look-up came furthest. */
  scanned = 0
  /** The variant of the route that was found last. */
  matched: Variant | null = null

  /**
   * Notes that a path is known for other methods.
   *
   * @param refusal The match that says so.
   */
  refuse(refusal: Refusal): void {
    this.refusal =
      this.refusal === null || this.refusal === refusal
        ? refusal
        : methodNotAllowed([...this.refusal.allowed, ...refusal.allowed])
  }

  /**
   * Begins a look-up.
   *
   * @param method The HTTP method.
   * @param text The path.
   */
  begin(method: string, text: string): void {
    const { length } = text
    this.method = method
    this.text = text
    this.limit = length > 0 && text.charCodeAt(length - 1) === SLASH ? length - 1 : length
    this.isOdd = false
    this.scanned = 0
    this.refusal = null
  }

  /**
   * @param from Where to begin.
   * @returns Whether there is an escape in the rest of the path.
   */
  isEscaped(from: number): boolean {
    for (let at = from; at < this.limit; at++) if (this.text.charCodeAt(at) === PERCENT) return true
    return false
  }

  /**
   * @param index Which placeholder of the current way.
   * @returns Its value as the text holds it.
   */
  value(index: number): string {
    return this.text.slice(this.starts[index], this.ends[index])
  }
}
