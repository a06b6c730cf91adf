import { type LightResponse, jsonResponse } from '../http/internal.ts'
import { ValidationException } from '../input/index.ts'
import type { ErrorDetails } from './error-page.ts'
import type { ErrorRenderer, Failure } from './failure.ts'

/**
 * Answers every error with problem details, whatever the client accepts: for a module that is an API.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, defineModule, ProblemErrors } from 'sallyport'
 * import { TestClient } from 'sallyport/testing'
 *
 * const api = defineModule('Api', (module) => module.errors(ProblemErrors))
 * const client = new TestClient(App.default().modules(api))
 *
 * const response = await client.get('/api/nothing', { headers: { accept: 'text/html' } })
 * assert.equal(response.headers.get('content-type'), 'application/problem+json')
 * ```
 *
 * @see RFC 9457.
 */
export class ProblemErrors implements ErrorRenderer {
  /**
   * @param failure What went wrong.
   * @returns Problem details.
   */
  render(failure: Failure): Response {
    return problemResponse(failure, failure.exception)
  }
}

/**
 * Creates problem details: `title` names the kind of problem, `detail` describes this occurrence.
 *
 * @param details What is told of the error.
 * @param error What was thrown.
 * @returns The response, without the headers of the exception.
 */
export function problemResponse(details: ErrorDetails, error: unknown): LightResponse {
  const body = {
    type: 'about:blank',
    title: details.title,
    status: details.status,
    detail: details.message,
    code: details.code,
    ...(error instanceof ValidationException ? { violations: details.violations } : {}),
    ...(details.requestId === null ? {} : { requestId: details.requestId }),
    ...(details.trace === null ? {} : { trace: details.trace }),
  }
  const response = jsonResponse(details.status, body)
  response.headers.set('content-type', 'application/problem+json')
  return response
}
