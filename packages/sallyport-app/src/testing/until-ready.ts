/** The wait for a program that was just started. @module */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { onThisMachine } from './on-this-machine.ts'

// Generous, for a busy machine; a program that ends earlier is noticed immediately.
const PATIENCE_MILLISECONDS = onThisMachine(90_000)

/**
 * Waits for a program that was just started, for a minute and a half on a quiet machine.
 *
 * @param program Its process.
 * @param isReady Says whether it is ready.
 * @param about Says what it is, or what it has printed, for the message of the error.
 * @throws {AssertionError} If it ends instead, or is not ready in time.
 */
export async function untilReady(
  program: ChildProcess,
  isReady: () => boolean | Promise<boolean>,
  about: () => string,
): Promise<void> {
  for (const end = performance.now() + PATIENCE_MILLISECONDS; !(await isReady()); await pause(10)) {
    assert.ok(program.exitCode === null && program.signalCode === null, `ended: ${about()}`)
    assert.ok(performance.now() < end, `is not ready: ${about()}`)
  }
}
