/** The built-in types of parameters. A new one is declared here and given its call in `param`. @module */
import { type Judged, ParameterType } from './parameter-type.ts'
import { plainText } from './string-type.ts'

const DECIMAL = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?'
const WHOLE_DECIMAL = new RegExp(`^${DECIMAL}$`)
const SIGN = 45
const ZERO = 48

/** `-?(0|[1-9][0-9]*)` within the safe integers, without `-0`. */
export const INT: ParameterType<number> = builtIn(
  {
    name: 'int',
    pattern: '0|-?[1-9][0-9]{0,15}',
    typescript: 'number | bigint',
    isExact: false,
  },
  parseInteger,
)

/** An integer with an optional fraction and exponent, finite, without `-0`. */
export const FLOAT: ParameterType<number> = builtIn(
  { name: 'float', pattern: DECIMAL, typescript: 'number', isExact: false },
  parseDecimal,
)

/** `true`, `false`, `1` and `0`. */
export const BOOL: ParameterType<boolean> = new ParameterType<boolean>(
  { name: 'bool', pattern: 'true|false|1|0', typescript: 'boolean', isExact: true },
  parseBoolean,
  (value) => parseBoolean(plainText(value) ?? '')?.toString(),
)

function builtIn<T>(judged: Judged, parse: (text: string) => T | undefined): ParameterType<T> {
  return new ParameterType<T>(judged, parse, (value) => {
    const text = plainText(value)
    return text === undefined || parse(text) === undefined ? undefined : text
  })
}

function parseInteger(text: string): number | undefined {
  const start = text.charCodeAt(0) === SIGN ? 1 : 0
  const digits = text.length - start
  // 9007199254740991 has sixteen digits.
  if (digits < 1 || digits > 16) return undefined
  if (text.charCodeAt(start) === ZERO && text.length > 1) return undefined
  let value = 0
  for (let at = start; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  if (value > Number.MAX_SAFE_INTEGER) return undefined
  return start === 1 ? -value : value
}

function parseDecimal(text: string): number | undefined {
  if (!WHOLE_DECIMAL.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined
}

function parseBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  return undefined
}
