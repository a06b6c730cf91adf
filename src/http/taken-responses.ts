import { sentence } from '../core/internal.ts'
import { connectionOptions, withoutConnection } from './connection-fields.ts'
import { isHeaderValue } from './header-value.ts'
import { LightResponse } from './light-response.ts'

/** The request that a response answers. */
export interface AnsweredRequest {
  /**
   * @returns The method as the client sent it, in upper case.
   */
  sentMethod(): string
}

/**
 * The responses that requests have taken over. A response can be sent once, by one request; a violation is found while an
 * error response is still possible.
 */
export class TakenResponses {
  readonly #bodies = new WeakMap<object, AnsweredRequest>()

  /**
   * Takes over a response for the one request that may send it.
   *
   * @param response Any response.
   * @param request The request.
   * @returns The response itself when it is already a light one.
   * @throws {TypeError} If its body was read or belongs to another request, its status cannot be sent, or a header cannot
   * be written.
   */
  take(response: Response, request: AnsweredRequest): LightResponse {
    if (response instanceof LightResponse) {
      if (!response.takeFor(request)) throw shared()
      if (response.isBodyTaken) throw used()
    } else this.#assertOwn(response, request)
    const light = LightResponse.from(response)
    try {
      // The framework checked lines of its own one by one; only accessed `Headers` can hold others.
      if (light !== response || light.hasExposedHeaders) judgeHeaders(light, request)
      assertStatus(light.status)
    } catch (error) {
      cancelBody(light)
      throw error
    }
    light.takeFor(request)
    return light
  }

  #assertOwn(response: Response, request: AnsweredRequest): void {
    if (response.bodyUsed) throw used()
    // Bun loses the content type of a form or a blob whose body is looked at before its headers.
    void response.headers
    const body: unknown = response.body
    if (typeof body !== 'object' || body === null) return
    const other = this.#bodies.get(body)
    if (other !== undefined && other !== request) throw shared()
    if ('locked' in body && body.locked === true) throw used()
    this.#bodies.set(body, request)
  }
}

/**
 * Cancels a body that will not be read, which tells its producer to stop.
 *
 * @param response The response with that body.
 */
export function cancelBody(response: LightResponse): void {
  if (response.payload instanceof ReadableStream) response.payload.cancel().catch(() => undefined)
}

function used(): TypeError {
  return new TypeError(
    sentence`Cannot send a response whose body has been read or sent: make one for each request, and have a middleware that reads a body read response.clone(), or return a new Response`,
  )
}

function shared(): TypeError {
  return new TypeError(
    sentence`Cannot send a response that another request has sent: make one for each request, in a function instead of a constant`,
  )
}

// A 1xx is not a final response, and no class exists beyond 599 (RFC 9110 section 15).
function assertStatus(status: number): void {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return
  throw new TypeError(
    sentence`Cannot send the status ${String(status)}: it must be an integer from 200 to 599`,
  )
}

function judgeHeaders(response: LightResponse, request: AnsweredRequest): void {
  const lines = response.headerLines()
  const options = connectionOptions(lines)
  for (let i = 0; i < lines.length; i += 2) {
    const [name = '', value = ''] = [lines[i], lines[i + 1]]
    const sent = withoutConnection(name, value, options)
    if (sent === null) response.headers.delete(name)
    else if (sent !== value) response.headers.set(name, sent)
    // The platform accepts some control characters that no adapter can write.
    if (!isHeaderValue(value))
      throw new TypeError(sentence`Cannot send header "${name}": its value has an illegal character`)
    if (name !== 'content-length') continue
    assertLength(value, response, request)
    // RFC 9110 section 8.6 allows no `content-length` here, not even 0.
    if (response.status === 204) response.headers.delete(name)
  }
}

// With a wrong length the client would take the next response for a part of this body, or wait forever.
function assertLength(value: string, { payload, status }: LightResponse, request: AnsweredRequest): void {
  if (!/^[0-9]+$/.test(value))
    throw new TypeError(sentence`Cannot send "content-length: ${value}": it is not a length`)
  if (payload instanceof ReadableStream) return
  if (payload === null && (status === 304 || (status !== 204 && request.sentMethod() === 'HEAD'))) return
  const length = payload === null ? 0 : Buffer.byteLength(payload)
  if (Number(value) !== length)
    throw new TypeError(sentence`Cannot send "content-length: ${value}" with a body of ${length} bytes`)
}
