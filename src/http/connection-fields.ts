// What one connection's two ends say to each other. A response that an action made, or took from another server, knows
// nothing of the connection that it will be sent on.
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i

/**
 * Judges a header line of an application. How a body is framed and a connection is used is the adapter's affair, with one
 * exception: an application may wish that the connection is closed.
 *
 * @param name Name in lower case.
 * @param value Its value.
 * @returns The value that is sent; null when the line is dropped.
 * @see RFC 9110 section 7.6.1; RFC 9112 sections 6.1 and 9.6.
 */
export function withoutConnection(name: string, value: string): string | null {
  if (CONNECTION_FIELDS.has(name)) return null
  if (name !== 'connection') return value
  return CLOSE.test(value) ? 'close' : null
}
