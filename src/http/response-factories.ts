import { jsonText } from './json-text.ts'
import { LightResponse } from './light-response.ts'
import { assertRedirect, toLocation } from './location.ts'

/**
 * Creates a response with a string as its body.
 *
 * @param status Status code.
 * @param payload The body.
 * @param contentType Value of `Content-Type`.
 * @returns A response with that body and its length; without both when the status allows no body.
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
 * Creates a JSON response.
 *
 * @param status Status code.
 * @param value A value that `JSON.stringify` can write.
 * @returns The response.
 * @throws {TypeError} If JSON cannot represent the value or a part of it, such as a `Map` or a promise.
 */
export function jsonResponse(status: number, value: unknown): LightResponse {
  return textResponse(status, jsonText(value), 'application/json; charset=utf-8')
}

/**
 * Creates a response without a body.
 *
 * @param status Status code.
 * @returns The response; its length is 0 when the status allows a body.
 */
export function emptyResponse(status: number): LightResponse {
  return new LightResponse(status, null, status === 204 || status === 304 ? [] : ['content-length', '0'])
}

/**
 * Creates a redirect without a body.
 *
 * @param target A path on this origin or an absolute http or https URL.
 * @param status Status of the redirect.
 * @returns The response.
 * @throws {TypeError} If the target is neither.
 * @throws {RangeError} If the status is not a redirect status.
 */
export function redirectResponse(target: string, status: number): LightResponse {
  assertRedirect(status)
  return new LightResponse(status, null, ['location', toLocation(target), 'content-length', '0'])
}
