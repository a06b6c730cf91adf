import type { InputLimits } from './form.ts'
import { InputException } from './input-exception.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body. Members named `__proto__` are left out, at every depth.
 *
 * @param bytes The body, UTF-8.
 * @param limits Limits of what is parsed.
 * @returns The value.
 * @throws {InputException} If it is no UTF-8 or no JSON, or nested too deeply.
 */
export function parseJson(bytes: Uint8Array, limits: InputLimits): unknown {
  try {
    const text = utf8.decode(bytes)
    if (depthOf(text) > limits.jsonDepth)
      throw new InputException(`The JSON is nested over ${limits.jsonDepth} levels deep`)
    const suspicious = text.includes('__proto__') || text.includes('\\u')
    return JSON.parse(text, suspicious ? withoutPrototype : undefined)
  } catch (cause) {
    if (cause instanceof InputException) throw cause
    throw new InputException('The body is not valid JSON', { cause })
  }
}

function withoutPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

// Counts brackets outside of strings, before the parser sees the text.
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth)
    else if (code === 93 || code === 125) depth--
  }
  return deepest
}
