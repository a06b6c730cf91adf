import type { HttpContext } from '../context/index.ts'
import { PathPrefix } from '../routing/internal.ts'
import type { PerLocale } from './module.ts'

/**
 * Creates a condition for `when` of the bands: true for each URL that the router treats as one under a path, in any
 * spelling. Letter case, a locale before the path, needless escapes and other spellings of the convention all count, as do
 * URLs that are redirected or not found. So `/%6Fps` or `/FR/Ops` does not bypass a gate before routing. A middleware that
 * replaces the request by one for another URL must run before the gate.
 *
 * @param path The path as modules, claims and routes declare it, such as `/ops`, without a locale: it covers all locales. A
 * path with translated segments takes one path for each locale: `{ fr: '/exploitation', en: '/ops' }`.
 * @returns The condition.
 * @throws {TypeError} If the path does not start with `/`, or contains an invalid segment.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, under } from 'sallyport'
 * import { BasicAccessMiddleware } from 'sallyport/middleware'
 * import { TestClient } from 'sallyport/testing'
 *
 * const gate = new BasicAccessMiddleware({
 *   username: 'ops',
 *   password: 'long and random',
 *   realm: 'Operations',
 * })
 * const app = App.default()
 * app.middleware().incoming(gate, { when: under('/ops') })
 * const client = new TestClient(app)
 *
 * assert.equal((await client.get('/ops/metrics')).status, 401)
 * assert.equal((await client.get('/%6Fps/metrics')).status, 401)
 * assert.equal((await client.get('/metrics')).status, 404)
 * ```
 */
export function under(path: PerLocale): (context: HttpContext) => boolean {
  const prefix = new PathPrefix(path)
  return (context) => context.isUnder(prefix)
}
