import { inspect } from 'node:util'

import { completeMessage, whenReady } from '../core/internal.ts'

// Control characters except the line feed, and characters that a viewer may take for a line break or a terminal command.
const CONTROL = /[[\p{Cc}--\n]\u2028\u2029]/gv

/**
 * Writes an error to standard error when no hook receives it. The first line starts at the margin and all others are
 * indented, so that text of a client in a message cannot pass for another log entry.
 *
 * @param fault What was thrown.
 */
export function reportFault(fault: unknown): void {
  void whenReady(completeMessage(fault), () => write(fault))
}

function write(fault: unknown): void {
  const text = inspected(fault).replaceAll('\r\n', '\n').replace(CONTROL, escaped).replaceAll('\n', '\n  ')
  process.stderr.write(`${text}\n`)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * @param fault What was thrown.
 * @returns A description for a developer. The function never throws, even though an object may customize its inspection.
 */
export function inspected(fault: unknown): string {
  try {
    return inspect(fault)
  } catch {
    return 'The thrown value cannot be inspected'
  }
}
