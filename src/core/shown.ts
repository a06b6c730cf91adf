const MAX_CHARACTERS = 60
const MAX_MESSAGE = 2000
// Control, format and surrogate characters, line and paragraph separators.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Describes any value for a message to a programmer: short and on one line.
 *
 * @param value Any value, even one that throws when it is inspected.
 * @returns A description: `undefined`, `"shop"`, `class Page`, `an async function`, `a promise`.
 */
export function shown(value: unknown): string {
  try {
    return describe(value)
  } catch {
    // A revoked proxy, or a getter of the application that throws.
    return `${typeof value === 'function' ? 'a function' : 'an object'} that cannot be read`
  }
}

/**
 * Keeps a message to one line of bounded length, whatever it quotes. A line break in a name would forge a log line, and
 * half a megabyte would bury the advice.
 *
 * @param message The message.
 * @returns The message with invisible characters escaped; when that is longer than 2,000 characters, its middle is cut.
 */
export function inOneLine(message: string): string {
  // Cut twice: before escaping, because escaping half a megabyte is slow, and after it, because escapes are longer.
  return withoutMiddle(withoutMiddle(message).replaceAll(UNSEEN, escaped)).toWellFormed()
}

function withoutMiddle(text: string): string {
  const half = Math.floor((MAX_MESSAGE - 1) / 2)
  return text.length > MAX_MESSAGE ? `${text.slice(0, half)}…${text.slice(-half)}` : text
}

function describe(value: unknown): string {
  if (typeof value === 'string') return shortened(JSON.stringify(value.slice(0, MAX_CHARACTERS + 1)))
  if (typeof value === 'function') return functionShown(value)
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : shortened(String(value))
  if (value instanceof Promise) return 'a promise'
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${shortened(String(value.length))}`
  const { constructor } = value
  const name: unknown =
    typeof constructor === 'function' && constructor !== Object ? constructor.name : undefined
  return typeof name !== 'string' || name === '' ? 'an object' : `an instance of ${shortened(name)}`
}

/**
 * @param value Any value.
 * @returns Whether it is an async function or a generator: calling it does not complete its work.
 */
export function isDeferred(value: unknown): boolean {
  return tagOf(value) !== undefined
}

/**
 * @param value Any value.
 * @returns Whether it is a class, which can be constructed but not called.
 */
export function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}

function functionShown(value: { readonly name?: unknown }): string {
  const tag = tagOf(value)
  const kind = tag === undefined ? '' : tag.startsWith('Async') ? 'async ' : 'generator '
  const what = isClass(value) ? 'class' : `${kind}function`
  if (typeof value.name === 'string' && value.name !== '') return `${what} ${shortened(value.name)}`
  return `${kind === 'async ' ? 'an' : 'a'} ${what}`
}

function tagOf(value: unknown): string | undefined {
  let tag = ''
  try {
    tag = Object.prototype.toString.call(value)
  } catch {
    // A revoked proxy, or a throwing tag of the application.
  }
  return /^\[object (Async|Generator|AsyncGenerator)Function\]$/.exec(tag)?.[1]
}

function shortened(text: string): string {
  const start = text.slice(0, MAX_CHARACTERS)
  return `${start.replaceAll(UNSEEN, escaped)}${text.length > MAX_CHARACTERS ? '…' : ''}`
}

function escaped(character: string): string {
  const text = JSON.stringify(character).slice(1, -1)
  if (text.length > 1 && text.startsWith('\\')) return text
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
