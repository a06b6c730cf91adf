// RFC 9110 section 5.5: no control characters but the tab; what is outside Latin-1 cannot be sent at all.
// oxlint-disable-next-line no-control-regex
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * Judges a header value by RFC 9110 section 5.5.
 *
 * @param text Value of a header.
 * @returns Whether it can be sent.
 */
export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text)
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/**
 * @param text Value of a header.
 * @returns Whether it is the same octets in Latin-1 and in UTF-8.
 */
export function isAscii(text: string): boolean {
  return ASCII.test(text)
}
