import type { ResponseEvent } from '../app/index.ts'

// A client may send any method, and each would be a series of its own.
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
])

/**
 * @param event What became of a request.
 * @returns Attributes of which there is a bounded number.
 */
export function attributesOf({ context, status, pattern }: ResponseEvent): Record<string, string | number> {
  return {
    'http.request.method': methodOf(context.method()),
    'http.response.status_code': status,
    ...(pattern === null ? {} : { 'http.route': pattern }),
    ...(status < 500 ? {} : { 'error.type': String(status) }),
  }
}

/**
 * @param method Method of a request.
 * @returns The method, or `_OTHER` as the conventions say.
 */
export function methodOf(method: string): string {
  return METHODS.has(method) ? method : '_OTHER'
}
