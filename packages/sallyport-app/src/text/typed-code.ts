import { normalizedText } from './normalized-text.ts'

/**
 * Reads a code of any kind as people type and paste it: without separators and invisible characters, with plain letters, and with the
 * decimal digits of any script as `0` to `9`.
 *
 * @param text What was typed.
 * @returns The code; empty for a text that is too long to be one.
 */
export function typedCode(text: string): string {
  return (normalizedText(text, 'NFKC') ?? '')
    .replace(
      /[\u20e3\p{Z}\p{Pd}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}._/,\u00b7\u2212\u2800\ufffc]/gu,
      '',
    )
    .replace(/\p{Nd}/gu, valueOfDigit)
}

// Unicode gives the ten digits of a script ten places in a row, zero first: the rows before a digit are whole ones.
function valueOfDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1
  return String(before % 10)
}
