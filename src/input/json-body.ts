import { PayloadTooLargeException } from '../http/index.ts'
import type { InputLimits } from './input-limits.ts'
import { InputException } from './input-exception.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body. Members named `__proto__` are dropped at every depth.
 *
 * @param bytes The body, UTF-8.
 * @param limits Limits of what is parsed.
 * @returns The value.
 * @throws {InputException} If it is not UTF-8, not JSON, nested too deeply or has a lone surrogate.
 * @throws {PayloadTooLargeException} If an object has more members than a form may have fields.
 */
export function parseJson(bytes: Uint8Array, limits: InputLimits): unknown {
  try {
    const text = utf8.decode(bytes)
    assertShape(text, limits)
    const suspicious = text.includes('__proto__') || text.includes('\\u')
    return JSON.parse(text, suspicious ? checked : undefined)
  } catch (cause) {
    if (cause instanceof InputException || cause instanceof PayloadTooLargeException) throw cause
    throw new InputException('The body is not valid JSON', { cause })
  }
}

// A lone surrogate, which only an escape can write, has no UTF-8: it fits into no URL, cookie or file (RFC 7493 section 2.1).
function checked(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    throw new InputException('The JSON contains a lone surrogate')
  return key === '__proto__' ? undefined : value
}

// Counts brackets and members outside of strings before the parser runs: names that collide in its hash tables take
// quadratic time.
function assertShape(text: string, { jsonDepth, fields }: InputLimits): void {
  const members = [0]
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 91 || code === 123) {
      if (++depth > jsonDepth) throw new InputException(`The JSON is nested over ${jsonDepth} levels deep`)
      members[depth] = 0
    } else if (code === 93 || code === 125) depth = Math.max(0, depth - 1)
    else if (code === 58) {
      const count = (members[depth] ?? 0) + 1
      if (count > fields) throw new PayloadTooLargeException(`There are more than ${fields} fields`)
      members[depth] = count
    }
  }
}
