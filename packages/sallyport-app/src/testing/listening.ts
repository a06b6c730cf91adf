/** What an application says while it runs, for tests that look for secrets in it. @module */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { configureSync, resetSync } from '@logtape/logtape'
import type { Scope } from './scope.ts'

// What the framework publishes.
const CHANNELS = [
  'login',
  'logout',
  'rotated',
  'refused',
  'throttled',
  'undeclared-hash',
  'store-failed',
  'session-malformed',
].map((name) => `sallyport:${name}`)

/**
 * Listens to the log.
 *
 * @param scope What it ends with.
 * @returns Everything that is logged from now on, as text.
 */
export function listen(scope: Scope): readonly string[] {
  const lines: string[] = []
  const asText = (_: string, value: unknown): unknown =>
    value instanceof Error ? { message: value.message, stack: value.stack } : value
  configureSync({
    sinks: { memory: (record) => void lines.push(JSON.stringify(record, asText)) },
    loggers: [
      { category: [], lowestLevel: 'trace', sinks: ['memory'] },
      { category: ['logtape', 'meta'], sinks: [] },
    ],
  })
  scope.after(() => resetSync())
  return lines
}

/**
 * Listens to the diagnostics channels of the framework.
 *
 * @param scope What it ends with.
 * @returns Everything that is published from now on, as text.
 */
export function hear(scope: Scope): readonly string[] {
  const published: string[] = []
  const keep = (message: unknown): void => void published.push(inspect(message, { depth: 9 }))
  for (const name of CHANNELS) subscribe(name, keep)
  scope.after(() => CHANNELS.forEach((name) => unsubscribe(name, keep)))
  return published
}
