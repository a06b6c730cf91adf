/** A path split on `/`, each segment then decoded once: decisions.md, "Paths". */
export interface ReadPath {
  readonly segments: readonly string[]
  readonly hasSlash: boolean
  /** Whether an escape is needless or in small letters. */
  readonly hasOddEscape: boolean
}

// docs/routing.md: 128 Ki characters.
const LONGEST = 131_072
const UNESCAPED = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")

/**
 * @param path A path as sent.
 * @returns It, read; `400` for what cannot be decoded or holds a control character, `404` for what is no path.
 */
export function readPath(path: string): ReadPath | 400 | 404 {
  if (path.length > LONGEST || hasControl(path) || hasLoneSurrogate(path)) return 400
  const segments: string[] = []
  for (const sent of path.split('/')) {
    const segment = decode(sent)
    if (segment === null) return 400
    segments.push(segment)
  }
  if (segments.shift() !== '') return 404
  const hasSlash = segments.length > 1 && segments.at(-1) === ''
  if (hasSlash || path === '/') segments.pop()
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return 404
  return { segments, hasSlash, hasOddEscape: hasOddEscape(path) }
}

function decode(sent: string): string | null {
  if (!sent.includes('%')) return sent
  const bytes: number[] = []
  for (let at = 0; at < sent.length;) {
    if (sent[at] === '%') {
      const hex = sent.slice(at + 1, at + 3)
      if (!/^[0-9A-Fa-f]{2}$/.test(hex)) return null
      bytes.push(Number.parseInt(hex, 16))
      at += 3
    } else {
      const character = String.fromCodePoint(sent.codePointAt(at) ?? 0)
      bytes.push(...Buffer.from(character))
      at += character.length
    }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes))
    return hasControl(text) ? null : text
  } catch {
    return null
  }
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Cs}/u.test(text)
}

function hasOddEscape(path: string): boolean {
  if (!path.includes('%')) return false
  return [...path.matchAll(/%(..)/gs)].some(([, hex = '']) => {
    return hex !== hex.toUpperCase() || UNESCAPED.has(String.fromCodePoint(Number.parseInt(hex, 16)))
  })
}

/** HOLD-37: letter case is folded in ASCII only. */
export function lowered(text: string): string {
  let low = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    low += code >= 65 && code <= 90 ? String.fromCodePoint(code + 32) : character
  }
  return low
}
