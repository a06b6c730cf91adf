/** What the application says and stores, for tests that look for secrets in it. @module */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { configureSync, resetSync } from '@logtape/logtape'

// What the framework publishes.
const CHANNELS = [
  'login',
  'logout',
  'rotated',
  'refused',
  'throttled',
  'store-failed',
  'session-malformed',
].map((name) => `sallyport:${name}`)

/**
 * @param test The test; after it, nothing is heard.
 * @returns Everything that the application logs from now on, as text.
 */
export function listen(test: TestContext): readonly string[] {
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
  test.after(() => resetSync())
  return lines
}

/**
 * @param test The test; after it, nothing is heard.
 * @returns What the framework publishes from now on, as text.
 */
export function hear(test: TestContext): readonly string[] {
  const published: string[] = []
  const keep = (message: unknown): void => void published.push(inspect(message, { depth: 9 }))
  for (const name of CHANNELS) subscribe(name, keep)
  test.after(() => CHANNELS.forEach((name) => unsubscribe(name, keep)))
  return published
}
