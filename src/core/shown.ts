const MAX_CHARACTERS = 60

/**
 * Names a value for a message to the programmer who gave it: short, in one line, and whatever it is.
 *
 * @param value Any value.
 * @returns What it is: `undefined`, `"shop"`, `class Page`, `an async function`, `a promise`.
 */
export function shown(value: unknown): string {
  if (typeof value === 'string') return shortened(JSON.stringify(value))
  if (typeof value === 'function') return functionShown(value)
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : shortened(String(value))
  if (value instanceof Promise) return 'a promise'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  const { constructor } = value
  const name = typeof constructor === 'function' && constructor !== Object ? constructor.name : ''
  return name === '' ? 'an object' : `an instance of ${name}`
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
  if (typeof value.name === 'string' && value.name !== '') return `${what} ${value.name}`
  return `${kind === 'async ' ? 'an' : 'a'} ${what}`
}

function tagOf(value: unknown): string | undefined {
  return /^\[object (Async|Generator|AsyncGenerator)Function\]$/.exec(
    Object.prototype.toString.call(value),
  )?.[1]
}

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}
