import { connectionOptions, type LightResponse, withoutConnection } from '../http/internal.ts'

/**
 * Adds the headers of an exception to its response, without those that belong to a connection.
 *
 * @param response The response.
 * @param headers The headers.
 * @returns The response.
 */
export function withExceptionHeaders(
  response: LightResponse,
  headers: Readonly<Record<string, string>>,
): LightResponse {
  const options = connectionOptions(Object.entries(headers).flat())
  for (const [name, value] of Object.entries(headers)) {
    const sent = withoutConnection(name, value, options)
    if (sent !== null) response.append(name, sent)
  }
  return response
}
