import type { ErrorRenderer, Failure } from './failure.ts'
import { problemResponse } from './problem-response.ts'

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
