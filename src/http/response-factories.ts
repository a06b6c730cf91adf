import { jsonText } from './json-text.ts'
import { LightResponse } from './light-response.ts'
import { assertRedirect, toLocation } from './location.ts'

/**
 * Makes a response with a text.
 *
 * @param status Status code.
 * @param payload Text of the body.
 * @param contentType Value of `Content-Type`.
 * @returns A response with that text and its length; without both where the status allows no body.
 */
export function textResponse(status: number, payload: string, contentType: string): LightResponse {
  if (status === 204 || status === 205 || status === 304) return emptyResponse(status)
  const length = Buffer.byteLength(payload)
  const lines = ['content-type', contentType, 'content-length', String(length)]
  const response = new LightResponse(status, payload, lines)
  response.isAsciiText = length === payload.length
  return response
}

/**
 * Makes a response with a value.
 *
 * @param status Status code.
 * @param value What `JSON.stringify` can write.
 * @returns A JSON response.
 * @throws {TypeError} If JSON cannot hold the value, or would lose all of it or of a part: a `Map`, a promise.
 */
export function jsonResponse(status: number, value: unknown): LightResponse {
  return textResponse(status, jsonText(value), 'application/json; charset=utf-8')
}

/**
 * Makes a response without a body.
 *
 * @param status Status code.
 * @returns The response; its length is 0 where the status allows a body.
 */
export function emptyResponse(status: number): LightResponse {
  return new LightResponse(status, null, status === 204 || status === 304 ? [] : ['content-length', '0'])
}

/**
 * Makes a redirect without a body.
 *
 * @param target A path on this origin or an absolute http or https URL.
 * @param status Status of the redirect.
 * @returns The response.
 * @throws {TypeError} If the target is neither.
 * @throws {RangeError} If the status is no redirect.
 */
export function redirectResponse(target: string, status: number): LightResponse {
  assertRedirect(status)
  return new LightResponse(status, null, ['location', toLocation(target), 'content-length', '0'])
}
