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
 */
export function under(path: PerLocale): (context: HttpContext) => boolean {
  const prefix = new PathPrefix(path)
  return (context) => context.isUnder(prefix)
}
