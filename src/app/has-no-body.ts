import type { RequestSource } from '../http/internal.ts'

/**
 * @param source The request.
 * @returns Whether actions do not use its body.
 */
export function hasNoBody({ method }: RequestSource): boolean {
  return method === 'GET' || method === 'HEAD'
}
