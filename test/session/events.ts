/**
 * Security events, for tests of sessions.
 *
 * @module
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TestContext } from 'node:test'

import type { SecurityEvents } from '../../src/core/index.ts'

/** The messages of one event from now on, until the test ends. */
export function listen(t: TestContext, name: keyof SecurityEvents): unknown[] {
  const heard: unknown[] = []
  const listener = (message: unknown): void => void heard.push(message)
  subscribe(`sallyport:${name}`, listener)
  t.after(() => unsubscribe(`sallyport:${name}`, listener))
  return heard
}
