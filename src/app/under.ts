import type { HttpContext } from '../context/index.ts'
import { PathPrefix } from '../routing/internal.ts'
import type { PerLocale } from './module.ts'

/**
 * A condition for `when` of the bands: true for each URL that the router takes for one below a path, however it is spelled.
 * Letter case, a locale before the path, needless escapes, other spellings of the convention and what is redirected or
 * not found there all count. So a gate before routing is not passed by `/%6Fps` or `/FR/Ops`. Who replaces the
 * request by one of another URL does so before the gate.
 *
 * @param path The path as modules, claims and routes declare it, `/ops`, without a locale: it stands for all of them. What
 * is mounted on other segments in other languages takes one path for each: `{ fr: '/exploitation', en: '/ops' }`.
 * @returns The condition.
 * @throws {TypeError} If the path does not begin with `/`, or holds what cannot be a segment.
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
