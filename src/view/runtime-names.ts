/** The language itself: what every runtime has and nobody can do harm with. */
export const LANGUAGE: ReadonlySet<string> = new Set(
  `Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float32Array Float64Array
  Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError
  ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN
  parseFloat parseInt undefined`.split(/\s+/),
)

// What the code of a template declares itself.
const OWN: ReadonlySet<string> = new Set(['template', 'state', '$context', 'out', '$lineNumber', '$filename'])

// No property: `...process` is a variable, and `a.process` is not.
const NAME = /(?<!(?<!\.)\.|[\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu

/**
 * Finds the names of global variables in code that are not of the language but of the runtime, such as `process`, or
 * `name` on Deno.
 *
 * @param code JavaScript.
 * @returns Each name once, also where it only is a word of a string.
 */
export function runtimeNames(code: string): string[] {
  const names = new Set(code.match(NAME) ?? [])
  return [...names].filter((name) => name in globalThis && !LANGUAGE.has(name) && !OWN.has(name))
}
