import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'

// RFC 9562, section 5.7 and method 1 of section 6.2, in hexadecimal digits:
//
//   milliseconds (12) "-" number (4, twice) …
//
// 48 bits of Unix time, the version 7, a number of 12 bits that counts within a millisecond, the variant, and 62 random bits.
const NUMBERS = 0x1000

let last = { milliseconds: 0, number: 0 }

/**
 * Makes the identifier of a row that lists order by: the greater one of this process is the newer one, also within a second, and while
 * the clock is set back. It is no secret.
 *
 * @param clock Says how late it is.
 * @returns A UUID of version 7, in lower case.
 */
export function orderedId(clock: Clock): string {
  last = next(clock.milliseconds())
  const time = last.milliseconds.toString(16).padStart(12, '0')
  const number = last.number.toString(16).padStart(3, '0')
  // The variant and the random bits are those of version 4.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${number}${randomUUID().slice(18)}`
}

function next(now: number): typeof last {
  if (now > last.milliseconds) return { milliseconds: now, number: 0 }
  const number = (last.number + 1) % NUMBERS
  return { milliseconds: last.milliseconds + (number === 0 ? 1 : 0), number }
}
