// What one connection's two ends say to each other. A response that an action made, or took from another server, knows
// nothing of the connection that it will be sent on.
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
// What is meant for every recipient, cookies and security headers above all: an application that names them would take them
// away, what the framework wrote included.
const END_TO_END =
  /^(?:(?:access-control|cdn|content|cross-origin|document-policy|integrity-policy|ratelimit|signature|surrogate)-.+|accept-ranges|age|allow|authentication-info|cache-control|clear-site-data|date|document-policy|etag|expires|integrity-policy|last-modified|link|location|nel|no-vary-search|origin-agent-cluster|permissions-policy|pragma|ratelimit|referrer-policy|refresh|report-to|reporting-endpoints|retry-after|server-timing|service-worker-allowed|set-cookie|signature|sourcemap|strict-transport-security|vary|www-authenticate|x-(?:content-type-options|csrf-token|download-options|frame-options|permitted-cross-domain-policies|request-id|robots-tag|xss-protection))$/
const NO_OPTIONS: ReadonlySet<string> = new Set()
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i

/**
 * Finds the headers that a response declares to be for one connection alone.
 *
 * @param lines Names in lower case and values by turns.
 * @returns What the lines named `connection` list, in lower case: names of other headers for this connection alone. Headers
 * that are meant for every recipient cannot be among them.
 * @see RFC 9110 section 7.6.1.
 */
export function connectionOptions(lines: readonly string[]): ReadonlySet<string> {
  let options: Set<string> | null = null
  for (let i = 0; i < lines.length; i += 2) {
    if (lines[i] !== 'connection') continue
    options ??= new Set()
    for (const text of (lines[i + 1] ?? '').split(',')) {
      const option = text.trim().toLowerCase()
      if (!END_TO_END.test(option)) options.add(option)
    }
  }
  return options ?? NO_OPTIONS
}

/**
 * Judges a header line of an application. How a body is framed and a connection is used is the adapter's affair, with one
 * exception: an application may wish that the connection is closed.
 *
 * @param name Name in lower case.
 * @param value Its value.
 * @param options What `connectionOptions()` gave for all lines. Default: none.
 * @returns The value that is sent; null when the line is dropped.
 * @see RFC 9110 section 7.6.1; RFC 9112 sections 6.1 and 9.6.
 */
export function withoutConnection(
  name: string,
  value: string,
  options: ReadonlySet<string> = NO_OPTIONS,
): string | null {
  if (CONNECTION_FIELDS.has(name)) return null
  if (name !== 'connection') return options.has(name) ? null : value
  return CLOSE.test(value) ? 'close' : null
}
