const MAX_CHARACTERS = 60
const MAX_MESSAGE = 2000
// Whatever begins a line, has no sign of its own or changes the order of the others.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Names a value for a message to the programmer who gave it: short, in one line, and whatever it is.
 *
 * @param value Any value, also one that throws when it is looked at.
 * @returns What it is: `undefined`, `"shop"`, `class Page`, `an async function`, `a promise`.
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
 * Keeps a message to one line of bounded length, whatever was quoted in it: a line break in a name would forge a line of
 * a log, and half a megabyte would hide what to do.
 *
 * @param message The message.
 * @returns The message, with escapes for what cannot be seen, and without its middle where it is over 2,000 characters with
 * them.
 */
export function inOneLine(message: string): string {
  // Before the escapes, for half a megabyte of them takes its time, and behind them, for they are longer.
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
 * @returns Whether it is an async function or a generator: its call alone does not do its work.
 */
export function isDeferred(value: unknown): boolean {
  return tagOf(value) !== undefined
}

/**
 * @param value Any value.
 * @returns Whether it is a class: it can be built, and not called.
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
    // A revoked proxy, or a tag of the application that throws.
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
