import { inspect } from 'node:util'

/**
 * Writes a fault that nobody else hears of to the standard error output.
 *
 * @param fault What was thrown.
 */
export function reportFault(fault: unknown): void {
  process.stderr.write(`${inspect(fault)}\n`)
}
