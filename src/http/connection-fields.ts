// Headers between the two ends of one connection. A response from an action or from another server knows nothing about the
// connection it is sent on.
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
// Headers meant for every recipient, above all cookies and security headers. An application that lists them in
// `Connection` would remove them, including those of the framework.
const END_TO_END =
  /^(?:(?:access-control|cdn|content|cross-origin|document-policy|integrity-policy|ratelimit|signature|surrogate)-.+|accept-ranges|age|allow|authentication-info|cache-control|clear-site-data|date|document-policy|etag|expires|integrity-policy|last-modified|link|location|nel|no-vary-search|origin-agent-cluster|permissions-policy|pragma|ratelimit|referrer-policy|refresh|report-to|reporting-endpoints|retry-after|server-timing|service-worker-allowed|set-cookie|signature|sourcemap|strict-transport-security|vary|www-authenticate|x-(?:content-type-options|csrf-token|download-options|frame-options|permitted-cross-domain-policies|request-id|robots-tag|xss-protection))$/
const NO_OPTIONS: ReadonlySet<string> = new Set()
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i

/**
 * Finds the headers that a response declares to be for one connection only.
 *
 * @param lines Alternating lower-case names and values.
 * @returns The names listed by the lines called `connection`, in lower case. Headers meant for every recipient are left
 * out.
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
 * Filters a header line of an application. The adapter alone decides on framing and on the use of the connection, with one
 * exception: an application may ask to close the connection.
 *
 * @param name Name in lower case.
 * @param value Its value.
 * @param options Result of `connectionOptions()` for all lines. Default: none.
 * @returns The value to send; null when the line is dropped.
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
