import { declarationError, sentence, shown } from '../core/internal.ts'

/*
 * A base path: one or more segments of a to z, 0 to 9 and single hyphens, each behind a slash: "/accounts", "/apps/accounts".
 * The empty string stands for none. Nothing in it is ever percent-encoded, so it is compared as it was sent.
 */
const BASE_PATH = /^(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/

/**
 * @param given The base path as passed.
 * @throws {TypeError} If it is not one.
 */
export function assertBasePath(given: unknown): void {
  if (typeof given === 'string' && BASE_PATH.test(given)) return
  throw declarationError(
    sentence`Cannot use ${shown(given)} as the base path: use segments of a to z, 0 to 9 and single hyphens, such as "/accounts"`,
  )
}

/**
 * The target of a request as the browser sees it, whether a proxy passed it on whole or without the base path. A target
 * that is the base path, or is below it, is whole. Any other one was stripped, so that the base path belongs before it.
 *
 * @param target Path and query as sent.
 * @param basePath The base path; empty for none.
 * @returns Path and query below the base path. What does not begin with exactly one slash is left as it is, to be refused.
 */
export function belowBasePath(target: string, basePath: string): string {
  if (basePath === '' || target.charCodeAt(0) !== 47 || target.charCodeAt(1) === 47) return target
  return isBelow(target, basePath) ? target : basePath + target
}

/**
 * @param target Path and query.
 * @param basePath The base path; empty for none.
 * @returns Whether the path is the base path or below it.
 */
export function isBelow(target: string, basePath: string): boolean {
  if (!target.startsWith(basePath)) return false
  const next = target.charAt(basePath.length)
  return next === '/' || next === '' || next === '?' || next === '#'
}
