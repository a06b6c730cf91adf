import { inspect } from 'node:util'

// Control characters but the line feed, and what a viewer may take for a line break or a command to the terminal.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g

/**
 * Writes a fault that nobody else hears of to the standard error output. Its first line begins at the margin and all
 * others are indented, so that text of a client in a message cannot pass for an entry of its own.
 *
 * @param fault What was thrown.
 */
export function reportFault(fault: unknown): void {
  const text = inspected(fault).replaceAll('\r\n', '\n').replace(CONTROL, escaped).replaceAll('\n', '\n  ')
  process.stderr.write(`${text}\n`)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * @param fault Whatever was thrown.
 * @returns Its text for a developer. It never throws, although an object may say itself how it is inspected.
 */
export function inspected(fault: unknown): string {
  try {
    return inspect(fault)
  } catch {
    return 'Something was thrown that cannot be looked at'
  }
}
