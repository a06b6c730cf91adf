import { type LightResponse, jsonResponse } from '../http/internal.ts'
import { ValidationException } from '../input/index.ts'
import type { ErrorDetails } from './error-page.ts'

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
